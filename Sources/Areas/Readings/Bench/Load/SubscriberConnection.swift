internal import BenchKit
internal import Glibc

/// One connection with the subscriptions on it.
final class SubscriberConnection {
  let descriptor: Int32
  private let authority: String
  private var subscriptions: [UInt32: Subscription] = [:]
  private var nextStream: UInt32 = 1
  /// What has been read and not been parsed: the beginning of a frame.
  private var unparsed: [UInt8] = []
  private var replies: [UInt8] = []
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 8)

  /// - Parameter target: an IPv4 address and port.
  init(target: String) throws {
    authority = target
    descriptor = try HTTP2Frame.connect(to: target)
    try send(HTTP2Frame.preface)
  }

  deinit {
    close(descriptor)
    buffer.deallocate()
  }

  /// Subscribes on a stream of its own.
  func open(_ subscription: Subscription, token: String) throws {
    subscriptions[nextStream] = subscription
    try send(
      HTTP2Frame.call(
        stream: nextStream, path: "/trackme.sharing.v1.SubscriptionService/Subscribe", authority: authority,
        token: token, message: subscription.request))
    nextStream += 2
  }

  /// Lets the server send on to a subscription that has resumed.
  func grant(_ subscription: Subscription) throws {
    for (stream, one) in subscriptions where one === subscription { giveBack(one, stream) }
    try sendReplies()
  }

  /// Reads what is there.
  func receive() throws {
    let count = recv(descriptor, buffer.baseAddress!, buffer.count, Int32(MSG_DONTWAIT))
    if count < 0, errno == EAGAIN || errno == EINTR { return }
    try check(count > 0, "the server closed a connection")
    if unparsed.isEmpty {
      // Nearly always: frames are parsed where they are.
      let used = try parse(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      unparsed += buffer[used..<count]
    } else {
      unparsed += buffer[..<count]
      let used = try unparsed.withUnsafeBytes { try parse($0) }
      unparsed.removeFirst(used)
    }
    try sendReplies()
  }

  /// Takes whole frames and returns how many bytes they had.
  private func parse(_ bytes: UnsafeRawBufferPointer) throws -> Int {
    var used = 0
    while bytes.count - used >= HTTP2Frame.headerBytes {
      let length = Int(bytes[used]) << 16 | Int(bytes[used + 1]) << 8 | Int(bytes[used + 2])
      let end = used + HTTP2Frame.headerBytes + length
      guard bytes.count >= end else { break }
      let stream = bytes.loadUnaligned(fromByteOffset: used + 5, as: UInt32.self).bigEndian
      let payload = UnsafeRawBufferPointer(rebasing: bytes[(used + HTTP2Frame.headerBytes)..<end])
      try take(kind: bytes[used + 3], flags: bytes[used + 4], stream: stream, payload)
      used = end
    }
    return used
  }

  private func take(kind: UInt8, flags: UInt8, stream: UInt32, _ payload: UnsafeRawBufferPointer) throws {
    switch kind {
    case HTTP2Frame.Kind.data:
      guard let subscription = subscriptions[stream] else { return }
      try subscription.receive(payload)
      if subscription.owedWindow >= Subscription.windowStep { giveBack(subscription, stream) }
    case HTTP2Frame.Kind.headers: try check(flags & 1 == 0, "the server ended a subscription")
    case HTTP2Frame.Kind.reset, HTTP2Frame.Kind.goAway: throw BenchError("the server broke a subscription off")
    case HTTP2Frame.Kind.settings where flags & 1 == 0: replies += HTTP2Frame.settingsAcknowledgement
    case HTTP2Frame.Kind.ping where flags & 1 == 0: replies += HTTP2Frame.pingAcknowledgement(Array(payload))
    default: break
    }
  }

  private func giveBack(_ subscription: Subscription, _ stream: UInt32) {
    guard !subscription.isStalled, subscription.owedWindow > 0 else { return }
    replies += HTTP2Frame.windowUpdate(stream: stream, bytes: subscription.owedWindow)
    subscription.owedWindow = 0
  }

  private func sendReplies() throws {
    if replies.isEmpty { return }
    try send(replies)
    replies.removeAll(keepingCapacity: true)
  }

  private func send(_ bytes: [UInt8]) throws { try sendAll(bytes, to: descriptor) }
}
