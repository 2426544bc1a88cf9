// One resolver for each row that comes on standard input, one after another; what came of each goes to standard output
// as JSON. A process of its own, because Node reads the authority to trust when it starts.
import { text } from "node:stream/consumers";
import { RegionResolver } from "../region-bucket.js";

const { rows, ports, timeoutMs } = JSON.parse(await text(process.stdin));

const tally = async (key) => (await fetch(`http://127.0.0.1:${ports.control}/${key}`)).json();

const results = [];
for (const [index, row] of rows.entries()) {
  const key = `node-${index}`;
  const before = (await tally(key)).accepted[row.port] ?? 0;
  const resolver = new RegionResolver({
    url: `https://127.0.0.1:${ports[row.port]}/${row.path}/${key}`,
    allowedHosts: ["127.0.0.1"],
    timeoutMs,
  });
  const start = performance.now();
  const bucket = await resolver.resolve();
  const elapsedMs = performance.now() - start;
  const again = await resolver.resolve();
  const { requests, bytesSent, heads, accepted } = await tally(key);
  const followed = (await tally(`${key}-target`)).requests;
  const connections = (accepted[row.port] ?? 0) - before;
  results.push({
    name: row.name,
    refusal: resolver.refusal,
    ...{ bucket, again, elapsedMs, requests, bytesSent, heads, connections, followed },
  });
}
process.stdout.write(JSON.stringify(results));
