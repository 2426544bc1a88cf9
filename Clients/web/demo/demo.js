// Runs start-up, resolver and loader as an app does, and writes down what they do. Works without a build step; needs
// any file server, since browsers load no modules from disk.
import { AdLoader, AdStartup, consentStates, regions, standardPolicy } from "../ad-plan.js";
import { RegionResolver } from "../region-bucket.js";
import { madeUpService } from "./service.js";

const providerTimeoutMs = 1000;
const providerAnswersMs = { ad: 250, none: 180, late: 1600 };
const names = { regional: "Regional", global: "Global", inHouse: "In-house" };
const refusals = {
  status: "the status is not 200",
  contentType: "the answer is no JSON",
  body: "the answer is none of the three",
  tooLarge: "the answer is too large",
  timedOut: "the time was over",
  failed: "no answer to be trusted",
};

const form = document.querySelector("#settings");
const place = (id) => document.getElementById(id);

function element(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

// ---- Settings, kept in the address so that a case can be passed on ----

function readAddress() {
  for (const [name, value] of new URLSearchParams(location.hash.slice(1))) {
    const control = form.elements[name];
    if (control?.type === "checkbox") control.checked = value === "true";
    else if (control) control.value = value;
  }
}

function settings() {
  const { consent, twice, market, service, regional, global, address } = form.elements;
  return {
    consent: consent.value, twice: twice.checked, market: market.value, service: service.value,
    regional: regional.value, global: global.value, address: address.value.trim(),
  };
}

// ---- What is shown ----

class Diary {
  #start = performance.now();

  constructor() {
    place("calls").replaceChildren();
    place("plan").replaceChildren();
    place("bucket").textContent = place("shown").textContent = "…";
    place("address-error").textContent = "";
    document.body.dataset.state = "running";
  }

  note(who, text, kind = "") {
    const ms = Math.round(performance.now() - this.#start);
    place("calls").append(
      element("li", {}, element("time", { textContent: `${ms} ms` }), element("b", { textContent: who }),
        element("span", { className: kind, textContent: text })),
    );
  }

  bucket(name, refusal) {
    place("bucket").replaceChildren(name, ...(refusal ? [element("small", { textContent: refusals[refusal] })] : []));
  }

  plan(providers, consent, region) {
    place("plan").replaceChildren(...providers.map((provider) => element("li", { textContent: provider })));
    showPolicy(consent, region);
  }

  end(shown) {
    place("shown").textContent = shown;
    document.body.dataset.state = "ended";
  }
}

function showPolicy(consent, region) {
  const head = element("tr", {}, element("th", { scope: "col", textContent: "Consent" }),
    ...regions.map((name) => element("th", { scope: "col", textContent: name })));
  const rows = consentStates.map((state) =>
    element("tr", {}, element("th", { scope: "row", textContent: state }), ...regions.map((name) => {
      const cell = element("td", { textContent: standardPolicy(state, name).join(", ") });
      // Where the region was not asked, the whole row is the case.
      if (state === consent && (name === region || region === undefined)) cell.setAttribute("aria-current", "true");
      return cell;
    })));
  place("policy").replaceChildren(
    element("caption", { textContent: "The providers by consent and bucket; the case at hand is marked." }),
    element("thead", {}, head), element("tbody", {}, ...rows));
}

// ---- One run ----

function makeResolver(chosen, diary) {
  if (!chosen.address) {
    const tell = (text, good) => diary.note("Service", text, good ? "good" : "bad");
    return new RegionResolver({
      url: "https://region.example.com/v1/region",
      allowedHosts: ["region.example.com"],
      fetch: madeUpService(chosen.market, chosen.service, tell),
    });
  }
  // An app has its list of hosts written down; here whoever types the address has the say.
  const allowedHosts = [new URL(chosen.address).hostname];
  return new RegionResolver({ url: chosen.address, allowedHosts, allowsPlainLoopback: true });
}

function source(provider, chosen) {
  const outcome = chosen[provider];
  return {
    timeoutMs: providerTimeoutMs,
    load: () =>
      new Promise((resolve, reject) => {
        const answer = () =>
          outcome === "none" ? reject(new Error("no ad")) : resolve(`Ad of the ${provider} provider`);
        setTimeout(answer, providerAnswersMs[outcome]);
      }),
  };
}

const attempts = {
  asked: () => ["asked for an ad"],
  loaded: () => ["delivers", "good"],
  failed: () => ["has no ad", "bad"],
  timedOut: () => ["its time is over", "bad"],
  dropped: () => ["answers too late: dropped", "bad"],
};

async function run(chosen, signal) {
  const diary = new Diary();
  const note = (...entry) => signal.aborted || diary.note(...entry);
  let resolver;
  try {
    resolver = makeResolver(chosen, diary);
  } catch (error) {
    place("address-error").textContent = error.message;
    diary.bucket("–");
    return diary.end("–");
  }
  let region;
  const startup = new AdStartup(async () => {
    note("Resolver", "asks the service: one request");
    region = await resolver.resolve({ signal });
    if (!signal.aborted) diary.bucket(region, resolver.refusal);
    if (resolver.refusal) note("Resolver", `${region}: ${refusals[resolver.refusal]}`, "bad");
    else note("Resolver", region, "good");
    return region;
  });

  note("Consent", `refreshed: ${chosen.consent}`);
  const entries = [startup.enter(chosen.consent, { signal })];
  if (chosen.twice) {
    note("Consent", "completion of the form: entered again");
    entries.push(startup.enter(chosen.consent, { signal }));
  }
  const [plan, again] = await Promise.all(entries);
  if (region === undefined) diary.bucket("not asked");
  note("Start-up", `plan: ${plan.join(", ")}${again === plan ? "; the same for both entries" : ""}`);
  diary.plan(plan, chosen.consent, region);

  const loader = new AdLoader({
    plan,
    sources: { regional: source("regional", chosen), global: source("global", chosen) },
    inHouse: () => "In-house content",
    observe: ({ type, provider }) => note(names[provider], ...attempts[type]()),
    signal,
  });
  const loaded = await loader.load();
  diary.end(loaded.ad);
}

let stop = new AbortController();

async function start() {
  stop.abort();
  stop = new AbortController();
  const { signal } = stop;
  const chosen = settings();
  for (const control of [...form.elements.market, form.elements.service]) control.disabled = chosen.address !== "";
  history.replaceState(null, "", `#${new URLSearchParams(chosen)}`);
  try {
    await run(chosen, signal);
  } catch (error) {
    // Stopped by the next run, which has the page now.
    if (!signal.aborted) throw error;
  }
}

form.addEventListener("change", start);
form.addEventListener("submit", (event) => {
  event.preventDefault();
  start();
});
readAddress();
showPolicy();
start();
