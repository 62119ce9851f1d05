import Glibc

/// A lock on a file, held until this object goes away or the process ends, however it ends.
final class DirectoryLock: Sendable {
  private let descriptor: Int32

  /// - Throws: `PostgresError.Kind.cluster` when another process (or object) holds the lock.
  init(path: String) throws(PostgresError) {
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw PostgresError(.cluster, "cannot open \(path): \(describe(errno: errno))") }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      close(descriptor)
      let owner = FileSystem.read(path)?.prefix { !$0.isNewline } ?? ""
      throw PostgresError(
        .cluster, "the database directory is in use by another process\(owner.isEmpty ? "" : " (\(owner))"): \(path)")
    }
    ftruncate(descriptor, 0)
    let text = Array("process \(getpid())\n".utf8)
    _ = write(descriptor, text, text.count)
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }
}
