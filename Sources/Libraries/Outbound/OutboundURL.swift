internal import CCurl

/// The address of a server of others, checked once: an absolute URL with a host, without credentials in it.
public struct OutboundURL: Sendable, Hashable, CustomStringConvertible {
  /// In lower case, such as "https".
  public let scheme: String
  /// A name or an address; an IPv6 address stands in brackets.
  public let host: String
  /// The URL as it was given.
  public let description: String

  /// - Parameter schemes: those that are allowed, in lower case.
  /// - Returns: nil for anything but an absolute URL with one of the schemes and no user or password.
  public init?(_ text: String, schemes: [String]) {
    guard !text.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7f }), let parts = curl_url() else { return nil }
    defer { curl_url_cleanup(parts) }
    guard curl_url_set(parts, CURLUPART_URL, text, UInt32(CURLU_NON_SUPPORT_SCHEME)) == CURLUE_OK,
      let scheme = Self.part(CURLUPART_SCHEME, of: parts)?.lowercased(), schemes.contains(scheme),
      let host = Self.part(CURLUPART_HOST, of: parts), !host.isEmpty,
      Self.part(CURLUPART_USER, of: parts) == nil, Self.part(CURLUPART_PASSWORD, of: parts) == nil
    else { return nil }
    self.scheme = scheme
    self.host = host.lowercased()
    description = text
  }

  /// Whether what is sent there never leaves this machine.
  public var isLoopback: Bool {
    if host == "localhost" || host == "[::1]" { return true }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
  }

  private static func part(_ part: CURLUPart, of parts: OpaquePointer) -> String? {
    var text: UnsafeMutablePointer<CChar>?
    guard curl_url_get(parts, part, &text, 0) == CURLUE_OK, let text else { return nil }
    defer { curl_free(text) }
    return String(cString: text)
  }
}
