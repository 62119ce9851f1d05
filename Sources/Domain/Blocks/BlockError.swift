/// Why bytes are not a reading block.
public enum BlockError: Error, Sendable, Equatable {
  /// The bytes end before the block does.
  case truncated
  /// The first byte names a format that this build does not know.
  case unknownVersion(UInt8)
  /// A header says what no encoder writes; the text names the part.
  case malformed(Part)
  /// A metric, a source or a sample count does not fit its column's type.
  case outOfRange

  /// Which part of a header was wrong.
  public enum Part: Sendable, Equatable {
    case flags, columnKind, columnWidth, headerLength, constantTooLong, sampleCounts, trailingBytes
  }
}
