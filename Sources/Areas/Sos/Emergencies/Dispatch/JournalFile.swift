internal import Glibc

/// Why a journal can't be kept: the system's words.
public struct JournalError: Error, Sendable, CustomStringConvertible {
  public let description: String

  init(_ doing: String, _ path: String) { description = "cannot \(doing) \(path): \(String(cString: strerror(errno)))" }

  init(_ description: String) { self.description = description }
}

/// A file that only grows, until it is replaced as a whole. Used from one thread.
struct JournalFile: ~Copyable {
  let path: String
  private let directory: String
  private var file: Int32
  /// Held for as long as the journal is open: two servers would call twice.
  private let lock: Int32
  /// How long the file is.
  private(set) var count: Int

  /// Opens "journal" in a directory; both are made if they are not there, for their owner alone.
  init(directory: String) throws(JournalError) {
    guard mkdir(directory, 0o700) == 0 || errno == EEXIST else { throw JournalError("make", directory) }
    // Without its folder a journal that the disk has can't be found again.
    try Self.sync(folder: directory + "/..")
    let lock = open(directory + "/lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard lock >= 0 else { throw JournalError("open", directory + "/lock") }
    guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
      defer { close(lock) }
      guard errno == EWOULDBLOCK else { throw JournalError("lock", directory) }
      throw JournalError("another server is running on this data directory: \(directory) is in use")
    }
    let path = directory + "/journal"
    let file = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard file >= 0 else {
      close(lock)
      throw JournalError("open", path)
    }
    self.lock = lock
    self.directory = directory
    self.path = path
    self.file = file
    count = Int(lseek(file, 0, SEEK_END))
  }

  deinit {
    close(file)
    close(lock)
  }

  /// A part of the file.
  func bytes(_ range: Range<Int>) throws(JournalError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: range.count)
    var done = 0
    while done < bytes.count {
      let read = bytes.withUnsafeMutableBytes {
        pread(file, $0.baseAddress! + done, $0.count - done, off_t(range.lowerBound + done))
      }
      if read < 0, errno == EINTR { continue }
      guard read > 0 else { throw JournalError("read", path) }
      done += read
    }
    return bytes
  }

  /// Adds bytes, and returns when the disk has them.
  mutating func append(_ bytes: [UInt8]) throws(JournalError) {
    try Self.write(bytes, to: file, path)
    guard fdatasync(file) == 0 else { throw JournalError("write", path) }
    count += bytes.count
  }

  /// Puts other contents in the place of all. A crash leaves the old contents or the new ones.
  mutating func replace(with bytes: [UInt8]) throws(JournalError) {
    let temporary = path + ".new"
    let next = open(temporary, O_RDWR | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0o600)
    guard next >= 0 else { throw JournalError("make", temporary) }
    do throws(JournalError) {
      try Self.write(bytes, to: next, temporary)
      guard fsync(next) == 0, rename(temporary, path) == 0 else { throw JournalError("write", temporary) }
      try Self.sync(folder: directory)
    } catch {
      close(next)
      throw error
    }
    close(file)
    file = next
    count = bytes.count
  }

  /// Returns when the disk has the names that are in a folder.
  private static func sync(folder path: String) throws(JournalError) {
    let folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { throw JournalError("open", path) }
    defer { close(folder) }
    guard fsync(folder) == 0 else { throw JournalError("write", path) }
  }

  private static func write(_ bytes: [UInt8], to file: Int32, _ path: String) throws(JournalError) {
    var done = 0
    while done < bytes.count {
      let written = bytes.withUnsafeBytes { Glibc.write(file, $0.baseAddress! + done, $0.count - done) }
      if written < 0, errno == EINTR { continue }
      guard written > 0 else { throw JournalError("write", path) }
      done += written
    }
  }
}
