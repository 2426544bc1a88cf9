import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import test from "node:test";
import { runners } from "./vectors.js";

const folder = new URL("../../../Tests/Vectors/", import.meta.url);
const read = (name) => readFileSync(new URL(name, folder), "utf8");

for (const [name, run] of Object.entries(runners)) {
  test(`every row of ${name}`, async () => {
    const content = JSON.parse(read(name));
    const count = await run(content);
    assert.ok(count > 0);
    assert.equal(count, content.rows.length);
    console.log(`matrix web ${name} ${count}`);
  });
}

test("every file that concerns the web is run, and no other", () => {
  const cells = [...read("README.md").matchAll(/^\| `([a-z-]+\.json)` \| [^|]+ \| ([^|]+) \| [^|]+ \|$/gm)];
  const files = readdirSync(folder).filter((name) => name.endsWith(".json"));
  assert.deepEqual(cells.map(([, name]) => name).sort(), files.sort());
  const concerned = cells.filter(([, , web]) => web === "yes").map(([, name]) => name);
  assert.deepEqual(concerned.sort(), Object.keys(runners).sort());
});

test("a runner fails on what it does not know", async () => {
  const file = (name) => JSON.parse(read(name));
  const changes = {
    "answers.json": (content) => (content.rows[0].bucket = "otherMarket"),
    "endpoints.json": (content) => (content.rows[0].accepted = false),
    "plan.json": (content) => (content.rows[8].lookups = 2),
    "loader.json": (content) => (content.rows[0].result.at += 1),
    "startup.json": (content) => (content.rows[0].steps[1].answered.a = 2),
  };
  for (const [name, run] of Object.entries(runners)) {
    const wrong = file(name);
    changes[name](wrong);
    await assert.rejects(run(wrong), Error, `${name}: a wrong value`);
    const strange = file(name);
    strange.rows[0].strange = 1;
    await assert.rejects(run(strange), /strange is not known/, `${name}: a strange field`);
    const empty = { ...file(name), rows: [] };
    await assert.rejects(run(empty), /without rows/, `${name}: no rows`);
  }
  for (const name of ["loader.json", "startup.json"]) {
    const strange = file(name);
    strange.rows[0].steps[0].event = "leave";
    await assert.rejects(runners[name](strange), /leave is not known/, `${name}: a strange event`);
  }
});
