/// A file that a browser gets, in each form in which it can be sent.
public struct WebAsset: Sendable {
  /// Its address, such as "/assets/main-YJMQQOM2.js".
  public let path: String
  /// For the header Content-Type.
  public let contentType: String
  /// Whether the address changes with the bytes, so that a browser may keep it for ever.
  public let isImmutable: Bool
  /// Tells versions of the bytes apart: 16 hexadecimal digits of their SHA-256.
  public let hash: String
  /// The bytes as they are.
  public let identity: [UInt8]
  /// The bytes by brotli; nil where that is no smaller.
  public let brotli: [UInt8]?
  /// The bytes by gzip; nil where that is no smaller.
  public let gzip: [UInt8]?

  /// One form of the bytes.
  public struct Representation: Sendable {
    /// For the header Content-Encoding; nil for the bytes as they are.
    public let contentEncoding: String?
    public let bytes: [UInt8]
    /// For the header ETag, with its quotes: each form has one of its own.
    public let entityTag: String
  }

  /// The smallest form that a browser takes.
  /// - Parameter acceptEncoding: the header Accept-Encoding of the request. Without it the bytes are sent as they are.
  public func representation(acceptEncoding: String?) -> Representation {
    let accepted = acceptedEncodings(acceptEncoding ?? "")
    if let brotli, accepted.contains("br") {
      return Representation(contentEncoding: "br", bytes: brotli, entityTag: "\"\(hash)-br\"")
    }
    if let gzip, accepted.contains("gzip") {
      return Representation(contentEncoding: "gzip", bytes: gzip, entityTag: "\"\(hash)-gzip\"")
    }
    return Representation(contentEncoding: nil, bytes: identity, entityTag: "\"\(hash)\"")
  }
}

/// The encodings that a header Accept-Encoding names, but for those of quality 0. "*" is not taken as all of them:
/// browsers do not send it.
private func acceptedEncodings(_ header: String) -> Set<String> {
  var accepted: Set<String> = []
  for entry in header.split(separator: ",") {
    let parts = entry.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() }
    guard let name = parts.first else { continue }
    let quality = parts.dropFirst().first { $0.hasPrefix("q=") }?.dropFirst(2)
    if let quality, Double(quality) ?? 0 <= 0 { continue }
    accepted.insert(name)
  }
  return accepted
}
