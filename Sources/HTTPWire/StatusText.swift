/// Reason phrases (RFC 9110 §15, RFC 6585).
package enum StatusText {
  /// The phrase of a status that the service sends; a programmer's error for any other.
  package static func phrase(_ status: Int) -> StaticString {
    switch status {
    case 200: "OK"
    case 204: "No Content"
    case 304: "Not Modified"
    case 400: "Bad Request"
    case 403: "Forbidden"
    case 404: "Not Found"
    case 405: "Method Not Allowed"
    case 408: "Request Timeout"
    case 412: "Precondition Failed"
    case 413: "Content Too Large"
    case 414: "URI Too Long"
    case 417: "Expectation Failed"
    case 431: "Request Header Fields Too Large"
    case 501: "Not Implemented"
    case 503: "Service Unavailable"
    case 505: "HTTP Version Not Supported"
    default: preconditionFailure("no answer has this status")
    }
  }
}
