internal import BenchKit
internal import WireCodec

/// One subscription: takes frame after frame, and checks that nothing is missing, doubled or out of order.
final class Subscription {
  /// The stream's window is given back in pieces of this many bytes, a quarter of HTTP/2's initial window.
  static let windowStep = 16_384

  /// Where its deliveries are noted.
  var ledger: DeliveryLedger?
  /// Whether it has stopped reading: it gives the server no more window.
  private(set) var isStalled = false
  /// Bytes received since the window was last given back.
  var owedWindow = 0
  private(set) var hasBegun = false
  /// Bytes that the server had at hand when the stalled stream resumed: all that came before the first frame that was
  /// read from storage. What the client's own window had taken in before is not among them.
  private(set) var bufferedBytes = 0
  private(set) var isCatchingUp = false

  private let number: Int
  private let schedule: PushSchedule
  private let decoder: DeliveryDecoder
  private var nextPush: Int
  private var nextBacklog = 0
  /// The beginning of a message that goes on in the next frame.
  private var message: [UInt8] = []

  /// - Parameter decoder: shared by the subscriptions of a thread.
  init(_ number: Int, schedule: PushSchedule, decoder: DeliveryDecoder) {
    self.number = number
    self.schedule = schedule
    self.decoder = decoder
    nextPush = schedule.hasOwnPersons ? number : 0
  }

  /// The message that opens the stream.
  var request: [UInt8] {
    let start = Trackme_Sharing_V1_SubscribeStart(personIDs: schedule.persons(ofSubscriber: number), startAt: .now)
    return Trackme_Sharing_V1_SubscribeRequest(frame: .start(start)).withEncoded { size, write in
      // Uninitialized: `write` says how many bytes it wrote, at most `size`.
      [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
        count = write(UnsafeMutableRawBufferPointer(buffer))
      }
    }
  }

  /// Takes the payload of a DATA frame: parts of messages, each with gRPC's five bytes before it.
  func receive(_ payload: UnsafeRawBufferPointer) throws {
    owedWindow += payload.count
    if !isStalled, !isCatchingUp { bufferedBytes += payload.count }
    if message.isEmpty {
      let used = try take(messagesOf: payload)
      if used < payload.count { message += payload[used...] }
    } else {
      message += payload
      let used = try message.withUnsafeBytes { try take(messagesOf: $0) }
      message.removeFirst(used)
    }
  }

  private func take(messagesOf bytes: UnsafeRawBufferPointer) throws -> Int {
    var used = 0
    while bytes.count - used >= 5 {
      let length = Int(bytes.loadUnaligned(fromByteOffset: used + 1, as: UInt32.self).bigEndian)
      guard bytes.count - used >= 5 + length else { break }
      try take(decoder.decode(UnsafeRawBufferPointer(rebasing: bytes[(used + 5)..<(used + 5 + length)])))
      used += 5 + length
    }
    return used
  }

  private func take(_ delivery: DeliveryDecoder.Delivery) throws {
    hasBegun = true
    if delivery.isCatchingUp { isCatchingUp = true }
    // Readings of one batch are in no order.
    for push in delivery.backlog.sorted() {
      try check(push == nextBacklog, "backlog reading \(push) came instead of \(nextBacklog)")
      nextBacklog += 1
    }
    if delivery.pushes.isEmpty { return }
    for push in delivery.pushes {
      try check(push == nextPush, "push \(push) came to subscriber \(number) instead of \(nextPush)")
      nextPush += schedule.hasOwnPersons ? schedule.subscribers : 1
    }
    if !isStalled { ledger?.received(delivery.pushes) }
  }

  /// Whether it has received every push and reading of the backlog up to these.
  func has(pushes: Int, backlog: Int) -> Bool { nextPush >= pushes && nextBacklog >= backlog }

  /// Stops reading.
  func stall() { isStalled = true }

  /// Reads on; the connection then gives the window back.
  func resume() {
    isStalled = false
    bufferedBytes = 0
    isCatchingUp = false
  }
}
