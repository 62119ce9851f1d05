/// A place in the stream of readings that a client can come back to. Opaque for clients.
///
/// The text is `1.` and the log position in base 36: version first, so that a later form can be told apart. It is no
/// secret and grants nothing: what a stream may deliver is decided anew each time it starts.
public struct Cursor: Sendable, Equatable {
  /// Everything up to and including this position has been delivered.
  public let position: LogPosition

  public init(position: LogPosition) { self.position = position }

  /// The cursor of a text that the server sent; nil if it is none.
  public init?(text: String) {
    guard text.utf8.count <= 16, text.hasPrefix("1."), let position = LogPosition(text.dropFirst(2), radix: 36),
      position >= 0, String(position, radix: 36) == text.dropFirst(2)
    else { return nil }
    self.position = position
  }

  public var text: String { "1." + String(position, radix: 36) }
}
