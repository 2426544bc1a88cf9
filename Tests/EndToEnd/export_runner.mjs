// Runs exported code as its edge would: reads {target, code, cases} from standard input, writes what each case comes to.
import { readFileSync } from "node:fs";
import vm from "node:vm";

const { target, code, cases } = JSON.parse(readFileSync(0, "utf8"));

// CloudFront Functions have no way to make code of text, and neither has this context.
function cloudfront() {
  const context = vm.createContext({}, { codeGeneration: { strings: false, wasm: false } });
  vm.runInContext(code, context);
  context.event = "";
  return cases.map((event) => {
    context.event = JSON.stringify(event);
    return JSON.parse(vm.runInContext("JSON.stringify(handler(JSON.parse(event)))", context));
  });
}

async function cloudflare() {
  const worker = (await import("data:text/javascript;base64," + Buffer.from(code).toString("base64"))).default;
  const results = [];
  for (const { url, method, headers, cf, origin } of cases) {
    const request = new Request(url, { method, headers });
    Object.defineProperty(request, "cf", { value: cf });
    let asked = null;
    globalThis.fetch = async (request, options) => {
      asked = { url: request.url, headers: Object.fromEntries(request.headers), options };
      return new Response("{}", { status: 200, headers: origin });
    };
    const response = await worker.fetch(request);
    results.push({
      asked, status: response.status, headers: Object.fromEntries(response.headers), body: await response.text() });
  }
  return results;
}

process.stdout.write(JSON.stringify(await { cloudfront, cloudflare }[target]()));
