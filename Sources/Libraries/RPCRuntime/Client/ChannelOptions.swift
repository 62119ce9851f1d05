/// How a channel reaches its server.
public enum ClientSecurity: Sendable {
  /// HTTP/2 in clear text.
  case plaintext
  /// HTTP/2 over TLS.
  case tls(ClientTLS)
}

/// Whom a client trusts, and who it says it is. All texts are PEM.
public struct ClientTLS: Sendable {
  /// The authorities trusted; nil means the system's.
  public var rootCertificates: String?
  /// The client's certificate with its chain, for mutual TLS.
  public var certificateChain: String?
  /// The client certificate's private key.
  public var privateKey: String?
  /// The name the server's certificate must carry, where it differs from the target's host.
  public var serverName: String?

  /// Makes a setting.
  public init(
    rootCertificates: String? = nil, certificateChain: String? = nil, privateKey: String? = nil,
    serverName: String? = nil
  ) {
    self.rootCertificates = rootCertificates
    self.certificateChain = certificateChain
    self.privateKey = privateKey
    self.serverName = serverName
  }
}

/// How a channel connects, and what it takes from its server.
public struct ChannelOptions: Sendable {
  /// The longest message taken, in bytes. A longer one ends its call with RESOURCE_EXHAUSTED.
  public var maxReceiveMessageBytes = 16 << 20
  /// The largest response headers or trailers taken, in bytes.
  public var maxMetadataBytes = 16 << 10
  /// Pings to the server, to notice one that vanished; nil sends none.
  public var keepalive: Keepalive?
  /// Gives the channel a connection of its own. Without it, channels of the same target and options share one.
  public var usesOwnConnection = false
  /// Calls wait for a connection instead of failing with UNAVAILABLE when there is none.
  public var waitsForReady = false
  /// The longest pause between two attempts to connect; the first pause is at most a second.
  public var maxReconnectBackoff: Duration = .seconds(5)
  /// Replaces the target as the authority that calls are addressed to.
  public var authority: String?
  /// Put before gRPC's own in the `user-agent` header.
  public var userAgent: String?
  /// Whether the proxies named in the environment are used.
  public var usesHTTPProxy = false

  /// Makes options with the defaults.
  public init() {}
}
