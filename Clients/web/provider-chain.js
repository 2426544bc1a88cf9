// A chain of providers being tried: events and times in, actions out. No clock, no promise: AdLoader in ad-plan.js
// carries the actions out. Times are milliseconds from an origin of the owner's.

export class ProviderChain {
  #remaining;
  #timeoutsMs;
  #asked = new Set();
  #phase = "idle";
  #asking;
  #deadline;

  /**
   * A chain that has not started.
   *
   * @param {readonly string[]} plan the providers, in order
   * @param {Readonly<Record<string, number>>} timeoutsMs for each external provider; one without is skipped
   */
  constructor(plan, timeoutsMs) {
    this.#remaining = [...plan];
    this.#timeoutsMs = new Map(Object.entries(timeoutsMs));
  }

  /** When the provider being asked runs out of time; undefined if none is being asked. */
  get deadline() {
    return this.#phase === "asking" ? this.#deadline : undefined;
  }

  /**
   * Takes an event at its time, behind a time-out that fell due until then: an outcome at the very instant of its
   * time-out is late. The next provider's time begins now, however late the owner's timer was.
   *
   * Events: `start` (counts once), `success` and `failure` of a provider, `cancel`, `wait` (nothing but time).
   * Actions, in order: `ask` a provider; `expire`, its time is over; `drop`, its outcome counts for nothing; `finish`
   * with a provider, or with undefined.
   *
   * @returns {{ action: string, provider?: string }[]}
   */
  handle({ event, provider }, now) {
    const actions = [];
    if (this.deadline <= now) {
      actions.push({ action: "expire", provider: this.#asking });
      this.#advance(now, actions);
    }
    switch (event) {
      case "start":
        if (this.#phase === "idle") this.#advance(now, actions);
        break;
      case "success":
      case "failure":
        if (this.#phase !== "asking" || provider !== this.#asking) actions.push({ action: "drop", provider });
        else if (event === "failure") this.#advance(now, actions);
        else this.#finish(provider, actions);
        break;
      case "cancel":
        this.#phase = "ended";
        break;
      case "wait":
        break;
      default:
        throw new TypeError(`no such event: ${event}`);
    }
    return actions;
  }

  /** On to the next provider that has not been asked. */
  #advance(now, actions) {
    while (this.#remaining.length > 0) {
      const provider = this.#remaining.shift();
      if (provider === "inHouse") return this.#finish(provider, actions);
      if (this.#asked.has(provider) || !this.#timeoutsMs.has(provider)) continue;
      this.#asked.add(provider);
      this.#phase = "asking";
      this.#asking = provider;
      this.#deadline = now + this.#timeoutsMs.get(provider);
      return actions.push({ action: "ask", provider });
    }
    return this.#finish(undefined, actions);
  }

  #finish(provider, actions) {
    this.#phase = "ended";
    actions.push({ action: "finish", provider });
  }
}
