// Asks the service for the bucket, once per page. Knows nothing of ads. Types and descriptions: region-bucket.d.ts.

// No URL parser is behind this, so none can be fooled.
const address = /^(https?):\/\/([a-z0-9.-]+|\[[0-9a-f:]+\])(?::([1-9]\d{0,4}))?\/[\w.~/-]*$/;
const loopbackHosts = ["127.0.0.1", "[::1]", "localhost"];
const jsonType = /^[ \t]*application\/json[ \t]*(;|$)/i;
// All that an answer may be. Every JSON parser reads these alike, so none is needed.
const answer =
  /^[ \t\r\n]*\{[ \t\r\n]*"bucket"[ \t\r\n]*:[ \t\r\n]*"(regionalMarket|otherMarket|unknown)"[ \t\r\n]*\}[ \t\r\n]*$/;

const refused = (refusal) => ({ bucket: "unknown", refusal });

function checkAddress(url, allowedHosts, allowsPlainLoopback) {
  const [, scheme, host, port] = address.exec(url) ?? [];
  if (!host || url.length > 2048 || port > 65535) {
    throw new TypeError("url: not https://host[:port]/path in lower case, without user, query, fragment and escapes");
  }
  // A text would be searched for the host as a part of it.
  if (!Array.isArray(allowedHosts)) throw new TypeError("allowedHosts: not an array");
  if (!allowedHosts.includes(host)) throw new TypeError("url: its host is not one of allowedHosts");
  if (scheme === "http" && !(allowsPlainLoopback && loopbackHosts.includes(host))) {
    throw new TypeError("url: not https");
  }
}

function checkLimit(name, value, max) {
  if (!Number.isInteger(value) || value < 1 || value > max) {
    throw new RangeError(`${name}: not a whole number from 1 to ${max}`);
  }
}

/** The bucket that a response names, or why it names none. */
async function read(response, bodyBytesMax) {
  if (response.status !== 200) return refused("status");
  if (!jsonType.test(response.headers.get("content-type") ?? "")) return refused("contentType");
  const reader = response.body.getReader();
  // One character for each byte (ISO 8859-1): a UTF-8 decoder would take a byte order mark away.
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    if (text.length + value.length > bodyBytesMax) return refused("tooLarge");
    for (const byte of value) text += String.fromCharCode(byte);
  }
  const bucket = answer.exec(text)?.[1];
  return bucket ? { bucket } : refused("body");
}

/** One request, and what came of it within the time. */
async function exchange({ url, timeoutMs, bodyBytesMax, fetch }) {
  const controller = new AbortController();
  const attempt = async () => {
    const response = await fetch(url, {
      cache: "no-store",
      credentials: "omit",
      redirect: "error",
      referrerPolicy: "no-referrer",
      // Both are safe-listed, so there is no preflight. Which languages the person reads is nobody's business.
      headers: { accept: "application/json", "accept-language": "*" },
      signal: controller.signal,
    });
    return read(response, bodyBytesMax);
  };
  let timer;
  // Not by the signal alone: a service worker or a fetch of the app's own may not heed it.
  const outcome = await Promise.race([
    attempt().catch(() => refused("failed")),
    new Promise((resolve) => {
      timer = setTimeout(resolve, timeoutMs, refused("timedOut"));
    }),
  ]);
  clearTimeout(timer);
  // Ends the exchange if anything of it is left.
  controller.abort();
  return outcome;
}

export class RegionResolver {
  #request;
  /** Promise of the bucket, in flight or here. */
  #bucket;
  #refusal;

  constructor({
    url,
    allowedHosts,
    timeoutMs = 2000,
    bodyBytesMax = 1024,
    allowsPlainLoopback = false,
    fetch = globalThis.fetch,
  }) {
    // A URL object could be changed later.
    url = String(url);
    checkAddress(url, allowedHosts, allowsPlainLoopback);
    // setTimeout takes more than this for nothing.
    checkLimit("timeoutMs", timeoutMs, 2 ** 31 - 1);
    checkLimit("bodyBytesMax", bodyBytesMax, Number.MAX_SAFE_INTEGER);
    this.#request = { url, timeoutMs, bodyBytesMax, fetch };
  }

  resolve({ signal } = {}) {
    if (signal?.aborted) return Promise.resolve("unknown");
    const bucket = (this.#bucket ??= this.#depart());
    if (!signal) return bucket;
    return new Promise((resolve) => {
      const leave = () => resolve("unknown");
      signal.addEventListener("abort", leave, { once: true });
      bucket.then((name) => {
        signal.removeEventListener("abort", leave);
        resolve(name);
      });
    });
  }

  reset() {
    this.#bucket = this.#refusal = undefined;
  }

  get refusal() {
    return this.#refusal;
  }

  #depart() {
    const promise = exchange(this.#request).then(({ bucket, refusal }) => {
      // Unless a reset came in between: then the answer is for those who waited, and not kept.
      if (promise === this.#bucket) this.#refusal = refusal;
      return bucket;
    });
    return promise;
  }
}
