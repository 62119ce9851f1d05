import CLibPQ

/// Where a PostgreSQL server is and how to log in. Printing it never shows the password.
public struct ConnectionConfiguration: Sendable, CustomStringConvertible, CustomReflectable {
  /// libpq keywords (`host`, `port`, `user`, …) and their values.
  private var keywords: [String: String]

  /// Limit for one attempt to connect; libpq counts whole seconds and no fewer than 2.
  public var connectTimeout: Duration = .seconds(5)

  /// Shown in `pg_stat_activity`.
  public var applicationName = "trackme"

  /// Server settings of the session, such as `["statement_timeout": "5s"]`; sent with the connection request.
  public var options: [String: String] = [:]

  /// Parses a `postgresql://user:password@host:port/database?option=value` URL or a libpq `key=value` string.
  /// - Throws: `PostgresError.Kind.configuration`, with no part of the string in the message.
  public init(url: String) throws(PostgresError) {
    var keywords: [String: String] = [:]
    var problem: UnsafeMutablePointer<CChar>?
    defer { PQfreemem(problem) }
    // libpq's own message quotes the string, password included, so it is not passed on.
    guard !url.utf8.contains(0), let options = PQconninfoParse(url, &problem) else {
      throw PostgresError(
        .configuration,
        "the database URL cannot be parsed; expected postgresql://user:password@host:port/database, "
          + "with special characters in the password percent-encoded")
    }
    defer { PQconninfoFree(options) }
    var option = options
    while let keyword = option.pointee.keyword {
      if let value = option.pointee.val { keywords[String(cString: keyword)] = String(cString: value) }
      option += 1
    }
    // An unencoded `@` in a password ends up in the host, and from there in every error message.
    if keywords["host"]?.contains("@") == true {
      throw PostgresError(.configuration, "the database URL has a second @: percent-encode it in the password as %40")
    }
    self.keywords = keywords
  }

  /// A server on a unix socket: `socketDirectory` holds `.s.PGSQL.<port>`.
  public init(socketDirectory: String, port: Int = 5432, user: String, database: String) {
    keywords = ["host": socketDirectory, "port": String(port), "user": user, "dbname": database]
  }

  /// Name of the database to log in to, if the configuration says.
  public var database: String? { keywords["dbname"] }

  /// Directory of the unix socket or host name, if the configuration says.
  public var host: String? { keywords["host"] }

  /// User to log in as, if the configuration says.
  public var user: String? { keywords["user"] }

  /// What libpq reads from the environment to connect in the same way: for programs that we start. It holds the
  /// password, which an argument would show to everybody on this machine.
  public var environment: [String: String] {
    var variables: [String: String] = [:]
    let names = [
      "host": "PGHOST", "hostaddr": "PGHOSTADDR", "port": "PGPORT", "user": "PGUSER", "dbname": "PGDATABASE",
      "password": "PGPASSWORD", "passfile": "PGPASSFILE", "sslmode": "PGSSLMODE", "sslrootcert": "PGSSLROOTCERT",
      "sslcert": "PGSSLCERT", "sslkey": "PGSSLKEY", "channel_binding": "PGCHANNELBINDING",
    ]
    for (keyword, name) in names { variables[name] = keywords[keyword] }
    return variables
  }

  /// Port, if the configuration says.
  public var port: String? { keywords["port"] }

  /// The same server and user, another database.
  public func with(database: String) -> ConnectionConfiguration {
    var copy = self
    copy.keywords["dbname"] = database
    return copy
  }

  /// Host, port, user and database; neither the password nor other options.
  public var description: String {
    let shown = ["host", "port", "user", "dbname"].compactMap { key in keywords[key].map { "\(key)=\($0)" } }
    return "ConnectionConfiguration(\(shown.joined(separator: " ")))"
  }

  /// What `dump` and debuggers show: no more than `description`.
  public var customMirror: Mirror { Mirror(self, children: ["description": description]) }

  /// The keywords and values for `PQconnectdbParams`, as nil-terminated arrays valid in `body` only.
  func withConnectArrays<R>(
    _ body: (UnsafePointer<UnsafePointer<CChar>?>, UnsafePointer<UnsafePointer<CChar>?>) -> R
  ) -> R {
    var all = keywords
    if all["connect_timeout"] == nil { all["connect_timeout"] = String(max(1, connectTimeout.components.seconds)) }
    if all["keepalives_idle"] == nil { all["keepalives_idle"] = "30" }
    if all["tcp_user_timeout"] == nil { all["tcp_user_timeout"] = "15000" }
    all["application_name"] = all["application_name"] ?? applicationName
    all["client_encoding"] = "UTF8"
    if !options.isEmpty {
      let extra = options.sorted { $0.key < $1.key }.map { "-c \($0.key)=\(Self.escaped($0.value))" }
      all["options"] = ([all["options"]].compactMap { $0 } + extra).joined(separator: " ")
    }
    let pairs = all.sorted { $0.key < $1.key }
    return withCStrings(pairs.map(\.key)) { keys in withCStrings(pairs.map(\.value)) { body(keys, $0) } }
  }

  /// The `options` keyword is split at spaces; a backslash protects them.
  private static func escaped(_ value: String) -> String {
    value.map { $0 == " " || $0 == "\\" ? "\\\($0)" : String($0) }.joined()
  }
}

/// Calls `body` with a nil-terminated array of C strings, valid during the call.
func withCStrings<R>(_ strings: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> R) -> R {
  var starts: [Int] = []
  var bytes: [CChar] = []
  for string in strings {
    starts.append(bytes.count)
    bytes.append(contentsOf: string.utf8CString)
  }
  return bytes.withUnsafeBufferPointer { storage in
    var pointers = starts.map { UnsafePointer<CChar>?.some(storage.baseAddress! + $0) }
    pointers.append(nil)
    return pointers.withUnsafeBufferPointer { body($0.baseAddress!) }
  }
}
