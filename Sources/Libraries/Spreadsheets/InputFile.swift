internal import Glibc

/// A regular file that is open for reading.
final class InputFile {
  let path: String
  let size: Int
  private let descriptor: CInt

  init(_ path: String, maxBytes: Int) throws(TableError) {
    // O_NONBLOCK: a pipe that nobody writes to must not hold us up before it is refused.
    descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw Self.error("cannot be opened") }
    self.path = path
    var status = stat()
    let isKnown = fstat(descriptor, &status) == 0
    size = Int(status.st_size)
    guard isKnown, status.st_mode & S_IFMT == S_IFREG else { throw TableError("is no regular file") }
    guard size > 0 else { throw TableError("is empty") }
    guard size <= maxBytes else { throw TableError("has \(size) bytes; at most \(maxBytes) are read") }
  }

  deinit { close(descriptor) }

  /// Fills as much of `buffer` as the file has from `offset` on.
  /// - Returns: how many bytes; fewer than the buffer holds at the end of the file only.
  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(TableError) -> Int {
    var filled = 0
    while filled < buffer.count {
      let count = pread(descriptor, buffer.baseAddress! + filled, buffer.count - filled, off_t(offset + filled))
      if count == 0 { break }
      if count > 0 { filled += count } else if errno != EINTR { throw Self.error("cannot be read") }
    }
    return filled
  }

  /// At most `count` bytes, fewer at the end of the file.
  func bytes(at offset: Int, count: Int) throws(TableError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var failure: TableError?
    let filled = bytes.withUnsafeMutableBytes { buffer in
      do throws(TableError) { return try read(into: buffer, at: offset) } catch { failure = error }
      return 0
    }
    if let failure { throw failure }
    return Array(bytes.prefix(filled))
  }

  private static func error(_ what: String) -> TableError {
    TableError("\(what): \(String(cString: strerror(errno)))")
  }
}
