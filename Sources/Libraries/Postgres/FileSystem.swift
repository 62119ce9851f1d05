import Glibc

/// The few file operations the embedded cluster needs.
enum FileSystem {
  struct Entry {
    var isDirectory: Bool
    var mode: UInt32
    var owner: UInt32
    var group: UInt32
  }

  /// What is at the path itself; a symbolic link is not followed. nil when there is nothing.
  static func entry(_ path: String) -> Entry? {
    var status = stat()
    guard lstat(path, &status) == 0 else { return nil }
    return Entry(
      isDirectory: status.st_mode & S_IFMT == S_IFDIR, mode: status.st_mode & 0o7777, owner: status.st_uid,
      group: status.st_gid)
  }

  /// Creates a directory and its parents.
  static func makeDirectory(_ path: String, mode: mode_t) throws(PostgresError) {
    if mkdir(path, mode) == 0 || errno == EEXIST { return }
    guard errno == ENOENT, let slash = path.lastIndex(of: "/"), slash != path.startIndex else {
      throw PostgresError(.cluster, "cannot create \(path): \(describe(errno: errno))")
    }
    try makeDirectory(String(path[..<slash]), mode: 0o755)
    guard mkdir(path, mode) == 0 || errno == EEXIST else {
      throw PostgresError(.cluster, "cannot create \(path): \(describe(errno: errno))")
    }
  }

  /// A directory that belongs to `account` and that nobody else can enter. One that exists must be so already: in a
  /// shared place such as /tmp somebody else could have put it there first.
  static func makePrivateDirectory(_ path: String, for account: Account) throws(PostgresError) {
    if mkdir(path, 0o700) == 0 {
      guard chown(path, account.userID, account.groupID) == 0 else {
        throw PostgresError(.cluster, "cannot give \(path) to \(account.name): \(describe(errno: errno))")
      }
      return
    }
    guard errno == EEXIST else { throw PostgresError(.cluster, "cannot create \(path): \(describe(errno: errno))") }
    guard let entry = entry(path), entry.isDirectory, entry.owner == account.userID, entry.mode & 0o077 == 0 else {
      throw PostgresError(
        .cluster, "\(path) exists and is not a directory that only \(account.name) may enter (mode 0700)")
    }
  }

  static func removeTree(_ path: String, logPath: String = "/dev/null") throws(PostgresError) {
    guard entry(path) != nil else { return }
    try ChildProcess.run(.init(arguments: ["/bin/rm", "-rf", "--", path], logPath: logPath))
  }

  /// The absolute path without symbolic links; nil when it does not exist.
  static func resolved(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  static func linkTarget(_ path: String) -> String? {
    var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(path, &buffer, buffer.count)
    return count < 0 ? nil : String(decoding: buffer[..<count], as: UTF8.self)
  }

  /// A small text file, or the end of a large one.
  static func read(_ path: String, lastBytes: Int = 65_536) -> String? {
    let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { Glibc.close(descriptor) }
    let size = lseek(descriptor, 0, SEEK_END)
    // Files under /proc have no size; they are read from the start.
    lseek(descriptor, max(0, size - lastBytes), SEEK_SET)
    var buffer = [UInt8](repeating: 0, count: lastBytes)
    let count = Glibc.read(descriptor, &buffer, buffer.count)
    return count < 0 ? nil : String(decoding: buffer[..<count], as: UTF8.self)
  }

  static func names(in directory: String) -> [String] {
    guard let stream = opendir(directory) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != "." && name != ".." { names.append(name) }
    }
    return names
  }
}
