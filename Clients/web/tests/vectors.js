// Runs the vector files that all clients share (Tests/Vectors). Nothing here is Node's: a browser runs it too.
import { AdLoader, AdStartup, standardPolicy } from "../ad-plan.js";
import { ProviderChain } from "../provider-chain.js";
import { RegionResolver } from "../region-bucket.js";
import { HandClock, settled } from "./hand-clock.js";

/** By file name: takes the file's content, gives how many rows it ran, rejects at the first that is not as it says. */
export const runners = {
  "answers.json": answers,
  "endpoints.json": endpoints,
  "plan.json": plan,
  "loader.json": loader,
  "startup.json": startup,
};

/** Fails unless both are the same as JSON, where the order of an object's members does not count. */
export function same(actual, expected, what) {
  const [left, right] = [actual, expected].map((value) => JSON.stringify(value, sorted));
  if (left !== right) throw new Error(`${what}: ${left}, not ${right}`);
}

function sorted(_, value) {
  if (value === null || typeof value !== "object" || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Fails on a field that is not known and on one that is missing. */
function fields(object, names, optional = []) {
  for (const name of Object.keys(object)) {
    if (![...names, ...optional].includes(name)) throw new Error(`field ${name} is not known`);
  }
  for (const name of names) if (!(name in object)) throw new Error(`field ${name} is missing`);
}

function rowsOf(file, names = ["rows"]) {
  fields(file, names);
  if (file.rows.length === 0) throw new Error("a file without rows");
  return file.rows;
}

/** Fails on a name that stands twice. */
function named(rows) {
  same(new Set(rows.map(({ name }) => name)).size, rows.length, "names");
  return rows;
}

/** A row's body as pieces of bytes, made as they are read. */
export function* pieces(body) {
  for (const part of body) {
    fields(part, [], ["text", "base64", "times"]);
    const once =
      "text" in part
        ? new TextEncoder().encode(part.text)
        : Uint8Array.from(atob(part.base64), (character) => character.charCodeAt(0));
    const times = part.times ?? 1;
    // A piece a turn for each byte would take a minute for ten megabytes.
    const atOnce = Math.max(1, Math.floor(65536 / once.length));
    for (let left = times; left > 0; left -= atOnce) {
      const count = Math.min(left, atOnce);
      const piece = new Uint8Array(once.length * count);
      for (let index = 0; index < count; index += 1) piece.set(once, index * once.length);
      yield piece;
    }
  }
}

function* byteByByte(source) {
  for (const piece of source) for (const byte of piece) yield Uint8Array.of(byte);
}

// ---- answers.json ----

/** What a resolver makes of a row, and how many pieces of the body it took. */
async function ask(row, source, limitBytes) {
  let taken = 0;
  const resolver = new RegionResolver({
    url: "https://region.example.com/v1/region",
    allowedHosts: ["region.example.com"],
    bodyBytesMax: limitBytes,
    fetch: async () => ({
      status: row.status,
      // Not Headers: that has its own mind about which values there can be.
      headers: { get: (name) => (name === "content-type" ? row.contentType : null) },
      body: new ReadableStream(
        {
          pull(controller) {
            const { done, value } = source.next();
            if (done) return controller.close();
            taken += value.length;
            controller.enqueue(value);
          },
        },
        { highWaterMark: 0 },
      ),
    }),
  });
  const bucket = await resolver.resolve();
  return { bucket, refusal: resolver.refusal, taken };
}

async function answers(file) {
  const rows = named(rowsOf(file, ["limitBytes", "rows"]));
  for (const row of rows) {
    fields(row, ["name", "status", "contentType", "body", "bucket"]);
    for (const cut of [(source) => source, byteByByte]) {
      const { bucket, refusal, taken } = await ask(row, cut(pieces(row.body)), file.limitBytes);
      same(bucket, row.bucket, row.name);
      // The service's own `unknown` is an answer; all others were refused.
      same(refusal === undefined, row.bucket !== "unknown" || row.name === "unknown", `${row.name}: refusal`);
      // Stopped while reading: at the first piece that goes over the limit.
      if (cut === byteByByte && taken > file.limitBytes + 1) throw new Error(`${row.name}: ${taken} bytes read`);
    }
  }
  return rows.length;
}

// ---- endpoints.json ----

async function endpoints(file) {
  const rows = named(rowsOf(file));
  for (const row of rows) {
    fields(row, ["name", "url", "allowedHosts", "allowsPlainLoopback", "accepted"]);
    const asked = [];
    const fetch = async (url) => {
      asked.push(url);
      throw new TypeError("offline");
    };
    const { url, allowedHosts, allowsPlainLoopback } = row;
    let resolver;
    try {
      resolver = new RegionResolver({ url, allowedHosts, allowsPlainLoopback, fetch });
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
    }
    same(resolver !== undefined, row.accepted, row.name);
    await resolver?.resolve();
    same(asked, row.accepted ? [url] : [], row.name);
  }
  return rows.length;
}

// ---- plan.json ----

async function plan(file) {
  const rows = rowsOf(file);
  for (const row of rows) {
    fields(row, ["consent", "bucket", "plan", "lookups"]);
    const name = `${row.consent}, ${row.bucket}`;
    let lookups = 0;
    const startup = new AdStartup(async () => {
      lookups += 1;
      return row.bucket;
    });
    same(await startup.enter(row.consent), row.plan, name);
    same(lookups, row.lookups, name);
    same(standardPolicy(row.consent, row.bucket), row.plan, name);
  }
  return rows.length;
}

// ---- loader.json ----

const loaderEvents = { start: [], success: ["provider"], failure: ["provider"], cancel: [], wait: [] };

async function loader(file) {
  const rows = named(rowsOf(file, ["timeoutMilliseconds", "rows"]));
  for (const row of rows) {
    fields(row, ["name", "plan", "steps", "calls", "dropped", "result"]);
    for (const step of row.steps) {
      if (!(step.event in loaderEvents)) throw new Error(`event ${step.event} is not known`);
      fields(step, ["at", "event", ...loaderEvents[step.event]]);
    }
    chain(row, file.timeoutMilliseconds);
    await promises(row, file.timeoutMilliseconds);
  }
  return rows.length;
}

/** The row on the state machine, every step as it stands. */
function chain(row, timeoutsMs) {
  const machine = new ProviderChain(row.plan, timeoutsMs);
  const seen = { calls: [], dropped: [], results: [] };
  const take = (actions, at, step) => {
    for (const { action, provider } of actions) {
      if (action === "ask") seen.calls.push({ at, provider });
      else if (action === "drop") seen.dropped.push({ ...step, provider });
      else if (action === "finish") seen.results.push(provider ? { at, provider } : null);
      else same(action, "expire", row.name);
    }
  };
  for (const step of row.steps) {
    // The clock passes every moment at which something falls due.
    for (let due; (due = machine.deadline) <= step.at; ) take(machine.handle({ event: "wait" }, due), due, step);
    take(machine.handle({ event: step.event, provider: step.provider }, step.at), step.at, step);
  }
  if (seen.results.length > 1) throw new Error(`${row.name}: ended ${seen.results.length} times`);
  const { calls, dropped } = seen;
  same({ calls, dropped, result: seen.results[0] ?? null }, expected(row, row.dropped), row.name);
}

const expected = ({ calls, result }, dropped) => ({ calls, dropped, result });

/** The row on the loader itself. A promise settles once, and only when asked for: other outcomes cannot be told. */
async function promises(row, timeoutsMs) {
  const clock = new HandClock();
  const stop = new AbortController();
  const asked = new Map();
  const calls = [];
  const source = (provider) => ({
    timeoutMs: timeoutsMs[provider],
    load: () => {
      calls.push({ at: clock.now(), provider });
      return new Promise((success, failure) => asked.set(provider, { success, failure }));
    },
  });
  const attempts = [];
  const adLoader = new AdLoader({
    plan: row.plan,
    sources: { regional: source("regional"), global: source("global") },
    inHouse: async () => "inHouse",
    observe: (attempt) => attempts.push(attempt),
    signal: stop.signal,
    clock,
  });
  let result = null;
  const droppedSteps = [];
  const droppedExpected = [...row.dropped];
  for (const step of row.steps) {
    await clock.advanceTo(step.at);
    if (step.event === "start") {
      adLoader.load().then(
        (loaded) => (result ??= loaded ? { at: clock.now(), provider: loaded.provider } : null),
        (error) => same(error, stop.signal.reason, row.name),
      );
    } else if (step.event === "cancel") {
      stop.abort();
    } else if (step.event !== "wait") {
      const settle = asked.get(step.provider);
      const expectedDrop = droppedExpected.findIndex((drop) => JSON.stringify(drop) === JSON.stringify(step));
      if (!settle) {
        // Of no use to anybody, so the row must say that it changes nothing.
        if (expectedDrop < 0) throw new Error(`${row.name}: ${step.provider} has not been asked`);
        droppedExpected.splice(expectedDrop, 1);
        continue;
      }
      asked.delete(step.provider);
      settle[step.event](step.event === "success" ? "ad" : new Error("no ad"));
    }
    const before = attempts.length;
    await settled();
    if (attempts.slice(before).some(({ type }) => type === "dropped")) droppedSteps.push(step);
  }
  same({ calls, dropped: droppedSteps, result }, expected(row, droppedExpected), `${row.name}, by promises`);
  const loaded = attempts.filter(({ type }) => type === "loaded");
  same(loaded, row.result ? [{ type: "loaded", provider: row.result.provider }] : [], `${row.name}: loaded`);
}

// ---- startup.json ----

const startupEvents = { enter: ["waiter", "consent"], answer: ["lookup", "bucket"], cancel: ["waiter"], reset: [] };

async function startup(file) {
  const rows = named(rowsOf(file));
  for (const row of rows) {
    fields(row, ["name", "steps", "plans"]);
    await enterings(row);
  }
  return rows.length;
}

async function enterings(row) {
  const lookups = [];
  const adStartup = new AdStartup(() => new Promise((resolve) => lookups.push(resolve)));
  const waiters = new Map();
  /** Every plan once, in the order in which they were first handed out: by identity, not by equality. */
  const plans = [];
  let answered = {};
  const enter = ({ waiter, consent }) => {
    const controller = new AbortController();
    waiters.set(waiter, controller);
    adStartup.enter(consent, { signal: controller.signal }).then(
      (handed) => {
        if (!plans.includes(handed)) plans.push(handed);
        answered[waiter] = plans.indexOf(handed) + 1;
      },
      (error) => same(error === controller.signal.reason && controller.signal.aborted, true, row.name),
    );
  };
  for (const [index, step] of row.steps.entries()) {
    const name = `${row.name}, step ${index + 1}`;
    if (!(step.event in startupEvents)) throw new Error(`event ${step.event} is not known`);
    fields(step, ["event", "lookups", "answered", ...startupEvents[step.event]]);
    answered = {};
    if (step.event === "enter") enter(step);
    else if (step.event === "answer") lookups[step.lookup - 1](step.bucket);
    else if (step.event === "cancel") waiters.get(step.waiter).abort();
    else adStartup.reset();
    same(lookups.length, step.lookups, `${name}: lookups at once`);
    await settled();
    same({ lookups: lookups.length, answered }, { lookups: step.lookups, answered: step.answered }, name);
  }
  same(plans, row.plans, `${row.name}: plans`);
}
