internal import Crypto
package import ExpenditureRules
internal import Glibc

/// A file that is to be imported.
package struct GivenFile: Sendable {
  /// Where it lies; it stays as it is until the import is over.
  package let path: String
  /// As errors and answers call it.
  package let name: String
  /// nil: the publisher's that its form is known by.
  package let source: FigureSource?

  package init(path: String, name: String, source: FigureSource? = nil) {
    self.path = path
    self.name = name
    self.source = source
  }

  /// What the bytes of a file say, before anybody knows its form.
  struct Facts {
    let sha256: [UInt8]
    /// Whether it ends with the end of a line.
    let endsWithLine: Bool
  }

  /// Reads the file once, in pieces.
  /// - Throws: `ImportProblem`.
  func facts() throws -> Facts {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw unreadable() }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw ImportProblem(file: name, text: "is no regular file")
    }
    var hash = SHA256Stream()
    var last: UInt8 = 0
    let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 16)
    defer { piece.deallocate() }
    while true {
      let count = read(descriptor, piece.baseAddress!, piece.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw unreadable() }
      if count == 0 { break }
      hash.update(UnsafeRawBufferPointer(rebasing: piece[..<count]))
      last = piece[count - 1]
    }
    return Facts(sha256: hash.finish(), endsWithLine: last == 0x0A || last == 0x0D)
  }

  private func unreadable() -> ImportProblem {
    ImportProblem(file: name, text: "cannot be read: \(String(cString: strerror(errno)))")
  }
}

/// What is wrong with a file, and where: nothing of an import is kept.
package struct ImportProblem: Error, Sendable, Hashable, CustomStringConvertible {
  package let file: String
  package let row: Int?
  /// The heading of the column.
  package let column: String?
  package let text: String

  package init(file: String, row: Int? = nil, column: String? = nil, text: String) {
    self.file = file
    self.row = row
    self.column = column
    self.text = text
  }

  package var description: String {
    let places = [row.map { "row \($0)" }, column.map { "column \"\($0)\"" }].compactMap { $0 }
    return ([file] + places).joined(separator: ", ") + ": \(text)"
  }
}

/// Why an import or a publication did not begin.
package enum ReleaseError: Error, Sendable, Hashable {
  /// Another import or publication is running.
  case busy
  /// There is no such release.
  case missing
  /// The etag is not that of the release as it is.
  case stale
  case alreadyPublished
  /// Checks failed, and no reason was given.
  case checksFailed([CheckCount])
}
