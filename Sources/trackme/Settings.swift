import ArgumentParser
import Console
import Domain
import Glibc
import HTTPServer
import Logging
import RPCRuntime

/// What a server is told by its command line and environment. Areas read their own. docs/configuration.md lists
/// every variable.
struct Settings {
  let listen: String
  let dataDirectory: String
  let databaseURL: String?
  let operatorToken: String
  /// Where the operator's token is found, for the log; never the token.
  let operatorTokenOrigin: String
  let tls: ServerTLS?
  let trustedProxies: TrustedProxies
  /// Where metrics can be read; nil: nowhere.
  let metrics: ListenAddress?
  let heartbeat: Duration
  /// The longest that readings stay in the log before they are in chunks.
  let compactionAge: Duration
  let isInsecure: Bool
  let drainTime: Duration
  let loops: Int
  let logLevel: Logger.Level

  /// - Parameter isInsecure: others may reach it without encryption, because a proxy encrypts.
  init(listen: String, dataDirectory: String, isInsecure: Bool) throws {
    let environment = Environment()
    tls = try environment.tls()
    guard tls != nil || isInsecure || ListenAddress.staysOnThisMachine(listen) else {
      throw ValidationError(
        "--listen: \(listen) can be reached from other machines, and nothing would be encrypted. Set "
          + "TRACKME_TLS_CERTIFICATE and TRACKME_TLS_KEY, or add --insecure if a proxy in front encrypts.")
    }
    guard let proxies = TrustedProxies(environment["TRACKME_TRUSTED_PROXIES"] ?? "") else {
      throw ValidationError(
        "TRACKME_TRUSTED_PROXIES must be addresses and networks separated by commas, such as 127.0.0.1,10.0.0.0/8")
    }
    trustedProxies = proxies
    metrics = try environment["TRACKME_METRICS_LISTEN"].map { text in
      guard let address = ListenAddress(text) else {
        throw ValidationError("TRACKME_METRICS_LISTEN: \(text) must be host:port")
      }
      // They are of nobody; but when a server has most to do, and what it can't do, is not for everybody.
      guard address.isLoopback || isInsecure else {
        throw ValidationError(
          "TRACKME_METRICS_LISTEN: \(text) can be reached from other machines, and nothing would be encrypted. Listen on "
            + "127.0.0.1, or add --insecure if the network between is yours alone.")
      }
      return address
    }
    self.listen = listen
    self.isInsecure = isInsecure
    self.dataDirectory = dataDirectory
    guard mkdir(dataDirectory, 0o711) == 0 || errno == EEXIST else {
      throw ValidationError("--data-dir: cannot make \(dataDirectory): \(String(cString: strerror(errno)))")
    }
    databaseURL = environment["TRACKME_DATABASE_URL"]
    if let token = environment["TRACKME_OPERATOR_TOKEN"] {
      guard token.utf8.count >= 16, token.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else {
        throw ValidationError("TRACKME_OPERATOR_TOKEN must be at least 16 printable ASCII characters")
      }
      operatorToken = token
      operatorTokenOrigin = "TRACKME_OPERATOR_TOKEN"
    } else {
      let file = OperatorTokenFile(path: dataDirectory + "/operator.token")
      operatorToken = try file.readOrCreate()
      operatorTokenOrigin = file.path
    }
    heartbeat = .milliseconds(try environment.number("TRACKME_HEARTBEAT_MS", 100...3_600_000) ?? 10_000)
    compactionAge = .seconds(try environment.number("TRACKME_COMPACTION_SECONDS", 1...3_600) ?? 15)
    drainTime = .milliseconds(try environment.number("TRACKME_DRAIN_MS", 0...600_000) ?? 5_000)
    // Measured on two cores: with a loop a core, twice as many deliveries as with one, and no fewer readings taken in.
    loops = try environment.number("TRACKME_LOOPS", 1...64) ?? max(1, min(8, sysconf(Int32(_SC_NPROCESSORS_ONLN))))
    let level = environment["TRACKME_LOG_LEVEL"] ?? "info"
    guard let logLevel = Logger.Level(rawValue: level) else {
      throw ValidationError(
        "TRACKME_LOG_LEVEL must be one of \(Logger.Level.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    self.logLevel = logLevel
  }
}

extension Environment {
  /// The server's certificate, if one is configured.
  func tls() throws -> ServerTLS? {
    guard let certificate = self["TRACKME_TLS_CERTIFICATE"] else { return nil }
    guard let key = self["TRACKME_TLS_KEY"] else {
      throw ValidationError("TRACKME_TLS_CERTIFICATE needs TRACKME_TLS_KEY")
    }
    return ServerTLS(
      certificateChain: try text("TRACKME_TLS_CERTIFICATE", at: certificate),
      privateKey: try text("TRACKME_TLS_KEY", at: key),
      clientCertificateAuthority: try self["TRACKME_TLS_CLIENT_CA"].map { try text("TRACKME_TLS_CLIENT_CA", at: $0) })
  }

  private func text(_ name: String, at path: String) throws -> String {
    guard let text = readFile(path) else { throw ValidationError("\(name): cannot read \(path)") }
    return text
  }
}
