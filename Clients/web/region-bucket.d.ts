/** Which market the user is in, as far as the service can tell. */
export type RegionBucket = "regionalMarket" | "otherMarket" | "unknown";

/**
 * Why a request was answered by `unknown` though the service did not say so. Holds nothing of what was received.
 *
 * - `status`: the status is not 200
 * - `contentType`: `Content-Type` is not `application/json`
 * - `body`: the body is not one of the three answers
 * - `tooLarge`: the body went over its limit
 * - `timedOut`: the time was over
 * - `failed`: not connected, not trusted, redirected, not shared with this origin (CORS), or broken off; a browser
 *   does not say which
 */
export type RegionRefusal = "status" | "contentType" | "body" | "tooLarge" | "timedOut" | "failed";

export interface RegionResolverOptions {
  /**
   * Where the service answers, such as `https://region.example.com/v1/region`: lower case, at most 2,048 characters,
   * no user, query, fragment or escapes; the path of letters, digits and `-._~/`.
   */
  url: string | URL;
  /** The hosts that may be asked, each as it stands in an address, without a port. */
  allowedHosts: readonly string[];
  /** Time for the whole exchange, in milliseconds, from 1 to 2,147,483,647. Default: 2000. */
  timeoutMs?: number;
  /** The longest body, in bytes, without any content coding; reading stops there. From 1. Default: 1024. */
  bodyBytesMax?: number;
  /** For tests: lets `http://` pass to `127.0.0.1`, `[::1]` and `localhost`, if listed. Default: false. */
  allowsPlainLoopback?: boolean;
  /** How bytes travel, for tests. Default: the platform's `fetch` at the time of construction. */
  fetch?: typeof fetch;
}

/**
 * Asks the service for the bucket, once. Make one for the page and keep it.
 *
 * Everybody who asks shares the request in flight and then the answer; a failure is an answer too, `unknown`, until
 * `reset()`. Nothing is stored outside this object, and nothing is tried again.
 */
export class RegionResolver {
  /**
   * A resolver that has asked nothing yet.
   *
   * @throws {TypeError} if the address is none to ask
   * @throws {RangeError} if a limit is out of its range
   */
  constructor(options: RegionResolverOptions);

  /**
   * The bucket: at once if it is known, at the latest after the time-out. Never rejects.
   *
   * A caller whose `signal` is aborted gets `unknown` at once; the request and the other callers go on.
   */
  resolve(options?: { signal?: AbortSignal }): Promise<RegionBucket>;

  /**
   * Forgets the answer, so that the next caller asks anew. A request in flight goes on for those who wait for it, and
   * its answer is not kept.
   */
  reset(): void;

  /** Why the answer held now is `unknown`; undefined if there is none, or the service itself said so. */
  get refusal(): RegionRefusal | undefined;
}
