// The resolver on Node's network stack against the misbehaving server. A browser does better in two things, and is held
// to them: Node opens a spare connection when a request is aborted, and reads interim responses without end.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import test, { after, before } from "node:test";
import { fileURLToPath } from "node:url";

const servers = new URL("../../../Tests/servers/", import.meta.url);
const { rows } = JSON.parse(readFileSync(new URL("faults.json", servers), "utf8"));
const timeoutMs = 1000;
/** How long behind the time-out an answer may come; the machine may be busy. */
const graceMs = 1000;

let server;
let ports;
let results;

before(async () => {
  server = spawn("python3", ["-B", fileURLToPath(new URL("misbehaving_server.py", servers))], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const [line] = await once(createInterface(server.stdout), "line");
  ports = JSON.parse(line);
  const child = spawn(process.execPath, [fileURLToPath(new URL("faults-child.js", import.meta.url))], {
    stdio: ["pipe", "pipe", "inherit"],
    env: { ...process.env, NODE_EXTRA_CA_CERTS: ports.ca },
  });
  child.stdin.end(JSON.stringify({ rows, ports, timeoutMs }));
  results = JSON.parse(await text(child.stdout));
});

after(async () => {
  // It ends when its standard input does.
  server.stdin.end();
  await once(server, "exit");
});

test("the rows name all of the server's faults", () => {
  const paths = rows.filter(({ port }) => port === "https").map(({ path }) => path);
  assert.deepEqual([...new Set(paths)].sort(), ports.faults);
  assert.equal(results.length, rows.length);
});

for (const [index, row] of rows.entries()) {
  test(row.name, () => {
    const result = results[index];
    assert.equal(result.name, row.name);
    assert.equal(result.bucket, row.bucket);
    assert.equal(result.again, row.bucket);
    // Some of the answers are in order, one of them says unknown.
    const inOrder = row.bucket !== "unknown" || row.path === "says-unknown";
    assert.equal(result.refusal === undefined, inOrder, `refusal ${result.refusal}`);
    assert.ok(result.elapsedMs < timeoutMs + graceMs, `${result.elapsedMs} ms`);
    assert.equal(result.requests, row.requests, "requests");
    if (row.path !== "endless-interim") {
      assert.ok(result.bytesSent <= row.bytesSentMax, `${result.bytesSent} bytes sent`);
    }
    assert.equal(result.followed, 0, "redirect followed");
  });
}

test("the time-outs were time-outs, and the limits were limits", () => {
  const refusals = Object.fromEntries(results.map(({ name, refusal }) => [name, refusal]));
  const expected = {
    "slow-first-byte": "timedOut",
    "slow-head": "timedOut",
    "slow-drip": "timedOut",
    "body-never-ends": "timedOut",
    "no answer to the handshake": "timedOut",
    "endless-body": "tooLarge",
    "endless-chunks": "tooLarge",
    "ten-megabytes": "tooLarge",
    "gzip-bomb": "tooLarge",
    "redirect-elsewhere": "failed",
    "half-body-then-reset": "failed",
    "expired certificate": "failed",
    "no-content": "status",
    "json-as-html": "contentType",
    "other-case": "body",
  };
  for (const [name, refusal] of Object.entries(expected)) assert.equal(refusals[name], refusal, name);
});

test("a spare connection for each request at the most", () => {
  const sum = (list) => list.reduce((total, { connections }) => total + connections, 0);
  assert.ok(sum(results) <= 2 * sum(rows), `${sum(results)} connections`);
});

test("no cookie is sent", () => {
  for (const { heads } of results) for (const head of heads) assert.doesNotMatch(head, /^cookie:/im);
});
