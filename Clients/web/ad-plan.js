// From consent and bucket to an ad: policy, start-up, loader. Knows nothing of addresses; the bucket comes from a
// function. Types and descriptions: ad-plan.d.ts.
import { ProviderChain } from "./provider-chain.js";

export const consentStates = Object.freeze(["pending", "externalAdsBlocked", "adsAllowed"]);
export const regions = Object.freeze(["regionalMarket", "otherMarket", "unknown"]);

export function standardPolicy(consent, region) {
  if (consent !== "adsAllowed") return ["inHouse"];
  return region === "regionalMarket" ? ["regional", "global", "inHouse"] : ["global", "inHouse"];
}

export function needsRegion(policy, consent) {
  const plans = regions.map((region) => JSON.stringify(policy(consent, region)));
  return plans.some((plan) => plan !== plans[0]);
}

export class AdStartup {
  #lookUp;
  #policy;
  #consent;
  #region;
  /** The lookup whose answer counts; undefined if none has begun. */
  #lookup;
  /** The plan for `#consent`. */
  #plan;
  /** What to call with the plan, in order of entry. */
  #waiters = new Set();

  constructor(lookUp, policy = standardPolicy) {
    this.#lookUp = lookUp;
    this.#policy = policy;
  }

  async enter(consent, { signal } = {}) {
    if (!consentStates.includes(consent)) throw new TypeError(`consent: none of ${consentStates.join(", ")}`);
    signal?.throwIfAborted();
    if (consent !== this.#consent) this.#plan = undefined;
    this.#consent = consent;
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#waiters.delete(answer);
        reject(signal.reason);
      };
      const answer = (plan) => {
        signal?.removeEventListener("abort", leave);
        resolve(plan);
      };
      signal?.addEventListener("abort", leave, { once: true });
      this.#waiters.add(answer);
      this.#proceed();
    });
  }

  reset() {
    this.#region = this.#lookup = this.#plan = undefined;
    if (this.#waiters.size > 0) this.#proceed();
  }

  #proceed() {
    if (!this.#plan) {
      const region = this.#region ?? (needsRegion(this.#policy, this.#consent) ? undefined : "unknown");
      if (!region) return this.#depart();
      this.#plan = Object.freeze([...this.#policy(this.#consent, region)]);
    }
    for (const answer of this.#waiters) answer(this.#plan);
    this.#waiters.clear();
  }

  #depart() {
    if (this.#lookup) return;
    const lookup = {};
    this.#lookup = lookup;
    const arrive = (region) => {
      // A reset came in between.
      if (lookup !== this.#lookup) return;
      this.#region = regions.includes(region) ? region : "unknown";
      this.#proceed();
    };
    // In an async function, so that what is thrown at once arrives like what is thrown later.
    (async () => this.#lookUp())().then(arrive, () => arrive("unknown"));
  }
}

// Called bare: in a browser neither may be called on another object.
const systemClock = Object.freeze({
  now: () => performance.now(),
  setTimeout: (action, delayMs) => setTimeout(action, delayMs),
  clearTimeout: (timer) => clearTimeout(timer),
});

// setTimeout takes more than this for nothing.
const timeoutMsMax = 2 ** 31 - 1;

function timeoutsMs(sources) {
  const timeouts = {};
  for (const [provider, source] of Object.entries(sources)) {
    if (!source) continue;
    const { timeoutMs = 5000 } = source;
    if (!Number.isInteger(timeoutMs) || timeoutMs < 1 || timeoutMs > timeoutMsMax) {
      throw new RangeError(`timeoutMs of ${provider}: not a whole number from 1 to ${timeoutMsMax}`);
    }
    timeouts[provider] = timeoutMs;
  }
  return timeouts;
}

export class AdLoader {
  #chain;
  #sources;
  #inHouse;
  #observer;
  #signal;
  #clock;
  /** By provider, those that have not said anything yet. */
  #controllers = new Map();
  #timer;
  #promise;
  #settlers;
  #ended = false;

  constructor({ plan, sources, inHouse, observe, signal, clock = systemClock }) {
    this.#chain = new ProviderChain(plan, timeoutsMs(sources));
    this.#sources = sources;
    this.#inHouse = inHouse;
    this.#observer = observe;
    this.#signal = signal;
    this.#clock = clock;
  }

  load() {
    return (this.#promise ??= new Promise((resolve, reject) => {
      this.#settlers = { resolve, reject };
      if (this.#signal?.aborted) return this.#cancel();
      this.#signal?.addEventListener("abort", this.#cancel, { once: true });
      this.#handle({ event: "start" });
    }));
  }

  #cancel = () => {
    // Its actions are not carried out: if a time-out was due as well, the next provider is not asked any more.
    this.#chain.handle({ event: "cancel" }, this.#clock.now());
    this.#end("reject", this.#signal.reason);
  };

  #end(settler, value) {
    this.#ended = true;
    this.#signal?.removeEventListener("abort", this.#cancel);
    this.#clock.clearTimeout(this.#timer);
    this.#settlers[settler](value);
    for (const controller of this.#controllers.values()) controller.abort();
  }

  /** Takes an event, with what came with it: `ad` or `error`. */
  #handle(event, { ad, error, now = this.#clock.now() } = {}) {
    const actions = this.#chain.handle(event, now);
    const { provider } = event;
    if (event.event === "failure" && !actions.some(({ action }) => action === "drop")) {
      this.#observe({ type: "failed", provider, error });
    }
    for (const { action, provider } of actions) {
      switch (action) {
        case "ask":
          this.#ask(provider);
          break;
        case "expire":
          this.#observe({ type: "timedOut", provider });
          this.#controllers.get(provider)?.abort(new DOMException("The provider's time is over", "TimeoutError"));
          break;
        case "drop":
          this.#observe({ type: "dropped", provider });
          break;
        case "finish":
          this.#finish(provider, ad);
          break;
      }
    }
  }

  #ask(provider) {
    const source = this.#sources[provider];
    const controller = new AbortController();
    this.#controllers.set(provider, controller);
    this.#observe({ type: "asked", provider });
    // A timer may fire a little early by the clock; it has fired all the same.
    const deadline = this.#chain.deadline;
    this.#clock.clearTimeout(this.#timer);
    this.#timer = this.#clock.setTimeout(
      () => this.#handle({ event: "wait" }, { now: Math.max(deadline, this.#clock.now()) }),
      deadline - this.#clock.now(),
    );
    // In an async function, so that what is thrown at once arrives like what is thrown later.
    (async () => source.load(controller.signal))().then(
      (ad) => this.#settle("success", provider, { ad }),
      (error) => this.#settle("failure", provider, { error }),
    );
  }

  #settle(event, provider, outcome) {
    this.#controllers.delete(provider);
    this.#handle({ event, provider }, outcome);
  }

  async #finish(provider, ad) {
    if (provider === undefined) return this.#end("resolve", undefined);
    if (provider === "inHouse") {
      try {
        ad = await this.#inHouse();
      } catch (error) {
        return this.#end("reject", error);
      }
      // Cancelled while the content was being made.
      if (this.#ended) return;
    }
    this.#observe({ type: "loaded", provider });
    this.#end("resolve", { provider, ad });
  }

  /** In a microtask of its own, so that an observer that throws does not stop the chain. */
  #observe(attempt) {
    if (this.#observer) queueMicrotask(() => this.#observer(attempt));
  }
}
