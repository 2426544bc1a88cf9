import RegionModel

/// A Worker that goes by `request.cf`, which no client can write.
struct CloudflareWorker {
  let policy: BucketPolicy
  let names: EdgeNames
  /// Set when the Worker is to answer by itself.
  let answer: EdgeAnswer?
  private let core: EdgeJavaScript

  init(policy: BucketPolicy, names: EdgeNames, answer: EdgeAnswer?) {
    self.policy = policy
    self.names = names
    self.answer = answer
    core = EdgeJavaScript(policy: policy, foldsUnicode: true)
  }

  var text: String {
    head + core.text + "\n" + (answer.map { AnswerJavaScript(answer: $0).text + "\n" } ?? "") + Self.marking
      + handler
  }

  private var head: String {
    var lines = [
      "Region Bucket as a Cloudflare Worker: policy \(policy.fingerprint),",
      "written by `region-bucket export cloudflare\(answer == nil ? "" : " --answer")`.", "",
      "An ES module: upload it as it is, with a route for the service's host and path.",
    ]
    if answer == nil {
      lines += [
        "Bucket and fingerprint stand in the address that it asks the service for, which ignores them there: so they",
        "are in the key of whatever Cloudflare keeps, and `cache.keyConfigured: true` is true.",
      ]
    } else {
      lines += ["It answers GET and HEAD by itself; other methods, and conditions, go to the service."]
    }
    return lines.map { $0.isEmpty ? "//\n" : "// \($0)\n" }.joined() + "\n"
  }

  /// Cloudflare's markers: XX is no data, and T1 (Tor) no country, which it is not by its spelling either.
  private static let marking = """

    function known(value) {
      return typeof value === "string" && !/^[ \\t]*xx[ \\t]*$/i.test(value) ? value : "";
    }

    // A client's own copy of a field goes unless it says what Cloudflare says.
    function keepTrue(headers, name, value) {
      if (headers.get(name) !== value) headers.delete(name);
    }

    """

  private var handler: String {
    let subdivision = core.needsSubdivision ? "known(cf.regionCode)" : "\"\""
    let city = core.needsCity ? "known(cf.city)" : "\"\""
    return """

      export default {
        async fetch(request) {
          const cf = request.cf || {};
          const bucket = decide(known(cf.country), \(subdivision), \(city));
          const url = new URL(request.url);
      \(answer.map(answering) ?? "")\
          const headers = new Headers(request.headers);
          headers.delete(\(EdgeJavaScript.literal(names.bucket)));
          headers.delete(\(EdgeJavaScript.literal(names.policy)));
          keepTrue(headers, \(EdgeJavaScript.literal(names.country)), cf.country);
          keepTrue(headers, \(EdgeJavaScript.literal(names.subdivision)), cf.regionCode);
          keepTrue(headers, \(EdgeJavaScript.literal(names.city)), cf.city);
          url.search = "";
          if (bucket) {
            headers.set(\(EdgeJavaScript.literal(names.bucket)), bucket);
            headers.set(\(EdgeJavaScript.literal(names.policy)), fingerprint);
            url.search = "?" + bucket + "-" + fingerprint;
          }
          // Without a bucket nothing is kept, whatever the answer says.
          const caching = bucket ? { cacheEverything: true } : { cacheTtlByStatus: { "100-599": -1 } };
          const asked = new Request(url, new Request(request, { headers, redirect: "manual" }));
          const answer = await fetch(asked, { cf: caching });
          const response = new Response(answer.body, answer);
          response.headers.set("Cache-Control", "private, no-store");
          response.headers.delete("Cloudflare-CDN-Cache-Control");
          return response;
        },
      };

      """
  }

  private func answering(_ answer: EdgeAnswer) -> String {
    let echo =
      answer.origins == nil
      ? ""
      : """
              const origin = request.headers.get("origin");
              if (origins.includes(origin)) fields.set("access-control-allow-origin", origin);

      """
    return """
          const isAsked = url.pathname === \(EdgeJavaScript.literal(answer.path)) &&
            (request.method === "GET" || request.method === "HEAD") &&
            !request.headers.has("if-none-match") && !request.headers.has("if-match");
          if (isAsked) {
            const { body, fields: list } = answers[bucket || "unknown"];
            const fields = new Headers(list);
      \(echo)\
            return new Response(request.method === "HEAD" ? null : body, { status: 200, headers: fields });
          }

      """
  }
}
