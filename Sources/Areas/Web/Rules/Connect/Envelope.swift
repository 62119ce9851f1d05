/// A message of a call that streams: five bytes ahead of it say what it is and how long.
package struct Envelope: Sendable, Hashable {
  package struct Flags: OptionSet, Sendable, Hashable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let compressed = Flags(rawValue: 1)
    /// What follows is how the call ended, not a message.
    package static let end = Flags(rawValue: 2)
  }

  package static let headBytes = 5

  /// The bytes ahead of a message.
  /// - Parameter count: of the message's bytes.
  package static func head(_ flags: Flags, count: Int) -> [UInt8] {
    [flags.rawValue] + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: UInt32(count) >> $0) }
  }

  /// A message with its head.
  package static func wrap(_ message: [UInt8], _ flags: Flags = []) -> [UInt8] {
    head(flags, count: message.count) + message
  }
}

/// Why what a client sends is no stream of messages.
package enum EnvelopeFault: Error, Sendable, Hashable {
  /// Longer than a message may be.
  case tooLong(limit: Int)
  /// It is compressed, in whatever way.
  case compressed
  /// It has flags that mean nothing, or that only servers use.
  case unknownFlags(UInt8)
  /// It ended in the middle of a message.
  case cut
}

/// Takes a stream of bytes apart. It holds one message at most, and what came with its end.
package struct EnvelopeReader: Sendable {
  private let maxBytes: Int
  private var bytes: [UInt8] = []
  private var start = 0

  /// - Parameter maxBytes: of one message.
  package init(maxBytes: Int) { self.maxBytes = maxBytes }

  /// What it holds now.
  package var heldBytes: Int { bytes.count }

  /// Adds what has come.
  package mutating func add(_ part: [UInt8]) {
    if start > 0 {
      bytes.removeFirst(start)
      start = 0
    }
    bytes += part
  }

  /// The next message that is there as a whole; nil where there is none yet.
  /// - Throws: as soon as the head of a message is there that can't be taken.
  package mutating func next() throws(EnvelopeFault) -> [UInt8]? {
    guard bytes.count - start >= Envelope.headBytes else { return nil }
    let flags = Envelope.Flags(rawValue: bytes[start])
    let count = bytes[(start + 1)..<(start + Envelope.headBytes)].reduce(0) { $0 << 8 | Int($1) }
    if flags == .compressed { throw .compressed }
    guard flags.isEmpty else { throw .unknownFlags(flags.rawValue) }
    guard count <= maxBytes else { throw .tooLong(limit: maxBytes) }
    let end = start + Envelope.headBytes + count
    guard bytes.count >= end else { return nil }
    defer { start = end }
    return Array(bytes[(start + Envelope.headBytes)..<end])
  }

  /// To be called when nothing more comes.
  package func finish() throws(EnvelopeFault) {
    guard start == bytes.count else { throw .cut }
  }
}
