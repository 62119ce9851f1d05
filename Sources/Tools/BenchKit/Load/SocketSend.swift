internal import Glibc

/// Sends everything over a socket that blocks.
/// - Throws: `BenchError` where the server has closed the connection.
package func sendAll(_ bytes: [UInt8], to descriptor: Int32) throws {
  var sent = 0
  while sent < bytes.count {
    let count = bytes.withUnsafeBytes {
      Glibc.send(descriptor, $0.baseAddress! + sent, bytes.count - sent, Int32(MSG_NOSIGNAL))
    }
    if count < 0, errno == EINTR { continue }
    try check(count > 0, "the server closed a connection")
    sent += count
  }
}
