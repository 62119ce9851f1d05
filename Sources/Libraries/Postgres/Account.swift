import Glibc

/// The operating system account PostgreSQL runs under.
struct Account: Sendable, Equatable {
  let name: String
  let userID: uid_t
  let groupID: gid_t

  static var current: Account { Account(name: "user \(geteuid())", userID: geteuid(), groupID: getegid()) }

  /// PostgreSQL refuses to run as root. As root we run it as the owner of the existing data directory, else as
  /// `postgres`, else as `nobody`; otherwise as ourselves.
  static func forServer(dataDirectory: String) throws(PostgresError) -> Account {
    guard geteuid() == 0 else { return current }
    if let entry = FileSystem.entry(dataDirectory), entry.owner != 0 {
      return Account(name: "user \(entry.owner)", userID: entry.owner, groupID: entry.group)
    }
    guard let account = named("postgres") ?? named("nobody") else {
      throw PostgresError(.cluster, "PostgreSQL refuses to run as root, and there is no user postgres or nobody")
    }
    return account
  }

  static func named(_ name: String) -> Account? {
    var record = passwd()
    var found: UnsafeMutablePointer<passwd>?
    var buffer = [CChar](repeating: 0, count: 16_384)
    guard getpwnam_r(name, &record, &buffer, buffer.count, &found) == 0, found != nil, record.pw_uid != 0 else {
      return nil
    }
    return Account(name: name, userID: record.pw_uid, groupID: record.pw_gid)
  }

  /// The words to put before a command so that it runs under this account and, if asked, ends with the thread that
  /// starts it. `setpriv` replaces itself with the command: the process keeps its id.
  func prefix(endsWithParent: Bool) throws(PostgresError) -> [String] {
    var words: [String] = []
    if userID != geteuid() { words += ["--reuid=\(userID)", "--regid=\(groupID)", "--clear-groups"] }
    if endsWithParent { words += ["--pdeathsig", "INT"] }
    if words.isEmpty { return [] }
    guard
      let setpriv = ["/usr/bin/setpriv", "/bin/setpriv"].first(where: { (path: String) in access(path, X_OK) == 0 })
    else {
      throw PostgresError(.cluster, "setpriv (Debian package util-linux) is needed to run PostgreSQL as \(name)")
    }
    return [setpriv] + words + ["--"]
  }

  /// Whether this account can reach the directory: every parent must let it pass.
  func canEnter(_ directory: String) -> Bool {
    if userID == geteuid() { return true }
    var path = directory
    while true {
      var status = stat()
      guard stat(path, &status) == 0 else { return false }
      let needed: mode_t = status.st_uid == userID ? 0o100 : status.st_gid == groupID ? 0o010 : 0o001
      guard status.st_mode & needed != 0 else { return false }
      guard path != "/", let slash = path.lastIndex(of: "/") else { return true }
      path = slash == path.startIndex ? "/" : String(path[..<slash])
    }
  }
}
