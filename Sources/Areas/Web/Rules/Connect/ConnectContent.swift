/// How the messages of a call are written: what its content type says.
package struct ConnectContent: Sendable, Hashable {
  package enum Codec: String, Sendable, CaseIterable {
    case proto
    case json
  }

  package let codec: Codec
  /// Whether messages are in envelopes, as in every call that streams.
  package let isStreaming: Bool

  package init(codec: Codec, isStreaming: Bool) {
    self.codec = codec
    self.isStreaming = isStreaming
  }

  /// - Parameter contentType: of the request, with or without parameters such as a character set.
  /// - Returns: nil for what is not Connect's.
  package init?(contentType: String) {
    let type = contentType.prefix { $0 != ";" }.trimmed.lowercased()
    guard type.hasPrefix(Self.unary) else { return nil }
    let rest = type.dropFirst(Self.unary.count)
    isStreaming = rest.hasPrefix(Self.streaming)
    guard let codec = Codec(rawValue: String(isStreaming ? rest.dropFirst(Self.streaming.count) : rest)) else {
      return nil
    }
    self.codec = codec
  }

  /// Of requests and responses.
  package var contentType: String { Self.unary + (isStreaming ? Self.streaming : "") + codec.rawValue }

  private static let (unary, streaming) = ("application/", "connect+")
}

extension StringProtocol {
  /// Without the spaces and tabs around it.
  var trimmed: String {
    func isBlank(_ character: Character) -> Bool { character == " " || character == "\t" }
    return String(drop(while: isBlank).reversed().drop(while: isBlank).reversed())
  }
}
