internal import Domain
internal import ExpenditureRules
internal import Glibc
internal import RPCRuntime
internal import ServiceKit
internal import WireCodec

/// Files of an import as they come in: kept on disk under no name, so that nothing is left of them in any case.
struct SpooledFiles: ~Copyable {
  /// Of all files of an import together.
  static let bytesMax = 512 << 20
  /// Of a piece: with what is around it it is no longer than a message may be.
  static let chunkMax = 1_000_000

  private(set) var head: Trackme_Expenditure_V1_ImportHead?
  private var files: [(descriptor: CInt, name: String, source: FigureSource?, bytes: Int)] = []
  private var bytes = 0

  deinit { for file in files { close(file.descriptor) } }

  /// To be read while this lives.
  var given: [GivenFile] {
    files.map { GivenFile(path: "/proc/self/fd/\($0.descriptor)", name: $0.name, source: $0.source) }
  }

  /// Takes the next piece.
  /// - Throws: INVALID_ARGUMENT for a piece that does not come in its turn and for fields at fault; RESOURCE_EXHAUSTED
  ///   with reason IMPORT_TOO_LARGE.
  mutating func add(_ piece: Trackme_Expenditure_V1_ImportFiguresRequest.OneOf_Piece?) throws {
    switch piece {
    case .head(let head)?:
      guard self.head == nil else { throw RPCStatus.invalidArgument(field: "head", problem: "must come once") }
      if let problem = PlainText.problem(head.note, length: 0...FigureImport.noteMax, isParagraph: true) {
        throw RPCStatus.invalidArgument(field: "head.note", problem: problem)
      }
      self.head = head
    case .file(let file)?:
      try checkBegun("file")
      try begin(file)
    case .chunk(let chunk)?:
      try checkBegun("chunk")
      try append(chunk)
    case nil: throw RPCStatus.invalidArgument(field: "chunk", problem: "must be given, or another piece")
    }
  }

  /// - Throws: INVALID_ARGUMENT where nothing came, or a file without bytes.
  func checkWhole() throws {
    try checkBegun("head")
    guard let last = files.last else { throw RPCStatus.invalidArgument(field: "file", problem: "must be given") }
    guard last.bytes > 0 else { throw RPCStatus.invalidArgument(field: "chunk", problem: "must come after its file") }
  }

  private func checkBegun(_ field: String) throws {
    guard head != nil else { throw RPCStatus.invalidArgument(field: field, problem: "must come after the head") }
  }

  private mutating func begin(_ file: Trackme_Expenditure_V1_FileHead) throws {
    guard files.count < FigureImport.filesMax else {
      throw RPCStatus.invalidArgument(field: "file", problem: "must come at most \(FigureImport.filesMax) times")
    }
    guard files.last?.bytes != 0 else {
      throw RPCStatus.invalidArgument(field: "chunk", problem: "must come after its file")
    }
    var violations = Violations()
    violations.add("file.name", PlainText.problem(file.name, length: 1...200))
    var source: FigureSource?
    if let given = file.source, given != .init() {
      violations.add("file.source.name", PlainText.problem(given.name, length: 1...200))
      violations.add("file.source.licence", PlainText.problem(given.licence, length: 1...100))
      violations.add("file.source.uri", PlainText.problem(given.uri, length: 0...500))
      if !given.uri.isEmpty, !given.uri.hasPrefix("https://"), !given.uri.hasPrefix("http://") {
        violations.add("file.source.uri", "must begin with https:// or http://")
      }
      source = FigureSource(name: given.name, licence: given.licence, uri: given.uri)
    }
    try violations.check()
    files.append((try Self.nameless(), file.name, source, 0))
  }

  private mutating func append(_ chunk: [UInt8]) throws {
    guard let last = files.indices.last else {
      throw RPCStatus.invalidArgument(field: "chunk", problem: "must come after its file")
    }
    guard 1...Self.chunkMax ~= chunk.count else {
      throw RPCStatus.invalidArgument(field: "chunk", problem: "must have 1 to \(Self.chunkMax) bytes")
    }
    bytes += chunk.count
    guard bytes <= Self.bytesMax else {
      throw RPCStatus.failure(
        .resourceExhausted, reason: "IMPORT_TOO_LARGE",
        message: "files of an import have at most \(Self.bytesMax >> 20) MiB together",
        metadata: ["limit": "\(Self.bytesMax)"])
    }
    files[last].bytes += chunk.count
    var written = 0
    while written < chunk.count {
      let count = chunk.withUnsafeBytes { write(files[last].descriptor, $0.baseAddress! + written, $0.count - written) }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw SpoolError(reason: String(cString: strerror(errno))) }
      written += count
    }
  }

  private static func nameless() throws -> CInt {
    let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var path = Array((folder + "/trackme-figures-XXXXXX").utf8CString)
    let descriptor = mkstemp(&path)
    guard descriptor >= 0 else { throw SpoolError(reason: String(cString: strerror(errno))) }
    unlink(path)
    // Programs that the server starts need not have it.
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    return descriptor
  }

  /// Is for the log alone.
  struct SpoolError: Error { let reason: String }
}
