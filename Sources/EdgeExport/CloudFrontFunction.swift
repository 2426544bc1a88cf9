import RegionModel

/// One function for both events, so that there is one file to keep.
struct CloudFrontFunction {
  let policy: BucketPolicy
  let names: EdgeNames
  /// Set when the function is to answer by itself.
  let answer: EdgeAnswer?
  private let core: EdgeJavaScript

  init(policy: BucketPolicy, names: EdgeNames, answer: EdgeAnswer?) {
    self.policy = policy
    self.names = names
    self.answer = answer
    // How far the runtime folds letters beyond ASCII is not documented.
    core = EdgeJavaScript(policy: policy, foldsUnicode: false)
  }

  /// The longest function that CloudFront takes, in bytes.
  static let bytesMax = 10_240

  var text: String {
    head + core.text + "\n" + (answer.map { AnswerJavaScript(answer: $0).text + "\n" } ?? "") + Self.reading
      + (core.needsCity ? Self.decoding : "") + handler
  }

  private var head: String {
    let fields =
      [names.country] + (core.needsSubdivision ? [names.subdivision] : [])
      + (core.needsCity ? [names.city] : [])
    var lines = [
      "Region Bucket in CloudFront Functions (runtime 2.0): policy \(policy.fingerprint),",
      "written by `region-bucket export cloudfront\(answer == nil ? "" : " --answer")`.", "",
      "1. An origin request policy with \(fields.joined(separator: ", ")):",
      "   CloudFront writes only what that names, over a client's own copy.",
      "2. A cache policy with \(names.bucket) and \(names.policy) as its headers, and a minimum TTL of 0.",
      "3. This function for viewer requests and for viewer responses of the behaviour.",
    ]
    if answer != nil {
      lines += [
        "It answers GET and HEAD by itself; other methods, and conditions, go to the service."
      ]
    }
    if core.needsCity {
      lines += ["Cities with letters beyond ASCII are left to the service, which folds their case."]
    }
    return lines.map { $0.isEmpty ? "//\n" : "// \($0)\n" }.joined() + "\n"
  }

  private static let reading = """

    // A field's one line; "" for none, null for more than one.
    function read(headers, name) {
      const field = headers[name];
      if (!field) return "";
      return field.multiValue && field.multiValue.length > 1 ? null : field.value;
    }

    """

  private static let decoding = """

    // Percent-encoded text, decoded once; null when it is not. A byte beyond ASCII becomes U+FFFD: such a name is
    // left to the service.
    function decoded(text) {
      if (text === null || text.indexOf("%") < 0) return text;
      const trimmedText = trimmed(text);
      if (/%(?![0-9A-Fa-f]{2})/.test(trimmedText)) return null;
      const plain = trimmedText.replace(/%[0-9A-Fa-f]{2}/g, function (triplet) {
        const byte = parseInt(triplet.slice(1), 16);
        return byte < 128 ? String.fromCharCode(byte) : "\\ufffd";
      });
      // White space that was encoded is part of the name.
      return /^[ \\t]|[ \\t]$/.test(plain) ? "\\ufffd" : plain;
    }

    """

  private var handler: String {
    let subdivision =
      core.needsSubdivision ? "read(headers, \(Self.key(names.subdivision)))" : "\"\""
    let city = core.needsCity ? "decoded(read(headers, \(Self.key(names.city))))" : "\"\""
    return """

      function handler(event) {
        if (event.context.eventType === "viewer-response") {
          event.response.headers["cache-control"] = { value: "private, no-store" };
          return event.response;
        }
        const request = event.request;
        const headers = request.headers;
        const bucket = decide(
          read(headers, \(Self.key(names.country))), \(subdivision), \(city));
        delete headers[\(Self.key(names.bucket))];
        delete headers[\(Self.key(names.policy))];
      \(answer.map(answering) ?? "")\
        if (bucket) {
          headers[\(Self.key(names.bucket))] = { value: bucket };
          headers[\(Self.key(names.policy))] = { value: fingerprint };
        }
        return request;
      }

      """
  }

  private func answering(_ answer: EdgeAnswer) -> String {
    let echo =
      answer.origins == nil
      ? ""
      : """
              const origin = read(headers, "origin");
              if (origin && origins.indexOf(origin) >= 0) fields["access-control-allow-origin"] = { value: origin };

      """
    return """
        const isAsked = request.uri === \(EdgeJavaScript.literal(answer.path)) &&
          (request.method === "GET" || request.method === "HEAD") && !headers["if-none-match"] && !headers["if-match"];
        if (isAsked && bucket !== null) {
          const known = answers[bucket || "unknown"];
          const fields = {};
          for (const name in known.fields) fields[name] = { value: known.fields[name] };
      \(echo)\
          const response = { statusCode: 200, statusDescription: "OK", headers: fields };
          if (request.method === "GET") response.body = { encoding: "text", data: known.body };
          return response;
        }

      """
  }

  /// The name as CloudFront gives it to functions: in lower case.
  private static func key(_ name: String) -> String { EdgeJavaScript.literal(name.lowercased()) }
}
