/// How far a connection may run ahead of what the server has done for it. Beyond that it is not read.
struct ReadingBounds {
  /// Bytes that are read before the server looks at what they have caused: a rapid reset (CVE-2023-44487) takes some 28,
  /// so this many bytes are so many calls at most.
  var allowance: Int
  /// The shortest pause before the next bytes are read, in which other connections have their turn.
  var pause: Duration
  /// Calls that the client waits for, or has left, and that the server is not done with. A call that has been answered and
  /// goes on counts no more, nor does one whose message has not come: it may be behind what is not read.
  var unfinishedCalls: Int
  /// Calls that the client has left before their answer.
  var resets: TokenBucket
  /// Bytes, where they have a limit of their own.
  var bytes: TokenBucket?
  /// What is read without a turn, where turns are waited for: the handshake of TLS and a few calls, and later one now and
  /// then, such as a health check. Calls count as well: compressed headers of one take some 15 bytes.
  var turnless: (bytes: TokenBucket, calls: TokenBucket)?
  /// Bytes in a row that neither begin a call nor are a message: PING and SETTINGS frames, empty ones, headers without an
  /// end (CVE-2023-33953). Then the connection is ended.
  var emptyBytes: Int
  /// What comes beside whole messages and is gone when it has been read: so much with each message and each call, and so much
  /// a second, such as answers to pings and what widens windows. Of strangers it counts until none of their calls runs, which
  /// is soon.
  var gone: (perMessage: Int, perCall: Int, perSecond: Int)
  /// As many of the longest messages may come in addition by a connection that has had a call.
  var longestMessages: Int

  private static let strangersPause: Duration = .milliseconds(1)

  /// Of connections for whose calls nobody vouches.
  static let stranger = ReadingBounds(
    allowance: 512, pause: strangersPause, unfinishedCalls: 32, resets: TokenBucket(size: 32, perSecond: 20),
    bytes: TokenBucket(size: 256 << 10, perSecond: 256 << 10),
    turnless: (bytes: TokenBucket(size: 2 << 10, perSecond: 128), calls: TokenBucket(size: 16, perSecond: 2)),
    emptyBytes: 64 << 10, gone: (perMessage: 0, perCall: 0, perSecond: 0), longestMessages: 1)
  /// Of connections by which somebody calls who is known, such as a bridge, and of proxies that are trusted.
  static let known = ReadingBounds(
    allowance: 64 << 10, pause: .zero, unfinishedCalls: 1_000,
    resets: TokenBucket(size: 1_000, perSecond: 200), bytes: nil, turnless: nil,
    emptyBytes: 1_024 << 10, gone: (perMessage: 32, perCall: 256, perSecond: 4 << 10), longestMessages: 4)
}

/// So much at once, and then so much a second. It may be overdrawn, by as much as it holds: whoever takes is told how long to
/// wait, and waits no longer for what was taken while nobody looked.
struct TokenBucket {
  let size: Int
  let perSecond: Int
  private var level: Double
  private var last: ContinuousClock.Instant?

  init(size: Int, perSecond: Int) {
    self.size = size
    self.perSecond = perSecond
    level = Double(size)
  }

  /// - Returns: how long it takes until something is there again; 0 where something is left.
  mutating func take(_ count: Int, at now: ContinuousClock.Instant) -> Duration {
    if let last { level = min(Double(size), level + Double(perSecond) * ((now - last) / .seconds(1))) }
    last = now
    level = max(level - Double(count), -Double(size))
    return level > 0 ? .zero : .seconds((1 - level) / Double(perSecond))
  }
}
