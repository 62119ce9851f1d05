internal import ProtoJSON
internal import RPCRuntime
internal import Synchronization
internal import WebRules
internal import WireCodec

/// The envelopes of messages that are sent to many: what all spectators of a race are sent is one object, whose JSON is
/// made once.
final class SharedFrames: Sendable {
  private let encoded = Atomic<Int>(0)

  /// How many envelopes have been made of JSON: for measurements.
  var encodings: Int { encoded.load(ordering: .relaxed) }

  /// A message in its envelope.
  /// - Throws: `WireError` for one that is none of its type.
  func envelope(
    of message: RPCMessage, as codec: ConnectContent.Codec, _ type: MessageType
  ) throws(WireError) -> [UInt8] {
    switch codec {
    case .proto: return Envelope.wrap(message.bytes)
    case .json:
      return try message.derived { bytes throws(WireError) in
        encoded.add(1, ordering: .relaxed)
        return Envelope.wrap(try type.json(bytes))
      }
    }
  }
}
