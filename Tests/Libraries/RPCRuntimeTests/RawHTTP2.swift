import Foundation

/// A client that writes frames of HTTP/2 as it likes, in clear text, and reads nothing unless it is asked to.
final class RawHTTP2 {
  struct Failure: Error {}

  private static let flags = Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)

  private let file: Int32
  private var lastStream: UInt32 = 0

  init(port: Int) throws {
    file = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    let isConnected = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(file, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    guard isConnected else { throw Failure() }
    write(Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + Self.frame(4, 0, 0, []))
  }

  deinit { close(file) }

  /// From now on, ends with a reset of TCP: the server can't write to it then.
  func willReset() {
    var option = linger(l_onoff: 1, l_linger: 0)
    setsockopt(file, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
  }

  static func frame(_ type: UInt8, _ flags: UInt8, _ stream: UInt32, _ payload: [UInt8]) -> [UInt8] {
    let length = UInt32(payload.count)
    return [UInt8(length >> 16), UInt8(length >> 8 & 0xff), UInt8(length & 0xff), type, flags]
      + [24, 16, 8, 0].map { UInt8(stream >> $0 & 0xff) } + payload
  }

  private func nextStream() -> UInt32 {
    lastStream = lastStream == 0 ? 1 : lastStream + 2
    return lastStream
  }

  /// The heads of calls, each but the first of 15 bytes: what they say is in the table of headers by then.
  func shortHeads(_ path: String, _ count: Int) -> [UInt8] {
    var bytes = head(path, literal: 0x40).bytes
    for _ in 1..<count { bytes += Self.frame(1, 4, nextStream(), [0x83, 0x86, 0xc1, 0xc0, 0xbf, 0xbe]) }
    return bytes
  }

  /// The head of a call, with further headers.
  /// - Parameter literal: how they are written; 0x40 puts them into the table of headers.
  func head(
    _ path: String, _ headers: [(String, String)] = [], literal: UInt8 = 0
  ) -> (stream: UInt32, bytes: [UInt8]) {
    let stream = nextStream()
    // POST and http from the static table; the others as literals.
    var block: [UInt8] = [0x83, 0x86]
    for (name, value) in [
      (":path", path), (":authority", "test"), ("content-type", "application/grpc"), ("te", "trailers"),
    ]
      + headers
    {
      block += [literal, UInt8(name.utf8.count)] + name.utf8 + [UInt8(value.utf8.count)] + value.utf8
    }
    return (stream, Self.frame(1, 4, stream, block))
  }

  /// A whole unary call.
  func call(_ path: String, _ headers: [(String, String)] = [], message: [UInt8] = [], flag: UInt8 = 0) -> [UInt8] {
    let (stream, head) = head(path, headers)
    let length = [24, 16, 8, 0].map { UInt8(UInt32(message.count) >> $0 & 0xff) }
    return head + Self.frame(0, 1, stream, [flag] + length + message)
  }

  /// Writes as much as the system takes within a time.
  @discardableResult
  func write(_ bytes: [UInt8], within time: Duration = .seconds(5)) -> Int {
    let end = ContinuousClock.now + time
    var done = 0
    while done < bytes.count, .now < end {
      let count = bytes[done...].withUnsafeBytes { send(file, $0.baseAddress, $0.count, Self.flags) }
      if count > 0 {
        done += count
      } else if errno == EAGAIN {
        usleep(1_000)
      } else {
        break
      }
    }
    return done
  }

  /// Whether the server ends the connection within a time. What it sends before is thrown away.
  func isEnded(within time: Duration) -> Bool {
    let end = ContinuousClock.now + time
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while .now < end {
      let count = recv(file, &buffer, buffer.count, Self.flags)
      if count == 0 || count < 0 && errno != EAGAIN { return true }
      if count < 0 { usleep(1_000) }
    }
    return false
  }

  /// What the server sends, until it holds a text or the time is over.
  func read(until text: String, within time: Duration = .seconds(5)) -> [UInt8] {
    let end = ContinuousClock.now + time
    var all: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while .now < end, all.firstRange(of: Array(text.utf8)) == nil {
      let count = recv(file, &buffer, buffer.count, Self.flags)
      if count == 0 { break }
      if count > 0 { all += buffer.prefix(count) } else { usleep(1_000) }
    }
    return all
  }
}
