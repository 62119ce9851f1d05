internal import Domain

// Places in streams that clients can come back to. Opaque for clients. They grant nothing: what a stream may deliver is
// decided anew each time it starts.

extension Seal {
  /// The cursor of a stream that has delivered everything up to and including a position.
  package func cursor(_ kind: Kind, at position: Int64) -> String { text(kind, position) }

  /// The position of a cursor; nil if it is none of this kind.
  package func position(_ kind: Kind, of cursor: String) -> Int64? {
    let found = cursor.hasPrefix("1.") ? Self.unsealedPosition(of: cursor) : numbers(kind, in: cursor, count: 1)?[0]
    guard let found, (0..<OutsideTimes.range.upperBound).contains(found) else { return nil }
    return found
  }

  /// Cursors were `1.` and the position in base 36, and are still read so for one release: clients have kept them.
  private static func unsealedPosition(of cursor: String) -> Int64? {
    let digits = cursor.dropFirst(2)
    guard digits.utf8.count <= 13, let position = Int64(digits, radix: 36), String(position, radix: 36) == digits else {
      return nil
    }
    return position
  }
}
