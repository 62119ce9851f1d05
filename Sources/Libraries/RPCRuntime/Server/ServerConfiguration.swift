/// How a server listens, and what it lets clients do.
public struct ServerConfiguration: Sendable {
  /// Where to listen: `HOST:PORT` (port 0 takes a free one), `[::]:PORT`, or `unix:/PATH`.
  public var listenAddresses: [String]
  /// TLS on every address; nil serves in clear text.
  public var tls: ServerTLS?
  /// The proxies whose `x-forwarded-for` says who is behind them.
  public var trustedProxies = TrustedProxies()

  /// The longest message taken from a client, in bytes, where a method has no limit of its own. A longer one ends its
  /// call with RESOURCE_EXHAUSTED.
  public var maxReceiveMessageBytes = 4 << 20
  /// What may have come of messages that are not whole yet, in bytes, by all connections for which somebody vouches: it is in
  /// memory. What else comes while a call runs, such as headers, may count as well for a while. Beyond it the connections
  /// with most of it are ended.
  public var maxUnsettledBytes = 256 << 20
  /// The same for connections for which nobody vouches.
  public var maxStrangersUnsettledBytes = 64 << 20
  /// How long a message may be that came compressed, in bytes, where nobody vouches for its client: decompressing it costs a
  /// thousand times what its bytes do.
  public var maxStrangerDecompressedBytes = 64 << 10
  /// The largest request headers taken, in bytes.
  public var maxMetadataBytes = 16 << 10
  /// Calls that one connection may have open; a client keeps more waiting on its side.
  public var maxConcurrentStreamsPerConnection = 1_000
  /// Connections at once. For one more, the connection that has been without a call for longest is closed; where each
  /// has a call, the new one is.
  public var maxConnections = 50_000
  /// Connections of one client's address at once; for one more, the same holds among these. Those of the trusted proxies
  /// and of this machine are not counted.
  public var maxConnectionsPerAddress = 256
  /// Whether this machine's connections are counted by address as well: for tests.
  public var limitsThisMachine = false
  /// Calls that the server runs at once; more are refused with RESOURCE_EXHAUSTED. One in 20 is kept for calls whose
  /// standing is `vital`, and for checks.
  public var maxConcurrentCalls = 100_000
  /// Calls from one address at once; more are refused. Calls from this machine are not counted by address.
  public var maxCallsPerAddress = 10_000
  /// Calls at once for whose callers nobody vouches; for a further one the oldest ends, first of those that have not
  /// sent a message.
  public var maxStrangerCalls = 2_000
  /// Such calls from one address; more are refused.
  public var maxStrangerCallsPerAddress = 100
  /// Such calls whose handlers have not begun: they share one thread. More are refused.
  public var maxStrangersWaiting = 512
  /// While strangers begin more calls than there is time for, one of those who need a turn has it each so long: who begins
  /// many calls by ever new connections, which need none, keeps nobody out.
  public var strangersTurnInterval: Duration = .milliseconds(20)
  /// Calls at once that ask about the server itself; for a further one the oldest ends, as above.
  public var maxCheckCalls = 1_000
  /// Such calls from one address; more are refused. Calls from this machine are not counted by address.
  public var maxCheckCallsPerAddress = 100
  /// How long a client may take for its first message, which may be long where lines are slow; then its call ends with
  /// DEADLINE_EXCEEDED.
  public var firstMessageTime: Duration = .seconds(30)
  /// The same where nobody vouches for the client.
  public var strangerFirstMessageTime: Duration = .seconds(10)
  /// Calls of one loop that may wait for their first messages as long as that. While there are more, which happens only
  /// where callers hold calls that they say nothing in, each has `crowdedFirstMessageTime`: one takes some 10 KB.
  public var maxSilentCallsPerLoop = 1_000
  /// What clients have for their first messages where too many say nothing.
  public var crowdedFirstMessageTime: Duration = .seconds(2)
  /// Calls each loop stands ready to accept before it has seen one.
  public var requestedCallsPerLoop = 32

  /// Pings to clients, to notice those that vanished.
  public var keepalive = Keepalive(interval: .seconds(30), timeout: .seconds(10))
  /// Pings closer together than this, on a connection without calls, count as misbehaviour of the client; 0 takes all.
  public var minClientPingInterval: Duration = .zero
  /// How long a client may take for the TLS and HTTP/2 handshakes.
  public var handshakeTimeout: Duration = .seconds(20)
  /// A connection without calls is closed after this long; nil keeps it.
  public var maxConnectionIdle: Duration?
  /// A connection is told to go after this long; nil keeps it.
  public var maxConnectionAge: Duration?
  /// How long the calls of a connection that was told to go may still run.
  public var maxConnectionAgeGrace: Duration?
  /// Whether bandwidth is probed to widen flow control windows: better for large messages over long distances, a few
  /// pings more.
  public var probesBandwidth = true

  /// Makes a configuration with the defaults.
  public init(listenAddresses: [String] = ["127.0.0.1:0"], tls: ServerTLS? = nil) {
    self.listenAddresses = listenAddresses
    self.tls = tls
  }

  var callRoom: CallRoomLimits {
    CallRoomLimits(
      maxCalls: maxConcurrentCalls, maxPerAddress: maxCallsPerAddress, maxStrangers: maxStrangerCalls,
      maxStrangersPerAddress: maxStrangerCallsPerAddress, maxChecks: maxCheckCalls,
      maxChecksPerAddress: maxCheckCallsPerAddress)
  }
}

/// HTTP/2 pings that notice a peer that has vanished.
public struct Keepalive: Sendable, Equatable {
  /// The time without traffic after which a ping is sent.
  public var interval: Duration
  /// How long its answer may take before the connection is given up.
  public var timeout: Duration

  /// Makes a setting.
  public init(interval: Duration, timeout: Duration) {
    self.interval = interval
    self.timeout = timeout
  }
}

/// A server's certificate, and what it asks of clients. All texts are PEM.
public struct ServerTLS: Sendable {
  /// Whether clients show a certificate.
  public enum ClientCertificate: Sendable {
    /// Clients are not asked.
    case ignored
    /// A client that shows one must be verified by `clientCertificateAuthority`.
    case verifiedIfShown
    /// Every client must show one that `clientCertificateAuthority` verifies (mutual TLS).
    case required
  }

  /// The server's certificate with its chain.
  public var certificateChain: String
  /// The certificate's private key.
  public var privateKey: String
  /// The authority of client certificates; nil means clients are not asked.
  public var clientCertificateAuthority: String?
  /// What is asked of clients.
  public var clientCertificate: ClientCertificate

  /// Makes a setting; with an authority clients must show a certificate, unless said otherwise.
  public init(
    certificateChain: String, privateKey: String, clientCertificateAuthority: String? = nil,
    clientCertificate: ClientCertificate? = nil
  ) {
    self.certificateChain = certificateChain
    self.privateKey = privateKey
    self.clientCertificateAuthority = clientCertificateAuthority
    self.clientCertificate = clientCertificate ?? (clientCertificateAuthority == nil ? .ignored : .required)
  }
}
