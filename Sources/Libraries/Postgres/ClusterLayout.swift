import Glibc

/// Where the parts of an embedded cluster lie.
///
///     directory/owner.lock    held by the process that runs the cluster
///     directory/postgres.log  what the server has to say
///     directory/data          PostgreSQL's data directory, owned by the server's account
///     directory/run           the socket, unless the path is too long or the account cannot get there
struct ClusterLayout: Sendable {
  /// Absolute, without symbolic links.
  let directory: String
  let account: Account
  let socketDirectory: String
  /// As root: a parent directory (such as /root) keeps the server's account out. The server then gets its data
  /// directory as an open descriptor.
  let needsDescriptor: Bool

  var dataDirectory: String { directory + "/data" }
  var unfinishedDataDirectory: String { directory + "/data.new" }
  var logPath: String { directory + "/postgres.log" }
  var lockPath: String { directory + "/owner.lock" }

  static let port = 5432
  /// A unix socket's address holds 107 bytes and a NUL.
  private static let socketPathLimitBytes = 107

  /// Creates `directory` and chooses account and socket directory.
  init(directory requested: String) throws(PostgresError) {
    // Root keeps the directory for itself: the server's account may pass through, and change only what is its own.
    try FileSystem.makeDirectory(requested, mode: geteuid() == 0 ? 0o711 : 0o700)
    guard let directory = FileSystem.resolved(requested) else {
      throw PostgresError(.cluster, "cannot use \(requested): \(describe(errno: errno))")
    }
    self.directory = directory
    account = try Account.forServer(dataDirectory: directory + "/data")
    needsDescriptor = !account.canEnter(directory)
    let wanted = directory + "/run"
    let isFit = wanted.utf8.count + "/.s.PGSQL.\(Self.port)".utf8.count <= Self.socketPathLimitBytes
    // The server takes a list of directories, separated by commas, with quotes.
    let isPlain = wanted.utf8.allSatisfy { $0 > 32 && $0 != UInt8(ascii: ",") && $0 != UInt8(ascii: "\"") }
    if isFit && isPlain && !needsDescriptor {
      socketDirectory = wanted
    } else {
      let base = geteuid() == 0 && access("/run", W_OK) == 0 ? "/run" : "/tmp"
      socketDirectory = "\(base)/trackme-\(account.userID)-\(Self.hash(directory))"
    }
  }

  /// FNV-1a, as 16 hexadecimal digits: the same directory finds the same socket after a restart.
  private static func hash(_ text: String) -> String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
