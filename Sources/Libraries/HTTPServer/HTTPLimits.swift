/// What a server puts up with.
public struct HTTPLimits: Sendable {
  /// Open connections. For one more, the one that has been without a request for longest is closed; where there is none,
  /// the one whose body has been waited for longest, or else the newest.
  public var connections = 1_024
  /// Open connections of one address, or of one /64 of IPv6; one more is closed. Those of this machine are not counted.
  public var connectionsPerAddress = 64
  /// Requests whose answers are being made; further ones are answered with 503. A stream whose head was sent is none.
  public var requests = 256
  /// Of a request's first line and fields; longer ones are answered with 431.
  public var headerBytes = 3 << 10
  /// Of a request's body; a longer one is answered with 413, or cut off where its length was not said before.
  public var bodyBytes = 64 << 10
  /// What a connection may take of memory for its head, 64 bytes for each field, and what is being sent.
  /// 2 KiB more than the head needs have to be left for the answer: the request is answered with 431 otherwise.
  public var connectionBytes = 6 << 10
  /// From the connection to the end of the first head, and from a later head's first line to its end.
  public var headTime: Duration = .seconds(10)
  /// How long a body may be waited for, in all: the time in which the handler does not ask for more does not count.
  public var bodyTime: Duration = .seconds(30)
  /// For the rest of a body that nobody reads any more, as the answer is made: then the connection is cut. Also how long
  /// what still comes is dropped where the answer came before the body.
  public var leftoverTime: Duration = .seconds(2)
  /// For the making of an answer, without the time for the body; then it is 503, and the handler's task is cancelled.
  public var answerTime: Duration = .seconds(20)
  /// In which a client has to take what waits to be sent: an answer, one write of a stream, or 16 KiB of a longer body.
  public var takingTime: Duration = .seconds(20)
  /// From an answer to the first line of the next request.
  public var idleTime: Duration = .seconds(60)
  /// In which answers end after `stop`.
  public var drainTime: Duration = .seconds(5)

  /// Whether addresses of this machine are counted as others are: for tests.
  var countsThisMachine = false

  public init() {}

  /// The shortest of the times, of which a quarter is how exactly they are kept.
  var shortest: Duration { min(headTime, bodyTime, leftoverTime, answerTime, takingTime, idleTime) }
}
