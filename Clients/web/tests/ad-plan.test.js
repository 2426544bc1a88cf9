import assert from "node:assert/strict";
import test from "node:test";
import { AdLoader, AdStartup, consentStates, needsRegion, regions, standardPolicy } from "../ad-plan.js";
import { HandClock, settled } from "./hand-clock.js";

/** A signal that tells when it gets a listener (1) and loses one (-1). */
function countingSignal(tell) {
  const { signal } = new AbortController();
  for (const [method, step] of [["addEventListener", 1], ["removeEventListener", -1]]) {
    const original = signal[method].bind(signal);
    signal[method] = (...rest) => {
      tell(step);
      original(...rest);
    };
  }
  return signal;
}

// ---- Policy ----

test("the region is needed only where it makes a difference", () => {
  assert.deepEqual(consentStates.filter((consent) => needsRegion(standardPolicy, consent)), ["adsAllowed"]);
  assert.equal(needsRegion(() => ["global", "inHouse"], "adsAllowed"), false);
  assert.equal(needsRegion((_, region) => (region === "unknown" ? ["inHouse"] : ["global"]), "pending"), true);
  assert.ok(Object.isFrozen(consentStates) && Object.isFrozen(regions));
});

// ---- Start-up ----

test("a policy of the app's own decides, and decides whether the region is asked", async () => {
  let lookups = 0;
  const lookUp = () => {
    lookups += 1;
    return "regionalMarket";
  };
  const everywhere = new AdStartup(lookUp, () => ["global", "inHouse"]);
  assert.deepEqual(await everywhere.enter("pending"), ["global", "inHouse"]);
  assert.equal(lookups, 0);
  const always = new AdStartup(lookUp, (_, region) => (region === "regionalMarket" ? ["regional"] : ["inHouse"]));
  assert.deepEqual(await always.enter("pending"), ["regional"]);
  assert.deepEqual(await always.enter("adsAllowed"), ["regional"]);
  assert.equal(lookups, 1);
});

test("a plan is frozen, and the policy's own list is not handed out", async () => {
  const list = ["global"];
  const plan = await new AdStartup(() => "unknown", () => list).enter("pending");
  list.push("inHouse");
  assert.deepEqual(plan, ["global"]);
  assert.ok(Object.isFrozen(plan));
});

test("a lookup that fails, or says anything else, is unknown", async () => {
  const lookups = [
    () => Promise.reject(new Error("offline")),
    () => { throw new Error("thrown at once"); },
    () => "RegionalMarket",
    () => undefined,
  ];
  for (const lookUp of lookups) {
    assert.deepEqual(await new AdStartup(lookUp).enter("adsAllowed"), ["global", "inHouse"]);
  }
});

test("the lookup begins before enter returns", () => {
  let lookups = 0;
  const startup = new AdStartup(() => new Promise(() => (lookups += 1)));
  void startup.enter("adsAllowed");
  assert.equal(lookups, 1);
});

test("aborted before it enters: its consent does not count", async () => {
  const startup = new AdStartup(() => assert.fail("asked"));
  const reason = new Error("gone");
  await assert.rejects(startup.enter("adsAllowed", { signal: AbortSignal.abort(reason) }), reason);
  assert.deepEqual(await startup.enter("pending"), ["inHouse"]);
});

test("aborted while it waits: rejects with the signal's reason", async () => {
  const startup = new AdStartup(() => new Promise(() => {}));
  const stop = new AbortController();
  const waiter = startup.enter("adsAllowed", { signal: stop.signal });
  stop.abort();
  await assert.rejects(waiter, { name: "AbortError" });
});

test("answered: no listener is left on the signal", async () => {
  let listeners = 0;
  const signal = countingSignal((step) => (listeners += step));
  await new AdStartup(() => "unknown").enter("adsAllowed", { signal });
  assert.equal(listeners, 0);
});

test("a consent that is none", async () => {
  const startup = new AdStartup(() => assert.fail("asked"));
  for (const consent of ["AdsAllowed", undefined, null, ""]) {
    await assert.rejects(startup.enter(consent), { name: "TypeError", message: /^consent: none of pending/ });
  }
});

test("a policy that throws is the caller's to see", async () => {
  const broken = new Error("broken policy");
  const startup = new AdStartup(() => "unknown", () => { throw broken; });
  await assert.rejects(startup.enter("adsAllowed"), broken);
});

// ---- Loader ----

/** A loader on a hand-moved clock; providers answer when the test says so. */
function make(options = {}) {
  const clock = new HandClock();
  const asked = {};
  const source = (provider, timeoutMs) => ({
    timeoutMs,
    load: (signal) => new Promise((succeed, fail) => (asked[provider] = { signal, succeed, fail })),
  });
  const attempts = [];
  const loader = new AdLoader({
    plan: ["regional", "global", "inHouse"],
    sources: { regional: source("regional", 1000), global: source("global", 2000) },
    inHouse: () => "house",
    observe: (attempt) => attempts.push(attempt),
    clock,
    ...options,
  });
  return { asked, attempts, clock, loader };
}

test("the first success ends the chain, and stops nobody who delivered", async () => {
  const { asked, attempts, clock, loader } = make();
  const promise = loader.load();
  assert.equal(loader.load(), promise);
  asked.regional.succeed("ad");
  assert.deepEqual(await promise, { provider: "regional", ad: "ad" });
  await settled();
  assert.deepEqual(attempts, [{ type: "asked", provider: "regional" }, { type: "loaded", provider: "regional" }]);
  // Its signal may be tied to the ad that is now on the screen.
  assert.equal(asked.regional.signal.aborted, false);
  assert.equal(asked.global, undefined);
  assert.equal(clock.running, 0);
});

test("time-out, failure, in-house: everybody asked once, in order, and told", async () => {
  const { asked, attempts, clock, loader } = make();
  const promise = loader.load();
  await clock.advanceTo(1000);
  assert.equal(asked.regional.signal.aborted, true);
  assert.equal(asked.regional.signal.reason.name, "TimeoutError");
  const error = new Error("no fill");
  asked.global.fail(error);
  assert.deepEqual(await promise, { provider: "inHouse", ad: "house" });
  asked.regional.succeed("late");
  await settled();
  assert.deepEqual(attempts, [
    { type: "asked", provider: "regional" },
    { type: "timedOut", provider: "regional" },
    { type: "asked", provider: "global" },
    { type: "failed", provider: "global", error },
    { type: "loaded", provider: "inHouse" },
    { type: "dropped", provider: "regional" },
  ]);
  assert.equal(clock.running, 0);
});

test("a failure ends its provider's timer", async () => {
  const { asked, clock, loader } = make();
  void loader.load();
  asked.regional.fail(new Error("no fill"));
  await settled();
  assert.ok(asked.global);
  assert.equal(clock.running, 1);
});

test("ended: no listener is left on the signal", async () => {
  let listeners = 0;
  const signal = countingSignal((step) => (listeners += step));
  const { asked, loader } = make({ signal });
  const promise = loader.load();
  assert.equal(listeners, 1);
  asked.regional.succeed("ad");
  await promise;
  assert.equal(listeners, 0);
});

test("a source that throws at once has failed", async () => {
  const error = new Error("not initialised");
  const { attempts, loader } = make({ sources: { regional: { load: () => { throw error; } } } });
  assert.deepEqual(await loader.load(), { provider: "inHouse", ad: "house" });
  await settled();
  assert.deepEqual(attempts[1], { type: "failed", provider: "regional", error });
});

test("a provider without a source is skipped", async () => {
  const { loader } = make({ sources: { regional: undefined, global: { load: () => "ad" } } });
  assert.deepEqual(await loader.load(), { provider: "global", ad: "ad" });
});

test("nobody left and no in-house content", async () => {
  const { loader } = make({ plan: ["regional"], sources: {} });
  assert.equal(await loader.load(), undefined);
});

test("stopped: rejects at once, asks nobody any more, and tells who is asked", async () => {
  const stop = new AbortController();
  const { asked, attempts, clock, loader } = make({ signal: stop.signal });
  const promise = loader.load();
  stop.abort();
  await assert.rejects(promise, { name: "AbortError" });
  assert.equal(asked.regional.signal.aborted, true);
  await clock.advanceTo(9000);
  asked.regional.fail(new Error("stopped"));
  await settled();
  assert.equal(asked.global, undefined);
  assert.equal(loader.load(), promise);
  assert.deepEqual(attempts, [{ type: "asked", provider: "regional" }, { type: "dropped", provider: "regional" }]);
});

test("stopped when a time-out is due that no timer has told yet: the next is not asked", async () => {
  const stop = new AbortController();
  let now = 0;
  const clock = { now: () => now, setTimeout: () => 1, clearTimeout: () => {} };
  const { asked, loader } = make({ signal: stop.signal, clock });
  const promise = loader.load();
  now = 1000;
  stop.abort();
  await assert.rejects(promise, { name: "AbortError" });
  assert.equal(asked.global, undefined);
});

test("stopped before: nobody is asked", async () => {
  const { asked, loader } = make({ signal: AbortSignal.abort() });
  await assert.rejects(loader.load(), { name: "AbortError" });
  assert.deepEqual(asked, {});
});

test("stopped while in-house content is being made", async () => {
  const stop = new AbortController();
  let made;
  const { attempts, loader } = make({
    plan: ["inHouse"],
    inHouse: () => new Promise((resolve) => (made = resolve)),
    signal: stop.signal,
  });
  const promise = loader.load();
  stop.abort();
  await assert.rejects(promise, { name: "AbortError" });
  made("house");
  await settled();
  assert.deepEqual(attempts, []);
});

test("in-house content that fails is the caller's to see", async () => {
  const broken = new Error("broken");
  const { loader } = make({ plan: ["inHouse"], inHouse: () => Promise.reject(broken) });
  await assert.rejects(loader.load(), broken);
});

test("an outcome is late by the clock, though the timer has not fired yet", async () => {
  let now = 0;
  const clock = { now: () => now, setTimeout: () => 1, clearTimeout: () => {} };
  const { asked, loader } = make({ clock });
  const promise = loader.load();
  now = 1000;
  asked.regional.succeed("late");
  await settled();
  assert.ok(asked.global, "the next is asked");
  now = 1001;
  asked.global.succeed("ad");
  assert.deepEqual(await promise, { provider: "global", ad: "ad" });
});

test("a timer that fires a little early has fired all the same", async () => {
  const timers = [];
  let now = 0;
  const clock = { now: () => now, setTimeout: (action) => timers.push(action), clearTimeout: () => {} };
  const { asked, loader } = make({ clock });
  void loader.load();
  now = 999.9;
  timers[0]();
  assert.ok(asked.global);
});

test("an observer that throws does not stop the chain", async (context) => {
  const thrown = [];
  const listeners = process.listeners("uncaughtException");
  process.removeAllListeners("uncaughtException");
  process.on("uncaughtException", (error) => thrown.push(error.message));
  context.after(() => {
    process.removeAllListeners("uncaughtException");
    for (const listener of listeners) process.on("uncaughtException", listener);
  });
  const { loader } = make({
    sources: { regional: { load: () => "ad" } },
    observe: ({ type }) => { throw new Error(type); },
  });
  assert.deepEqual(await loader.load(), { provider: "regional", ad: "ad" });
  await settled();
  assert.deepEqual(thrown, ["asked", "loaded"]);
});

test("times that are none", () => {
  for (const timeoutMs of [0, -1, 1.5, NaN, Infinity, 2 ** 31, "1000", null]) {
    assert.throws(() => make({ sources: { global: { timeoutMs, load: () => "ad" } } }), {
      name: "RangeError",
      message: /^timeoutMs of global: /,
    });
  }
});

test("by the system's clock: time-out, then the next", async () => {
  const loader = new AdLoader({
    plan: ["regional", "global", "inHouse"],
    sources: {
      regional: { timeoutMs: 20, load: () => new Promise(() => {}) },
      global: { load: () => "ad" },
    },
    inHouse: () => "house",
  });
  assert.deepEqual(await loader.load(), { provider: "global", ad: "ad" });
  assert.ok(!process.getActiveResourcesInfo().includes("Timeout"), "no timer is left behind");
});
