internal import DequeModule
internal import ProtoJSON
internal import RPCRuntime
internal import Synchronization
internal import WebRules
internal import WireCodec

/// The envelopes of messages that are sent to many: what all spectators of a race are sent is one object, whose JSON is
/// made once.
///
/// The newest ones are kept, as many as `countMax` and `bytesMax` allow: a reader who is slower makes its own again.
final class SharedFrames: Sendable {
  /// Messages that are remembered.
  static let countMax = 256
  /// Their bytes, and those of their envelopes.
  static let bytesMax = 16 << 20

  /// An envelope that the first who needs it makes, while others wait: making one takes less than a millisecond.
  private final class Frame: Sendable {
    /// Held, so that no other message gets its place in memory.
    let message: RPCMessage
    private let made = Mutex<Result<[UInt8], WireError>?>(nil)

    init(_ message: RPCMessage) { self.message = message }

    func envelope(_ make: () -> Result<[UInt8], WireError>) -> Result<[UInt8], WireError> {
      made.withLock { made in
        if let made { return made }
        let new = make()
        made = new
        return new
      }
    }
  }

  private struct Kept {
    var frames: [ObjectIdentifier: Frame] = [:]
    /// Oldest first.
    var order: Deque<ObjectIdentifier> = []
    var bytes = 0
  }

  private let memory = Mutex(Kept())
  private let encoded = Atomic<Int>(0)

  /// How many envelopes have been made of JSON: for measurements.
  var encodings: Int { encoded.load(ordering: .relaxed) }

  /// How many messages are kept, and what they take, reckoned.
  var kept: (count: Int, bytes: Int) { memory.withLock { ($0.frames.count, $0.bytes) } }

  /// A message in its envelope.
  /// - Throws: `WireError` for one that is none of its type.
  func envelope(
    of message: RPCMessage, as codec: ConnectContent.Codec, _ type: MessageType
  ) throws(WireError) -> [UInt8] {
    switch codec {
    case .proto: Envelope.wrap(message.bytes)
    case .json: try frame(message).envelope { self.encode(message, type) }.get()
    }
  }

  private func encode(_ message: RPCMessage, _ type: MessageType) -> Result<[UInt8], WireError> {
    encoded.add(1, ordering: .relaxed)
    return message.withUnsafeBytes { bytes in
      do throws(WireError) { return .success(Envelope.wrap(try type.json(bytes))) } catch { return .failure(error) }
    }
  }

  private func frame(_ message: RPCMessage) -> Frame {
    let id = ObjectIdentifier(message)
    return memory.withLock { kept in
      if let frame = kept.frames[id] { return frame }
      let frame = Frame(message)
      kept.frames[id] = frame
      kept.order.append(id)
      kept.bytes += Self.weight(message)
      while kept.order.count > Self.countMax || kept.bytes > Self.bytesMax && kept.order.count > 1 {
        guard let oldest = kept.frames.removeValue(forKey: kept.order.removeFirst()) else { continue }
        kept.bytes -= Self.weight(oldest.message)
      }
      return frame
    }
  }

  /// What a message and its JSON take, reckoned: numbers as text with their names take some four times as much.
  private static func weight(_ message: RPCMessage) -> Int { 5 * message.count }
}
