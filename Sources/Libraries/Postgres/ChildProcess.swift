import CLibPQ
import Glibc

/// Starts programs with posix_spawn. Never fork: gRPC's threads and locks do not survive one.
package enum ChildProcess {
  package struct Request: Sendable {
    var arguments: [String]
    /// The program's standard output and error are appended here.
    var logPath: String
    /// An open directory handed to the program as descriptor 9, or nil.
    var directoryDescriptor: Int32?
    /// Variables beside the minimal environment, which other users cannot see: the place for a password.
    var environment: [String: String]
    /// Whether Ctrl-C in a terminal reaches the program too.
    var hearsTerminal: Bool

    /// - Parameters:
    ///   - arguments: the program's absolute path first.
    ///   - logPath: the program's standard output and error are appended here.
    ///   - directoryDescriptor: an open directory handed to the program as descriptor 9, or nil.
    ///   - environment: variables beside the minimal environment.
    ///   - hearsTerminal: whether Ctrl-C in a terminal reaches the program too.
    package init(
      arguments: [String], logPath: String, directoryDescriptor: Int32? = nil, environment: [String: String] = [:],
      hearsTerminal: Bool = false
    ) {
      self.arguments = arguments
      self.logPath = logPath
      self.directoryDescriptor = directoryDescriptor
      self.environment = environment
      self.hearsTerminal = hearsTerminal
    }
  }

  /// Descriptor number under which a program finds `Request.directoryDescriptor`.
  static let inheritedDescriptor: Int32 = 9

  /// Starts a program, normally in a process group of its own, so that Ctrl-C in a terminal reaches us and not it, with
  /// default signal handling, a minimal environment, `/` as working directory and no descriptors of ours.
  static func spawn(_ request: Request) throws(PostgresError) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(
      &actions, 1, request.logPath, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW, 0o600)
    posix_spawn_file_actions_adddup2(&actions, 1, 2)
    if let descriptor = request.directoryDescriptor {
      posix_spawn_file_actions_adddup2(&actions, descriptor, inheritedDescriptor)
      for unwanted in 3..<inheritedDescriptor { posix_spawn_file_actions_addclose(&actions, unwanted) }
    }
    posix_spawn_file_actions_addclosefrom_np(
      &actions, request.directoryDescriptor == nil ? 3 : inheritedDescriptor + 1)
    posix_spawn_file_actions_addchdir_np(&actions, "/")

    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    posix_spawnattr_setpgroup(&attributes, 0)
    let group = request.hearsTerminal ? 0 : POSIX_SPAWN_SETPGROUP
    posix_spawnattr_setflags(&attributes, Int16(group | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))

    var pid: pid_t = 0
    let environment =
      ["PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL=C", "TZ=UTC"] + request.environment.map { "\($0)=\($1)" }
    let status = withCStrings(request.arguments) { arguments in
      withCStrings(environment) { environment in
        // posix_spawn's argv is declared mutable for historical reasons; it does not write to it.
        posix_spawn(
          &pid, request.arguments[0], &actions, &attributes, UnsafeMutablePointer(mutating: arguments).mutableStrings,
          UnsafeMutablePointer(mutating: environment).mutableStrings)
      }
    }
    guard status == 0 else {
      throw PostgresError(.cluster, "cannot start \(request.arguments[0]): \(describe(errno: status))")
    }
    return pid
  }

  /// Runs a program to its end; blocks until then.
  ///
  /// - Parameter endsWithUs: who ends us with SIGINT, SIGTERM or SIGHUP ends the program first: we go when it has gone.
  ///   One such program at a time.
  /// - Throws: `PostgresError.Kind.cluster` with the last lines of its output, if it cannot be started or fails.
  package static func run(_ request: Request, endsWithUs: Bool = false) throws(PostgresError) {
    let interruption = endsWithUs ? ForwardedInterruption() : nil
    defer { interruption?.end() }
    let pid = try spawn(request)
    interruption?.forward(to: pid)
    var status: Int32 = 0
    while waitpid(pid, &status, 0) == -1 && errno == EINTR {}
    guard status == 0 else {
      throw PostgresError(.cluster, "\(request.arguments[0]) failed; \(logTail(request.logPath))")
    }
  }

  /// The last lines of a program's output, for an error message.
  static func logTail(_ path: String) -> String {
    guard let text = FileSystem.read(path, lastBytes: 2000) else { return "see \(path)" }
    let lines = text.split(whereSeparator: \.isNewline).suffix(4).map { String($0) }
    return "last lines of \(path): " + lines.joined(separator: "; ")
  }
}

extension UnsafeMutablePointer where Pointee == UnsafePointer<CChar>? {
  fileprivate var mutableStrings: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?> {
    UnsafeMutableRawPointer(self).assumingMemoryBound(to: UnsafeMutablePointer<CChar>?.self)
  }
}

func describe(errno code: Int32) -> String { String(cString: strerror(code)) }
