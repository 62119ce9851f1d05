import Glibc

/// Waits on a socket with poll(2).
enum SocketWait {
  /// Something can be read right now (data or end of stream).
  static func isReadable(_ socket: Int32) -> Bool {
    var descriptor = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
    return poll(&descriptor, 1, 0) > 0
  }

  /// Waits until the socket can be read or, if asked, written. A signal or an error counts as ready: the next libpq
  /// call finds out which.
  /// - Returns: false when the time was up.
  @discardableResult
  static func wait(_ socket: Int32, orWritable: Bool, timeoutMilliseconds: Int32 = -1) -> Bool {
    var descriptor = pollfd(fd: socket, events: Int16(POLLIN | (orWritable ? POLLOUT : 0)), revents: 0)
    return poll(&descriptor, 1, timeoutMilliseconds) != 0
  }
}
