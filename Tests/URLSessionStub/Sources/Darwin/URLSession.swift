@_exported import FoundationNetworking

// What Apple's URLSession has and Linux's lacks, as far as it is called.

// swift-format-ignore: AlwaysUseLowerCamelCase
public let NSURLAuthenticationMethodServerTrust = "NSURLAuthenticationMethodServerTrust"

public enum TLSVersion: Sendable {
  // swift-format-ignore: AlwaysUseLowerCamelCase
  case TLSv12
}

extension URLSessionConfiguration {
  public var tlsMinimumSupportedProtocolVersion: TLSVersion {
    get { .TLSv12 }
    set {}
  }
}
