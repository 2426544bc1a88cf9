import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import test from "node:test";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const root = new URL("../", import.meta.url);
const read = (name) => readFileSync(new URL(name, root), "utf8");
const manifest = JSON.parse(read("package.json"));
const shipped = ["region-bucket.js", "ad-plan.js", "provider-chain.js"];

/** What a program writes; fails unless it is content. */
function run(program, ...options) {
  const { status, stdout, stderr, error } = spawnSync(program, options, { cwd: fileURLToPath(root), encoding: "utf8" });
  assert.ifError(error);
  assert.equal(status, 0, `${program}: ${stdout}${stderr}`);
  return stdout;
}

test("the resolver is under 2 KiB, minified by esbuild and gzipped", (context) => {
  const bytes = gzipSync(run("esbuild", "--minify", "--format=esm", "region-bucket.js"), { level: 9 }).length;
  context.diagnostic(`${bytes} bytes`);
  assert.ok(bytes < 2048, `${bytes} bytes`);
  // A measure that finds next to nothing measures nothing.
  assert.ok(bytes > 512, `${bytes} bytes`);
});

test("no dependencies: nothing is imported but what is shipped", () => {
  for (const field of ["dependencies", "peerDependencies", "optionalDependencies", "devDependencies"]) {
    assert.equal(manifest[field], undefined);
  }
  for (const name of shipped) {
    const imported = [...read(name).matchAll(/\bfrom "([^"]+)"|\bimport\(/g)].map(([, from]) => from);
    assert.deepEqual(imported, name === "ad-plan.js" ? ["./provider-chain.js"] : [], name);
  }
});

test("what is listed is there, and what is exported is listed", () => {
  for (const name of manifest.files) assert.ok(existsSync(new URL(name, root)), name);
  for (const name of shipped) assert.ok(manifest.files.includes(name), name);
  for (const { types, default: module } of Object.values(manifest.exports)) {
    for (const path of [types, module]) assert.ok(manifest.files.includes(path.replace("./", "")), path);
  }
  assert.equal(manifest.license, "Apache-2.0");
  // A package carries the licence itself.
  assert.equal(read("LICENSE"), read("../../LICENSE"));
  assert.ok(read("../../NOTICE").startsWith(read("NOTICE")));
});

test("by its own name the package gives what its types declare, and no more", async () => {
  for (const [path, { types }] of Object.entries(manifest.exports)) {
    const module = await import(manifest.name + path.slice(1));
    const declared = [...read(types).matchAll(/^export (?:class|const|function) (\w+)/gm)].map(([, name]) => name);
    assert.ok(declared.length > 0);
    assert.deepEqual(Object.keys(module).sort(), declared.sort(), path);
  }
  await assert.rejects(import(`${manifest.name}/provider-chain.js`), { code: "ERR_PACKAGE_PATH_NOT_EXPORTED" });
});

test("the types are as apps use them", () => {
  run("tsc", "-p", "tests/tsconfig.json");
});

test("the README's ten lines are ten, and work", () => {
  const [, example] = read("README.md").match(/^## Ten lines\n\n```js\n(.+?)\n```$/ms);
  assert.equal(example.split("\n").length, 10);
  const around = (consent) => `
    const asked = [];
    globalThis.fetch = async (url) => {
      asked.push(url);
      return new Response('{"bucket":"regionalMarket"}', { headers: { "content-type": "application/json" } });
    };
    const loadRegionalAd = async () => "ours", loadGlobalAd = async () => "theirs", makeInHouseAd = () => "house";
    ${example}
    const shown = await Promise.all([loadAd("${consent}"), loadAd("${consent}")]);
    console.log(JSON.stringify({ asked, shown }));
  `;
  const outcome = (consent) => JSON.parse(run(process.execPath, "--input-type=module", "--eval", around(consent)));
  const [regional, house] = [{ provider: "regional", ad: "ours" }, { provider: "inHouse", ad: "house" }];
  const asked = ["https://region.example.com/v1/region"];
  assert.deepEqual(outcome("adsAllowed"), { asked, shown: [regional, regional] });
  assert.deepEqual(outcome("pending"), { asked: [], shown: [house, house] });
});

test("the version is the service's", () => {
  const [, version] = read("../../Sources/RegionService/BuildVersion.swift").match(/static let text = "([^"]+)"/);
  assert.equal(manifest.version, version);
});
