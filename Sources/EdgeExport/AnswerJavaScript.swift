import RegionModel

/// The service's answers in JavaScript.
struct AnswerJavaScript {
  let answer: EdgeAnswer

  /// `answers`: of each bucket the body and the fields, names in lower case; and `origins`, if some are listed.
  var text: String {
    var text = "const answers = {\n"
    for bucket in RegionBucket.allCases {
      text +=
        "  \(bucket.rawValue): {\n    body: \(EdgeJavaScript.literal(answer.body(bucket))),\n    fields: {\n"
      for field in answer.fields(bucket) {
        text +=
          "      \(EdgeJavaScript.literal(field.name.lowercased())): \(EdgeJavaScript.literal(field.value)),\n"
      }
      text += "    },\n  },\n"
    }
    text += "};\n"
    if let origins = answer.origins {
      text += "const origins = [\(origins.map(EdgeJavaScript.literal).joined(separator: ", "))];\n"
    }
    return text
  }
}
