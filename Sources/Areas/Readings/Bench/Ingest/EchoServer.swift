internal import BenchKit
internal import Console
internal import Glibc

/// The C++ server of Tests/Echo, which acknowledges and does nothing else.
final class EchoServer {
  enum Mode: String {
    /// A response for each batch.
    case each
    /// Acknowledgements that would queue behind a write share a response.
    case cumulative
  }

  let address: String
  private let process: ChildProcess

  init(program: String, _ mode: Mode) throws {
    process = try ChildProcess([program, "127.0.0.1:0", mode.rawValue])
    let answer = try process.answer(within: .seconds(10))
    try check(answer.hasPrefix("listen="), "the echo server answers \(answer)")
    address = String(answer.dropFirst("listen=".count))
  }

  deinit { process.end(within: .seconds(10)) }

  /// Processor time taken so far, in microseconds.
  var processorTime: Double { ProcessorTime.of(process.processID) }

  /// Finds the program, and builds it if there is only its source. Nil where neither is at hand.
  static func program() -> String? {
    guard let root = roots.first(where: { access($0 + "/Tests/Echo/Makefile", R_OK) == 0 }) else { return nil }
    let program = root + "/.build/echo/echo_server"
    if access(program, X_OK) != 0 {
      progress("building the C++ echo server")
      try? ChildProcess(["make", "-s", "-C", root + "/Tests/Echo"]).waitForSuccess()
    }
    return access(program, X_OK) == 0 ? program : nil
  }

  /// The working directory, that of this program, and all their parents.
  private static var roots: [String] {
    var roots: [String] = []
    let workingDirectory = realpath(".", nil)
    defer { free(workingDirectory) }
    for start in [workingDirectory.map { String(cString: $0) }, Program.own] {
      var path = start ?? ""
      while !path.isEmpty {
        roots.append(path)
        path = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
      }
    }
    return roots
  }
}
