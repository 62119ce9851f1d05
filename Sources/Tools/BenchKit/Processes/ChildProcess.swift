internal import Console
package import Glibc

/// A program that a bench has started: it gets lines on its standard input and answers with lines.
///
/// It ends with this process, in whatever way this process ends, and is in a process group of its own, so that
/// Ctrl-C reaches the bench alone, which then stops it.
package final class ChildProcess {
  package let processID: pid_t
  private let input: Int32
  private let output: Int32
  private var unread: [UInt8] = []
  private var hasEnded = false

  /// Starts a program, found by its path or in `PATH`.
  ///
  /// - Parameters:
  ///   - environment: all of the program's environment, but for `PATH`.
  ///   - log: the file that gets its standard error; nil means ours.
  package init(_ arguments: [String], environment: [String: String] = [:], log: String? = nil) throws {
    var (toChild, fromChild): ([Int32], [Int32]) = ([0, 0], [0, 0])
    try check(pipe(&toChild) == 0 && pipe(&fromChild) == 0, "no pipe: \(describeError())")
    // Nobody else starts programs meanwhile, which would inherit these.
    for descriptor in toChild + fromChild { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, toChild[0], 0)
    posix_spawn_file_actions_adddup2(&actions, fromChild[1], 1)
    if let log { posix_spawn_file_actions_addopen(&actions, 2, log, O_WRONLY | O_CREAT | O_APPEND, 0o600) }

    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF))

    // `setpriv` replaces itself with the program, which keeps the process number.
    let words = ["setpriv", "--pdeathsig", "TERM", "--"] + arguments
    let path = Environment()["PATH"] ?? "/usr/bin:/bin"
    let settings = ["PATH=\(path)"] + environment.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    var started: pid_t = 0
    let status = withCStringArray(words) { words in
      withCStringArray(settings) { posix_spawnp(&started, words[0]!, &actions, &attributes, words, $0) }
    }
    close(toChild[0])
    close(fromChild[1])
    (processID, input, output) = (started, toChild[1], fromChild[0])
    guard status == 0 else {
      hasEnded = true
      throw BenchError("cannot start \(arguments[0]): \(String(cString: strerror(status)))")
    }
  }

  deinit {
    end(within: .seconds(10))
    close(input)
    close(output)
  }

  /// Whether the program runs.
  package var isRunning: Bool {
    if hasEnded { return false }
    var status: Int32 = 0
    if waitpid(processID, &status, WNOHANG) != 0 { hasEnded = true }
    return !hasEnded
  }

  /// Sends a line.
  package func tell(_ line: String) throws {
    let text = line + "\n"
    try check(Glibc.write(input, text, text.utf8.count) == text.utf8.count, "a child process does not listen")
  }

  /// Takes the next line.
  /// - Throws: when none comes in time, or the program has ended, or the bench is to end.
  package func answer(within limit: Duration) throws -> String {
    let end = ContinuousClock.now + limit
    while true {
      if let newline = unread.firstIndex(of: UInt8(ascii: "\n")) {
        defer { unread.removeSubrange(...newline) }
        return String(decoding: unread[..<newline], as: UTF8.self)
      }
      try Interruption.check()
      var descriptor = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
      guard poll(&descriptor, 1, 100) > 0 else {
        try check(ContinuousClock.now < end, "a child process does not answer")
        continue
      }
      var buffer = [UInt8](repeating: 0, count: 65_536)
      let count = read(output, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      try check(count > 0, "a child process ended without an answer")
      unread += buffer[..<count]
    }
  }

  /// Runs the program to its end.
  package func waitForSuccess() throws {
    var status: Int32 = 0
    while waitpid(processID, &status, 0) < 0 && errno == EINTR {}
    hasEnded = true
    try check(status == 0, "a child process failed")
  }

  /// Asks the program to end, waits for that, and kills it when it takes too long.
  package func end(within limit: Duration) {
    guard isRunning else { return }
    kill(processID, SIGTERM)
    let end = ContinuousClock.now + limit
    while isRunning {
      if ContinuousClock.now > end { kill(processID, SIGKILL) }
      usleep(5_000)
    }
  }
}

/// The text of the C library's last error.
package func describeError() -> String { String(cString: strerror(errno)) }

/// Lends a nil-terminated array of C strings.
private func withCStringArray<R>(
  _ strings: [String], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> R
) -> R {
  var copies = strings.map { strdup($0) } + [nil]
  defer { for copy in copies { free(copy) } }
  return copies.withUnsafeMutableBufferPointer { body($0.baseAddress!) }
}
