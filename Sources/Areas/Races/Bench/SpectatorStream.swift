internal import Glibc
internal import Log
internal import WireCodec

/// One stream of a spectator, over gRPC or by the Connect protocol, which have messages in the same form. Most only count their frames; of some each frame is decoded.
package struct SpectatorStream {
  /// The stream's window is given back in pieces of this many bytes, half of HTTP/2's initial window.
  static let windowStep = 32_768

  let isDecoded: Bool
  /// Bytes received since the window was last given back.
  var owedWindow = 0
  /// Messages received.
  package private(set) var frames = 0
  /// Bytes of the message that are still to come.
  private var missing = 0
  /// The beginning of a message's five bytes.
  private var prefix: [UInt8] = []
  private var message: [UInt8] = []

  package init(isDecoded: Bool) { self.isDecoded = isDecoded }

  /// Takes the payload of a DATA frame.
  /// - Parameter decoded: gets each message of a stream that is decoded.
  package mutating func receive(_ payload: UnsafeRawBufferPointer, _ decoded: (UnsafeRawBufferPointer) throws -> Void)
    rethrows
  {
    owedWindow += payload.count
    var used = 0
    while used < payload.count {
      if missing == 0 {
        let wanted = min(5 - prefix.count, payload.count - used)
        prefix += payload[used..<used + wanted]
        used += wanted
        guard prefix.count == 5 else { return }
        missing = prefix.dropFirst().reduce(0) { $0 << 8 | Int($1) }
        prefix.removeAll(keepingCapacity: true)
        if missing == 0 { frames += 1 }
        continue
      }
      let taken = min(missing, payload.count - used)
      if isDecoded { message += payload[used..<used + taken] }
      missing -= taken
      used += taken
      guard missing == 0 else { return }
      frames += 1
      if isDecoded {
        try message.withUnsafeBytes(decoded)
        message.removeAll(keepingCapacity: true)
      }
    }
  }
}

/// What spectators have seen within a time.
package struct SpectatorLedger {
  /// From the time of a position to the arrival of the frame with it, in nanoseconds.
  package var latencies: [Int64] = []
  var deltas = 0

  package init() {}

  /// Notes the positions that a frame brings.
  package mutating func note(_ bytes: UnsafeRawBufferPointer) throws {
    let now = wallClock()
    let response = try Trackme_Races_V1_WatchRaceResponse.decode(bytes)
    guard case .delta(let delta) = response.frame, let time = delta.time else { return }
    deltas += 1
    let sinceFrame = now - (time.seconds * 1_000_000 + Int64(time.nanos / 1_000))
    for age in delta.fixAgeMs where age < 60_000 { latencies.append((Int64(age) * 1_000 + sinceFrame) * 1_000) }
  }
}
