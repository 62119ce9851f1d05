internal import BenchKit
internal import Glibc
internal import WireCodec

/// One connection with the streams of some spectators, over a bare socket: see `HTTP2Frame`.
final class SpectatorConnection {
  let descriptor: Int32
  private(set) var streams: [SpectatorStream] = []
  private let authority: String
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

  /// Watches a race on a stream of its own.
  func watch(_ race: Int64, token: String, isDecoded: Bool) throws {
    let request = Trackme_Races_V1_WatchRaceRequest(raceID: race).withEncoded { size, write in
      // Uninitialized: `write` says how many bytes it wrote, at most `size`.
      [UInt8](unsafeUninitializedCapacity: size) { $1 = write(UnsafeMutableRawBufferPointer($0)) }
    }
    try send(
      HTTP2Frame.call(
        stream: UInt32(streams.count * 2 + 1), path: "/trackme.races.v1.LiveService/WatchRace", authority: authority,
        token: token, message: request))
    streams.append(SpectatorStream(isDecoded: isDecoded))
  }

  /// Reads what is there.
  func receive(into ledger: inout SpectatorLedger) throws {
    let count = recv(descriptor, buffer.baseAddress!, buffer.count, Int32(MSG_DONTWAIT))
    if count < 0, errno == EAGAIN || errno == EINTR { return }
    try check(count > 0, "the server closed a connection")
    if unparsed.isEmpty {
      let used = try parse(UnsafeRawBufferPointer(rebasing: buffer[..<count]), &ledger)
      unparsed += buffer[used..<count]
    } else {
      unparsed += buffer[..<count]
      let bytes = unparsed
      let used = try bytes.withUnsafeBytes { try parse($0, &ledger) }
      unparsed.removeFirst(used)
    }
    if replies.isEmpty { return }
    try send(replies)
    replies.removeAll(keepingCapacity: true)
  }

  /// Takes whole frames and returns how many bytes they had.
  private func parse(_ bytes: UnsafeRawBufferPointer, _ ledger: inout SpectatorLedger) throws -> Int {
    var used = 0
    while bytes.count - used >= HTTP2Frame.headerBytes {
      let length = Int(bytes[used]) << 16 | Int(bytes[used + 1]) << 8 | Int(bytes[used + 2])
      let end = used + HTTP2Frame.headerBytes + length
      guard bytes.count >= end else { break }
      let stream = bytes.loadUnaligned(fromByteOffset: used + 5, as: UInt32.self).bigEndian
      let payload = UnsafeRawBufferPointer(rebasing: bytes[(used + HTTP2Frame.headerBytes)..<end])
      try take(kind: bytes[used + 3], flags: bytes[used + 4], stream: stream, payload, &ledger)
      used = end
    }
    return used
  }

  private func take(
    kind: UInt8, flags: UInt8, stream: UInt32, _ payload: UnsafeRawBufferPointer, _ ledger: inout SpectatorLedger
  ) throws {
    switch kind {
    case HTTP2Frame.Kind.data:
      let place = Int(stream / 2)
      guard streams.indices.contains(place) else { return }
      try streams[place].receive(payload) { try ledger.note($0) }
      if streams[place].owedWindow >= SpectatorStream.windowStep {
        replies += HTTP2Frame.windowUpdate(stream: stream, bytes: streams[place].owedWindow)
        streams[place].owedWindow = 0
      }
    case HTTP2Frame.Kind.headers: try check(flags & 1 == 0, "the server ended a spectator's stream")
    case HTTP2Frame.Kind.reset, HTTP2Frame.Kind.goAway: throw BenchError("the server broke a spectator's stream off")
    case HTTP2Frame.Kind.settings where flags & 1 == 0: replies += HTTP2Frame.settingsAcknowledgement
    case HTTP2Frame.Kind.ping where flags & 1 == 0: replies += HTTP2Frame.pingAcknowledgement(Array(payload))
    default: break
    }
  }

  private func send(_ bytes: [UInt8]) throws { try sendAll(bytes, to: descriptor) }
}
