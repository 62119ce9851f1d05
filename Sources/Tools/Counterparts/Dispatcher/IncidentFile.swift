internal import ArgumentParser
internal import Console
internal import Glibc
internal import Synchronization

/// The incidents that a dispatcher has met: each one once, on disk before it is accepted.
final class IncidentFile: Sendable {
  /// -1: none.
  private let descriptor: Int32
  private let known: Mutex<Set<String>>

  /// - Parameter path: of a file with a line an incident; nil: incidents are remembered in memory only.
  /// - Throws: `ValidationError` if the file can't be opened.
  init(path: String?) throws {
    guard let path else {
      descriptor = -1
      known = Mutex([])
      return
    }
    descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else {
      throw ValidationError("--incidents: cannot write \(path): \(String(cString: strerror(errno)))")
    }
    // A line that was cut off by a crash has no end; it was never accepted, so it stands alone and counts for nothing.
    let text = readFile(path) ?? ""
    known = Mutex(Set(text.split(separator: "\n").map(String.init)))
    if !text.isEmpty, !text.hasSuffix("\n") { _ = write(descriptor, "\n", 1) }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Writes an incident down unless it is there.
  /// - Returns: whether it is new.
  /// - Throws: `IncidentFileError` if it can't be written: then it must not be accepted.
  func meet(_ id: String) throws -> Bool {
    try known.withLock { known in
      if known.contains(id) { return false }
      if descriptor >= 0 {
        let line = id + "\n"
        guard write(descriptor, line, line.utf8.count) == line.utf8.count, fsync(descriptor) == 0 else {
          throw IncidentFileError(description: "the incident can't be written: \(String(cString: strerror(errno)))")
        }
      }
      known.insert(id)
      return true
    }
  }
}

struct IncidentFileError: Error, CustomStringConvertible {
  let description: String
}
