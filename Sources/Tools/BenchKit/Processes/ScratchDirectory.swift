internal import Console
internal import Glibc

/// A directory that is removed with everything in it when the bench is done.
package final class ScratchDirectory {
  package let path: String

  /// Makes the directory in `TMPDIR`, or else in /var/tmp, which is on a disk.
  package init() throws {
    var template = Array(((Environment()["TMPDIR"] ?? "/var/tmp") + "/trackme-bench-XXXXXX").utf8CString)
    try check(mkdtemp(&template) != nil, "cannot make a temporary directory: \(describeError())")
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    // PostgreSQL's account must be able to pass.
    chmod(path, 0o711)
  }

  deinit { try? ChildProcess(["rm", "-rf", "--", path]).waitForSuccess() }
}
