import ArgumentParser
import Console
import Glibc
import ServiceKit

/// The operator's token where the configuration names none: made at the first start, readable for the owner alone.
struct OperatorTokenFile {
  let path: String

  func readOrCreate() throws -> String {
    if let text = readFile(path) {
      let token = text.filter { !$0.isWhitespace }
      guard token.utf8.count >= 16 else {
        throw ValidationError("\(path) does not hold a token; remove it to get a new one")
      }
      return token
    }
    let token = TokenHash.newToken()
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw ValidationError("cannot write \(path): \(String(cString: strerror(errno)))")
    }
    defer { close(descriptor) }
    let line = token + "\n"
    guard write(descriptor, line, line.utf8.count) == line.utf8.count, fsync(descriptor) == 0 else {
      throw ValidationError("cannot write \(path): \(String(cString: strerror(errno)))")
    }
    return token
  }
}
