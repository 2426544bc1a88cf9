import assert from "node:assert/strict";
import { setMaxListeners } from "node:events";
import test from "node:test";
import { RegionResolver } from "../region-bucket.js";
import { settled } from "./hand-clock.js";

const address = { url: "https://region.example.com/v1/region", allowedHosts: ["region.example.com"] };
const answer = (bucket) => new Response(`{"bucket":"${bucket}"}`, { headers: { "content-type": "application/json" } });

/** A resolver whose requests are kept; `reply` gets the number of the request, and makes its response. */
function make(reply, options = {}) {
  const requests = [];
  const fetch = async (url, init) => {
    requests.push({ url, ...init });
    return reply(requests.length, init);
  };
  return { requests, resolver: new RegionResolver({ ...address, fetch, ...options }) };
}

/** Reads pieces; a stream of Node's takes its time. */
function reader(pieces) {
  const iterator = pieces.values();
  return { read: async () => iterator.next() };
}

/** A promise that a test keeps. */
function gate() {
  let open;
  const passed = new Promise((resolve) => (open = resolve));
  return { open, passed };
}

for (const bucket of ["regionalMarket", "otherMarket", "unknown"]) {
  test(`resolves ${bucket} by one request`, async () => {
    const { requests, resolver } = make(() => answer(bucket));
    assert.equal(resolver.refusal, undefined);
    assert.equal(await resolver.resolve(), bucket);
    assert.equal(await resolver.resolve(), bucket);
    assert.equal(resolver.refusal, undefined);
    const [{ signal, ...request }] = requests;
    assert.equal(requests.length, 1);
    assert.ok(signal instanceof AbortSignal);
    assert.deepEqual(request, {
      url: "https://region.example.com/v1/region",
      cache: "no-store",
      credentials: "omit",
      redirect: "error",
      referrerPolicy: "no-referrer",
      headers: { accept: "application/json", "accept-language": "*" },
    });
  });
}

test("asks nobody before it is asked", () => {
  const { requests } = make(() => answer("regionalMarket"));
  assert.equal(requests.length, 0);
});

test("ten thousand at once are one request", async () => {
  const { open, passed } = gate();
  const { requests, resolver } = make(() => passed.then(() => answer("regionalMarket")));
  const all = Array.from({ length: 10_000 }, () => resolver.resolve());
  open();
  assert.deepEqual([...new Set(await Promise.all(all))], ["regionalMarket"]);
  assert.equal(requests.length, 1);
});

test("every second of ten thousand aborted, the others answered", async () => {
  const { open, passed } = gate();
  const { requests, resolver } = make(() => passed.then(() => answer("otherMarket")));
  const stop = new AbortController();
  setMaxListeners(0, stop.signal);
  const leaving = Array.from({ length: 5_000 }, () => resolver.resolve({ signal: stop.signal }));
  const staying = Array.from({ length: 5_000 }, () => resolver.resolve({ signal: new AbortController().signal }));
  stop.abort();
  assert.deepEqual([...new Set(await Promise.all(leaving))], ["unknown"]);
  open();
  assert.deepEqual([...new Set(await Promise.all(staying))], ["otherMarket"]);
  assert.equal(requests.length, 1);
});

test("the last waiter aborted, the request goes on", async () => {
  const { open, passed } = gate();
  const { requests, resolver } = make(() => passed.then(() => answer("regionalMarket")));
  const stop = new AbortController();
  const waiter = resolver.resolve({ signal: stop.signal });
  stop.abort();
  assert.equal(await waiter, "unknown");
  assert.equal(requests[0].signal.aborted, false);
  open();
  assert.equal(await resolver.resolve(), "regionalMarket");
  assert.equal(requests.length, 1);
});

test("aborted before asks nobody", async () => {
  const { requests, resolver } = make(() => answer("regionalMarket"));
  assert.equal(await resolver.resolve({ signal: AbortSignal.abort() }), "unknown");
  assert.equal(requests.length, 0);
});

test("aborted behind its answer changes nothing, and leaves no listener", async () => {
  const { resolver } = make(() => answer("regionalMarket"));
  const stop = new AbortController();
  let listeners = 0;
  for (const [method, step] of [["addEventListener", 1], ["removeEventListener", -1]]) {
    const original = stop.signal[method].bind(stop.signal);
    stop.signal[method] = (...rest) => {
      listeners += step;
      original(...rest);
    };
  }
  assert.equal(await resolver.resolve({ signal: stop.signal }), "regionalMarket");
  assert.equal(listeners, 0);
  stop.abort();
  assert.equal(await resolver.resolve(), "regionalMarket");
});

test("a failure is an answer until reset", async () => {
  const { requests, resolver } = make((number) => {
    if (number === 1) throw new TypeError("offline");
    return answer("otherMarket");
  });
  for (let time = 0; time < 3; time += 1) assert.equal(await resolver.resolve(), "unknown");
  assert.equal(resolver.refusal, "failed");
  assert.equal(requests.length, 1);
  resolver.reset();
  assert.equal(resolver.refusal, undefined);
  assert.equal(await resolver.resolve(), "otherMarket");
  assert.equal(requests.length, 2);
});

test("reset in flight: the old answer is for those who waited, and not kept", async () => {
  const gates = [gate(), gate()];
  const { requests, resolver } = make(async (number) => {
    await gates[number - 1].passed;
    return number === 1 ? new Response("", { status: 500 }) : answer("otherMarket");
  });
  const before = resolver.resolve();
  resolver.reset();
  const behind = resolver.resolve();
  assert.equal(requests.length, 2);
  gates[1].open();
  assert.equal(await behind, "otherMarket");
  gates[0].open();
  assert.equal(await before, "unknown");
  assert.equal(await resolver.resolve(), "otherMarket");
  assert.equal(resolver.refusal, undefined);
  assert.equal(requests.length, 2);
});

test("the time is over though fetch does not heed the signal", async () => {
  const { requests, resolver } = make(() => new Promise(() => {}), { timeoutMs: 50 });
  const start = performance.now();
  assert.equal(await resolver.resolve(), "unknown");
  assert.ok(performance.now() - start >= 45);
  assert.equal(resolver.refusal, "timedOut");
  assert.equal(requests[0].signal.aborted, true);
  assert.equal(await resolver.resolve(), "unknown");
  assert.equal(requests.length, 1);
});

test("the time covers the body", async () => {
  const piece = new TextEncoder().encode('{"bucket":');
  const body = new ReadableStream({ start: (controller) => controller.enqueue(piece) });
  const headers = { "content-type": "application/json" };
  const { resolver } = make(() => new Response(body, { headers }), { timeoutMs: 50 });
  assert.equal(await resolver.resolve(), "unknown");
  assert.equal(resolver.refusal, "timedOut");
});

test("what comes behind the time is dropped, failures too", async () => {
  for (const late of [() => answer("regionalMarket"), () => Promise.reject(new TypeError("offline"))]) {
    const { open, passed } = gate();
    const { resolver } = make(() => passed.then(late), { timeoutMs: 10 });
    assert.equal(await resolver.resolve(), "unknown");
    open();
    await settled();
    assert.equal(await resolver.resolve(), "unknown");
    assert.equal(resolver.refusal, "timedOut");
  }
});

test("every refusal says why, and stops the exchange", async () => {
  const headers = { "content-type": "application/json" };
  const cases = [
    ["status", () => new Response('{"bucket":"regionalMarket"}', { status: 500, headers })],
    ["contentType", () => new Response('{"bucket":"regionalMarket"}', { headers: { "content-type": "text/html" } })],
    ["contentType", () => new Response(new TextEncoder().encode('{"bucket":"regionalMarket"}'))],
    ["body", () => new Response("{}", { headers })],
    ["body", () => new Response("", { headers })],
    ["tooLarge", () => new Response(" ".repeat(1025), { headers })],
    ["failed", () => new Response(null, { headers })],
    ["failed", () => Promise.reject(new TypeError("offline"))],
    ["failed", () => { throw new Error("thrown at once"); }],
    ["failed", () => undefined],
  ];
  for (const [refusal, reply] of cases) {
    const { requests, resolver } = make(reply);
    assert.equal(await resolver.resolve(), "unknown", refusal);
    assert.equal(resolver.refusal, refusal);
    assert.equal(requests[0].signal.aborted, true, refusal);
  }
});

test("no timer is left behind", async () => {
  const { resolver } = make(() => answer("regionalMarket"), { timeoutMs: 60_000 });
  await resolver.resolve();
  assert.ok(!process.getActiveResourcesInfo().includes("Timeout"));
});

test("every cut of an answer, and every change of one byte, is refused", async () => {
  const whole = new TextEncoder().encode('{"bucket":"unknown"}');
  const refused = async (body) => {
    const { resolver } = make(() => ({
      status: 200,
      headers: new Map([["content-type", "application/json"]]),
      body: { getReader: () => reader([body]) },
    }));
    assert.equal(await resolver.resolve(), "unknown");
    return resolver.refusal === "body";
  };
  assert.ok(!(await refused(whole)));
  for (const count of whole.keys()) assert.ok(await refused(whole.slice(0, count)), `cut at ${count}`);
  for (const index of whole.keys()) {
    for (let byte = 0; byte < 256; byte += 1) {
      const body = whole.slice();
      body[index] = byte;
      assert.equal(await refused(body), byte !== whole[index], `${byte} at ${index}`);
    }
  }
});

test("options that are none", () => {
  const fetch = () => assert.fail("asked");
  const construct = (options) => () => new RegionResolver({ ...address, fetch, ...options });
  assert.throws(construct({ url: "http://region.example.com/" }), { name: "TypeError", message: "url: not https" });
  assert.throws(construct({ url: "https://other.example.com/" }), /its host is not one of allowedHosts/);
  assert.throws(construct({ url: "https://region.example.com" }), /not https:\/\/host/);
  assert.throws(construct({ url: undefined }), /not https:\/\/host/);
  // As a text it would contain its own parts.
  assert.throws(construct({ url: "https://example.com/", allowedHosts: "region.example.com" }), /not an array/);
  assert.throws(construct({ allowedHosts: undefined }), /not an array/);
  for (const name of ["timeoutMs", "bodyBytesMax"]) {
    for (const value of [0, -1, 1.5, NaN, Infinity, "1000", null]) {
      assert.throws(construct({ [name]: value }), { name: "RangeError", message: new RegExp(`^${name}: `) });
    }
  }
  assert.throws(construct({ timeoutMs: 2 ** 31 }), RangeError);
  construct({ timeoutMs: 2 ** 31 - 1, bodyBytesMax: 1 })();
});

test("a URL object that changes later changes nothing", async () => {
  const url = new URL(address.url);
  const { requests, resolver } = make(() => answer("otherMarket"), { url });
  url.hostname = "evil.example";
  await resolver.resolve();
  assert.equal(requests[0].url, address.url);
});

test("fetch is the platform's unless given, and called on nothing", async () => {
  const original = globalThis.fetch;
  try {
    globalThis.fetch = function () {
      // A browser's refuses to be called on another object.
      assert.equal(this, undefined);
      return Promise.resolve(answer("regionalMarket"));
    };
    assert.equal(await new RegionResolver(address).resolve(), "regionalMarket");
  } finally {
    globalThis.fetch = original;
  }
});
