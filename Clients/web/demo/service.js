// A service made up in the page, behind the interface of fetch: it answers as asked, or fails as asked.

const answerAfterMs = 120;
/** Longer than the resolver's time-out. */
const slowAfterMs = 2600;

const json = { "content-type": "application/json" };
const bytes = (text) => new TextEncoder().encode(text);

/** Rejects as fetch does when the signal is aborted. */
const delay = (ms, signal) =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });

const streamed = (source) => new Response(new ReadableStream(source), { headers: json });

const named = (bucket) => {
  const body = `{"bucket":"${bucket}"}`;
  return { tells: `200, ${body}`, response: new Response(body, { headers: json }) };
};

/** By what goes wrong: the response for a bucket, and how it is told in the order of calls. */
const behaviours = {
  works: (bucket) => named(bucket),
  slow: (bucket) => named(bucket),
  drip: () => ({
    tells: '200, {"bucket": and then nothing more',
    response: streamed({ start: (stream) => stream.enqueue(bytes('{"bucket":')) }),
  }),
  error: (bucket) => ({
    tells: "500, with a valid body",
    response: new Response(`{"bucket":"${bucket}"}`, { status: 500, headers: json }),
  }),
  html: () => ({
    tells: "200, a page to sign in to the network",
    response: new Response("<!doctype html>", { headers: { "content-type": "text/html" } }),
  }),
  case: (bucket) => named(bucket[0].toUpperCase() + bucket.slice(1)),
  huge: () => ({
    tells: "200, a body without end",
    response: streamed({ pull: (stream) => stream.enqueue(bytes(" ".repeat(256))) }),
  }),
};

/**
 * A fetch for the resolver.
 *
 * @param {string} bucket what the service would say
 * @param {string} behaviour what goes wrong: a key of `behaviours`, or `offline`
 * @param {(text: string, good: boolean) => void} tell hears what the service does
 */
export function madeUpService(bucket, behaviour, tell) {
  return async (url, { signal }) => {
    if (behaviour === "offline") {
      await delay(20, signal);
      throw new TypeError("Failed to fetch");
    }
    await delay(behaviour === "slow" ? slowAfterMs : answerAfterMs, signal);
    const { tells, response } = behaviours[behaviour](bucket);
    tell(tells, behaviour === "works");
    return response;
  };
}
