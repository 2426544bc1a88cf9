/** What the person's consent allows, as far as a plan of ad providers needs it. */
export type ConsentState =
  /** Not known yet: the form is due, or its answer has not arrived. */
  | "pending"
  /** Known, and ads of others may not be requested. */
  | "externalAdsBlocked"
  /** Known, and ads may be requested. */
  | "adsAllowed";

/** The region as a plan sees it: the bucket and nothing else. */
export type AdRegion = "regionalMarket" | "otherMarket" | "unknown";

/** A provider outside the app: the one for the regional market, and the one for everywhere. */
export type ExternalProvider = "regional" | "global";

/** Where an ad can come from. `inHouse` is the app's own content, which asks nobody and cannot fail. */
export type AdProvider = ExternalProvider | "inHouse";

/** The providers to try, first one first. The same object is the same plan, handed out again; it is frozen. */
export type ProviderPlan = readonly AdProvider[];

/**
 * Which providers a consent and a region lead to; an app may use one of its own. A pure function: it is asked about
 * every region, to find out whether the region makes a difference.
 */
export type AdPolicy = (consent: ConsentState, region: AdRegion) => readonly AdProvider[];

/** Every consent state. */
export const consentStates: readonly ConsentState[];

/** Every region. */
export const regions: readonly AdRegion[];

/**
 * In-house content while consent is pending or refused; then the regional provider first where the market is regional,
 * the global one, and in-house content. An unknown region is treated like any other market.
 */
export const standardPolicy: AdPolicy;

/** Whether the region makes a difference under this consent. Where it does not, nobody asks for it. */
export function needsRegion(policy: AdPolicy, consent: ConsentState): boolean;

/**
 * The start of ads, which an app enters more than once: one lookup and one plan come of it all the same.
 *
 * Enter behind the consent refresh, from the completion of the consent form, and whenever consent changes. The newest
 * consent counts for everybody who waits.
 */
export class AdStartup {
  /**
   * A start-up that nobody has entered.
   *
   * @param lookUp asks for the region; called only where the policy needs it, and then once until `reset()`. Usually
   *   `() => resolver.resolve()`. If it fails, or says anything but a region, the region is `unknown`.
   */
  constructor(lookUp: () => AdRegion | PromiseLike<AdRegion>, policy?: AdPolicy);

  /**
   * The plan, once it can be made. The lookup, if one is needed, has begun when this returns.
   *
   * Rejects with the signal's reason as soon as `signal` is aborted; the lookup goes on for others. Rejects with a
   * `TypeError` if `consent` is none.
   */
  enter(consent: ConsentState, options?: { signal?: AbortSignal }): Promise<ProviderPlan>;

  /** Asks anew: forgets region and plan. A lookup in flight is dropped, and begun again if anybody waits. */
  reset(): void;
}

/** How an external provider is asked for an ad. */
export interface AdSource<Ad> {
  /** Time allowed, in milliseconds, from 1 to 2,147,483,647. What arrives later is dropped. Default: 5000. */
  timeoutMs?: number;
  /**
   * Asks for an ad. Rejects (or throws) if there is none. The signal is aborted when the provider's time is over or
   * nobody wants an ad any more; it should stop then, and need not: nobody waits for it.
   */
  load(signal: AbortSignal): Ad | PromiseLike<Ad>;
}

/** An ad and where it came from. */
export interface LoadedAd<Ad> {
  provider: AdProvider;
  ad: Ad;
}

/** What became of asking one provider; for an app's own records. */
export type AdAttempt =
  /** Asked. */
  | { type: "asked"; provider: ExternalProvider }
  /** Delivered in time, which ends the chain. */
  | { type: "loaded"; provider: AdProvider }
  /** Said no. */
  | { type: "failed"; provider: ExternalProvider; error: unknown }
  /** Said nothing in time. */
  | { type: "timedOut"; provider: ExternalProvider }
  /** Delivered or failed when it no longer counted. */
  | { type: "dropped"; provider: ExternalProvider };

/** What measures the sources' time; for tests. */
export interface LoaderClock {
  /** Milliseconds from any origin; never goes back. */
  now(): number;
  setTimeout(action: () => void, delayMs: number): unknown;
  clearTimeout(timer: unknown): void;
}

export interface AdLoaderOptions<Ad> {
  /** The plan's providers, in order. */
  plan: readonly AdProvider[];
  /** For each external provider; one of the plan without a source is skipped. */
  sources: { readonly [provider in ExternalProvider]?: AdSource<Ad> };
  /** Makes the in-house ad. Has no time limit, and should not fail: if it does, `load()` rejects with its error. */
  inHouse(): Ad | PromiseLike<Ad>;
  /** Hears what became of each attempt, in order, each in a microtask. */
  observe?(attempt: AdAttempt): void;
  /** Stops the chain for good when aborted, unless it has ended. */
  signal?: AbortSignal;
  clock?: LoaderClock;
}

/**
 * Tries the providers of a plan in order, once, and stops at the first success.
 *
 * Knows nothing of regions and consent. One loader is one chain: `load()` a second time gives the same promise.
 */
export class AdLoader<Ad> {
  /**
   * A loader that has asked nobody yet.
   *
   * @throws {RangeError} if a source's time is out of its range
   */
  constructor(options: AdLoaderOptions<Ad>);

  /**
   * The first ad that a provider of the plan delivers; undefined if none did and the plan has no in-house content.
   * Rejects with the signal's reason when the chain is stopped.
   */
  load(): Promise<LoadedAd<Ad> | undefined>;
}
