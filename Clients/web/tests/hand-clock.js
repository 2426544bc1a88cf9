// A clock that only a test moves, for AdLoader.

/** Lets everything happen that waits for nothing but promises. Works in Node and in a browser. */
export const settled = () => new Promise((resolve) => setTimeout(resolve, 0));

export class HandClock {
  #now = 0;
  #timers = new Set();

  now = () => this.#now;

  setTimeout = (action, delayMs) => {
    const timer = { action, due: this.#now + delayMs };
    this.#timers.add(timer);
    return timer;
  };

  clearTimeout = (timer) => this.#timers.delete(timer);

  /** How many timers run. */
  get running() {
    return this.#timers.size;
  }

  /** Moves the clock, letting every timer that falls due at or before `ms` fire at its own time, in order. */
  async advanceTo(ms) {
    if (ms < this.#now) throw new RangeError("the clock does not go back");
    for (;;) {
      const [first] = [...this.#timers].filter(({ due }) => due <= ms).sort((a, b) => a.due - b.due);
      if (!first) break;
      this.#timers.delete(first);
      this.#now = first.due;
      first.action();
      await settled();
    }
    this.#now = ms;
  }
}
