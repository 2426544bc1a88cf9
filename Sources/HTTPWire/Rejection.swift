/// Why a request is refused: one case a broken rule. The connection is closed after the answer, always,
/// because where the next request would begin is not known for certain (RFC 9112 §2.2, §6.3).
///
/// Closed and free of anything that a client wrote, so that it may be counted and logged.
package enum Rejection: UInt8, Error, CaseIterable, Sendable {
  // The request line.
  case tooManyEmptyLines
  case badMethodByte
  case methodTooLong
  case emptyTarget
  case badTargetByte
  case fragmentInTarget
  case badPercentEncoding
  case unknownTargetForm
  case invalidTargetAuthority
  case asteriskWithoutOptions
  case connectWithoutAuthority
  case missingVersion
  case invalidVersion
  case versionNotSupported
  case requestLineTooLong
  // Lines and fields.
  case bareLF
  case bareCR
  case whitespaceBeforeFirstField
  case obsoleteFolding
  case emptyFieldName
  case badFieldNameByte
  case missingColon
  case spaceBeforeColon
  case badFieldValueByte
  case headerSectionTooLarge
  case tooManyFields
  // Host and framing.
  case missingHost
  case repeatedHost
  case invalidHost
  case invalidContentLength
  case repeatedContentLength
  case invalidTransferCoding
  case repeatedTransferEncoding
  case unsupportedTransferCoding
  case transferEncodingInHTTP10
  case lengthAndTransferEncoding
  case bodyTooLarge
  // The chunked body.
  case invalidChunkSize
  case invalidChunkExtension
  case chunkExtensionsTooLong
  case missingChunkEnd

  /// The status of the answer (RFC 9110 §15, RFC 6585).
  package var status: Int {
    switch self {
    case .bodyTooLarge, .chunkExtensionsTooLong: 413
    case .requestLineTooLong: 414
    case .headerSectionTooLarge, .tooManyFields: 431
    case .methodTooLong, .unsupportedTransferCoding: 501
    case .versionNotSupported: 505
    default: 400
    }
  }

  /// The section that has the rule.
  package var rfcSection: StaticString {
    switch self {
    case .tooManyEmptyLines, .bareLF, .bareCR, .whitespaceBeforeFirstField: "RFC 9112 §2.2"
    case .missingVersion, .invalidVersion: "RFC 9112 §2.3"
    case .methodTooLong: "RFC 9112 §3"
    case .badMethodByte: "RFC 9112 §3.1"
    case .emptyTarget, .badTargetByte, .fragmentInTarget, .unknownTargetForm: "RFC 9112 §3.2"
    case .missingHost, .repeatedHost, .invalidHost: "RFC 9112 §3.2"
    case .invalidTargetAuthority: "RFC 9112 §3.2.2"
    case .connectWithoutAuthority: "RFC 9112 §3.2.3"
    case .asteriskWithoutOptions: "RFC 9112 §3.2.4"
    case .missingColon: "RFC 9112 §5"
    case .spaceBeforeColon: "RFC 9112 §5.1"
    case .obsoleteFolding: "RFC 9112 §5.2"
    case .unsupportedTransferCoding, .transferEncodingInHTTP10: "RFC 9112 §6.1"
    case .invalidContentLength, .repeatedContentLength, .invalidTransferCoding: "RFC 9112 §6.3"
    case .repeatedTransferEncoding, .lengthAndTransferEncoding: "RFC 9112 §6.3"
    case .invalidChunkSize, .missingChunkEnd: "RFC 9112 §7.1"
    case .invalidChunkExtension, .chunkExtensionsTooLong: "RFC 9112 §7.1.1"
    case .emptyFieldName, .badFieldNameByte: "RFC 9110 §5.1"
    case .badFieldValueByte: "RFC 9110 §5.5"
    case .bodyTooLarge: "RFC 9110 §15.5.14"
    case .requestLineTooLong: "RFC 9110 §15.5.15"
    case .versionNotSupported: "RFC 9110 §15.6.6"
    case .badPercentEncoding: "RFC 3986 §2.1"
    case .headerSectionTooLarge, .tooManyFields: "RFC 6585 §5"
    }
  }
}
