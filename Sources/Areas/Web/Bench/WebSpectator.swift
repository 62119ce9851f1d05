internal import BenchKit
internal import Glibc
internal import RacesBench

/// A spectator's connection: a stream of the Connect protocol with JSON, in chunks.
struct WebSpectator {
  private enum Place {
    /// In the answer's head; so many bytes of its end have come.
    case head(Int)
    case size(Int)
    case data(Int)
    /// Behind a chunk, so many bytes before the next one's size.
    case gap(Int)
  }

  let descriptor: Int32
  private var place = Place.head(0)
  private(set) var stream: SpectatorStream

  /// Watches a race.
  init(target: String, race: Int64, token: String, isDecoded: Bool) throws {
    descriptor = try HTTP2Frame.connect(to: target)
    stream = SpectatorStream(isDecoded: isDecoded)
    let message = Array(#"{"raceId":"\#(race)"}"#.utf8)
    let body = [0, 0, 0, 0, UInt8(message.count)] + message
    try sendAll(
      WebClient.request(
        "/trackme.races.v1.LiveService/WatchRace", token: token, contentType: "application/connect+json", body: body),
      to: descriptor)
  }

  /// Reads what is there.
  /// - Parameter decoded: gets the JSON of each message of a stream that is decoded.
  mutating func receive(
    _ buffer: UnsafeMutableRawBufferPointer, _ decoded: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    let count = recv(descriptor, buffer.baseAddress!, buffer.count, Int32(MSG_DONTWAIT))
    if count < 0, errno == EAGAIN || errno == EINTR { return }
    try check(count > 0, "the server closed a spectator's connection")
    var used = 0
    while used < count {
      if case .data(let left) = place {
        let taken = min(left, count - used)
        try stream.receive(UnsafeRawBufferPointer(rebasing: buffer[used..<used + taken]), decoded)
        used += taken
        place = taken == left ? .gap(2) : .data(left - taken)
      } else {
        try take(buffer[used])
        used += 1
      }
    }
  }

  private mutating func take(_ byte: UInt8) throws {
    switch place {
    case .head(let matched):
      let next = byte == [13, 10, 13, 10][matched] ? matched + 1 : byte == 13 ? 1 : 0
      place = next == 4 ? .size(0) : .head(next)
    case .size(let size):
      if byte == 10 {
        try check(size > 0, "the server ended a spectator's stream")
        place = .data(size)
      } else if let digit = Character(UnicodeScalar(byte)).hexDigitValue {
        place = .size(size << 4 | digit)
      }
    case .gap(let left): place = left == 1 ? .size(0) : .gap(left - 1)
    case .data: break
    }
  }
}
