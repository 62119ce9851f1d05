import Glibc

/// Finds PostgreSQL's server programs.
enum ServerPrograms {
  /// Directory with `initdb` and `postgres`: `TRACKME_POSTGRES_BIN` if set, else the newest of Debian's
  /// `/usr/lib/postgresql/*/bin`, else a directory of `PATH`.
  /// - Parameter majorVersion: only this one will do (an existing cluster can be run by no other).
  static func directory(majorVersion: Int?) throws(PostgresError) -> String {
    if let chosen = getenv("TRACKME_POSTGRES_BIN") {
      let directory = String(cString: chosen)
      guard holdsPrograms(directory) else {
        throw PostgresError(.cluster, "TRACKME_POSTGRES_BIN=\(directory) does not hold initdb and postgres")
      }
      return directory
    }
    let root = "/usr/lib/postgresql"
    let versions = FileSystem.names(in: root).compactMap { Int($0) }.sorted(by: >)
    for version in versions where majorVersion == nil || majorVersion == version {
      let directory = "\(root)/\(version)/bin"
      if holdsPrograms(directory) { return directory }
    }
    let path = getenv("PATH").map { String(cString: $0) } ?? ""
    for directory in path.split(separator: ":").map({ String($0) }) where holdsPrograms(directory) { return directory }
    let wanted = majorVersion.map { "PostgreSQL \($0)" } ?? "PostgreSQL"
    throw PostgresError(
      .cluster,
      "the server programs of \(wanted) were not found; install the Debian package postgresql, "
        + "set TRACKME_POSTGRES_BIN, or set TRACKME_DATABASE_URL to use another server")
  }

  private static func holdsPrograms(_ directory: String) -> Bool {
    access(directory + "/initdb", X_OK) == 0 && access(directory + "/postgres", X_OK) == 0
  }
}
