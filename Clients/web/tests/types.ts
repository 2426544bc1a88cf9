// Compiled, never run: the declarations as an app meets them, by the package's own name. A line behind
// `@ts-expect-error` must not compile.
import { AdLoader, AdStartup, consentStates, needsRegion, regions, standardPolicy } from "region-bucket/ad-plan";
import type { AdAttempt, AdPolicy, AdProvider, AdRegion } from "region-bucket/ad-plan";
import type { ConsentState, LoadedAd, ProviderPlan } from "region-bucket/ad-plan";
import { RegionResolver } from "region-bucket";
import type { RegionBucket, RegionRefusal } from "region-bucket";

const resolver = new RegionResolver({
  url: new URL("https://region.example.com/v1/region"),
  allowedHosts: ["region.example.com"] as const,
  timeoutMs: 1500,
  bodyBytesMax: 512,
  allowsPlainLoopback: false,
  fetch,
});
const bucket: RegionBucket = await resolver.resolve({ signal: new AbortController().signal });
const refusal: RegionRefusal | undefined = resolver.refusal;
resolver.reset();

const policy: AdPolicy = (consent, region) =>
  consent === "adsAllowed" && region !== "unknown" ? ["global", "inHouse"] : standardPolicy(consent, region);
const needed: boolean[] = consentStates.map((consent: ConsentState) => needsRegion(policy, consent));
const startup = new AdStartup(() => resolver.resolve(), policy);
const plan: ProviderPlan = await startup.enter("adsAllowed", { signal: new AbortController().signal });
startup.reset();

const loader = new AdLoader<HTMLElement>({
  plan,
  sources: { regional: { timeoutMs: 3000, load: async (signal) => (signal.throwIfAborted(), new Image()) } },
  inHouse: () => document.createElement("p"),
  observe: (attempt: AdAttempt) => {
    if (attempt.type === "failed") console.log(attempt.provider, attempt.error);
  },
  signal: new AbortController().signal,
});
const loaded: LoadedAd<HTMLElement> | undefined = await loader.load();
const provider: AdProvider | undefined = loaded?.provider;
const every: readonly AdRegion[] = regions;
console.log(bucket, refusal, needed, provider, every);

// @ts-expect-error: where is not said
new RegionResolver({ url: "https://region.example.com/v1/region" });
// @ts-expect-error: a text would be searched for a part of it
new RegionResolver({ url: "https://region.example.com/v1/region", allowedHosts: "region.example.com" });
// @ts-expect-error: not a bucket
const other: RegionBucket = "OtherMarket";
// @ts-expect-error: read only
resolver.refusal = undefined;
// @ts-expect-error: not a consent
void startup.enter("allowed");
// @ts-expect-error: a plan is not changed
plan.push("inHouse");
// @ts-expect-error: in-house content is not asked
new AdLoader({ plan, sources: { inHouse: { load: () => 1 } }, inHouse: () => 1 });
// @ts-expect-error: in-house content is missing
new AdLoader({ plan, sources: {} });
console.log(other);
