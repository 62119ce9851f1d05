public import Domain
internal import Glibc
public import Outbound
public import SosRules
internal import Threads

/// What an `EmergencyDesk` is told when it is made.
public struct DeskConfiguration: Sendable {
  /// Where the journal is kept; made if it is not there.
  public var directory: String
  /// Where calls go by CAP message when no connected dispatcher has taken them, in this order.
  public var webhooks: [any AlertWebhook] = []
  /// For SMS and voice; nil: there is none.
  public var gateways: Gateways?
  /// What is called in an exercise in the place of any other number.
  public var exerciseNumber = ""
  /// What is called where the position is not known.
  public var elsewhere = "112"
  /// The number to call at a latitude and longitude, and the country's ISO 3166-1 alpha-2 code or nothing.
  public var numberAt: @Sendable (Double, Double) -> (number: String, country: String) = { _, _ in ("112", "") }
  /// Names and units of metrics, as they stand.
  public var catalog: @Sendable () -> MetricCatalog = { MetricCatalog([]) }
  /// Who sends CAP messages: an e-mail address, without spaces, commas, `<` and `&`.
  public var sender = "trackme@localhost"
  public var clock = DeskClock()

  /// The longest that a call waits until it is in the journal.
  public var journalWait: Microseconds = 200_000
  /// The longest that somebody at a desk waits until an answer is in the journal.
  public var answerWait: Microseconds = 5_000_000
  /// The longest that whoever has a person forgotten waits until the journal is written anew.
  public var forgetWait: Microseconds = 10_000_000
  /// How long a dispatcher has to accept a call before the next one is told as well.
  public var takeover: Microseconds = 2_000_000
  /// Before the first and every later new attempt: twice as long each time, up to the longest.
  public var firstPause: Microseconds = 1_000_000
  public var longestPause: Microseconds = 30_000_000
  /// How long a gateway may take to say that an SMS was delivered or a call answered, before another is placed.
  public var gatewayPatience: Microseconds = 90_000_000
  /// Before the first question about one, and the longest between two: twice as long each time.
  public var firstLook: Microseconds = 1_000_000
  public var longestLook: Microseconds = 5_000_000
  /// The longest pause before the next attempt where nobody knows whether the one before has arrived: a gateway that
  /// never says so must not make a flood of them.
  public var longestDoubt: Microseconds = 30 * 60_000_000
  /// How long an emergency that is over is kept in memory.
  public var retention: Microseconds = 6 * 3_600_000_000
  /// How long it is tried to tell contacts of a silence.
  public var silencePatience: Microseconds = 3_600_000_000
  /// The most calls of one channel that are under way at once.
  public var channelCallsMax = 16
  /// The most notices of silence that wait; one more is dropped, and that is logged.
  public var silenceNoticesMax = 10_000
  /// The most events of the monitor that wait; beyond it who brings an event does the desk's work for it.
  public var inboxMax = 100_000

  /// - Parameter directory: for the journal, such as DIR/emergencies.
  public init(directory: String) { self.directory = directory }
}

/// Pauses between attempts: twice as long each time.
extension DeskConfiguration {
  /// After attempts that have failed.
  var pauses: BackOff { Self.backOff(firstPause, longestPause) }
  /// After those of which nobody knows.
  var doubts: BackOff { Self.backOff(firstPause, longestDoubt) }
  /// Between questions about one.
  var looks: BackOff { Self.backOff(firstLook, longestLook) }

  private static func backOff(_ first: Microseconds, _ longest: Microseconds) -> BackOff {
    BackOff(initial: .microseconds(first), max: .microseconds(longest), jitter: 0)
  }
}

extension Duration {
  /// Whole microseconds.
  var microseconds: Microseconds { components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000 }
}

/// The gateways for SMS and voice. Each has threads of its own, so that none waits for another.
public struct Gateways: Sendable {
  /// SMS to the emergency number.
  public var sms: any Gateway
  /// Voice calls to the emergency number.
  public var voice: any Gateway
  /// SMS to contacts.
  public var contacts: any Gateway

  public init(sms: any Gateway, voice: any Gateway, contacts: any Gateway) {
    self.sms = sms
    self.voice = voice
    self.contacts = contacts
  }
}

/// The clocks of a desk.
public struct DeskClock: Sendable {
  /// Microseconds since the Unix epoch.
  public var wall: @Sendable () -> Microseconds
  /// Microseconds since some moment; never goes back.
  public var monotonic: @Sendable () -> Microseconds

  /// The system's clocks.
  public init() {
    wall = { Self.read(CLOCK_REALTIME) }
    monotonic = { Self.read(CLOCK_MONOTONIC) }
  }

  public init(wall: @escaping @Sendable () -> Microseconds, monotonic: @escaping @Sendable () -> Microseconds) {
    self.wall = wall
    self.monotonic = monotonic
  }

  private static func read(_ clock: clockid_t) -> Microseconds {
    var now = timespec()
    clock_gettime(clock, &now)
    return Microseconds(now.tv_sec) * 1_000_000 + Microseconds(now.tv_nsec) / 1_000
  }
}

/// What came of a call to somebody outside.
public enum DeliveryOutcome: Sendable, Equatable {
  case taken
  /// A gateway has it, and says how far it is. Without a sid it can't be asked about it.
  case placed(sid: String?, CallStatus)
  /// There was an answer, and it was no.
  case declined(String)
  /// Nobody can have it.
  case failed(String)
  /// Nobody knows whether it was taken.
  case unknown(String)
}

extension DeliveryOutcome {
  /// Every status of success means that it was taken.
  init(_ result: Result<HTTPResponse, OutboundError>) {
    switch result {
    case .success(let response):
      self = (200...299).contains(response.status) ? .taken : .declined("HTTP status \(response.status)")
    case .failure(.outcomeUnknown(let problem)): self = .unknown(problem)
    case .failure(.unreachable(let problem)): self = .failed(problem)
    case .failure(let error): self = .failed("\(error)")
    }
  }
}

/// Somebody who takes CAP messages by HTTP.
public protocol AlertWebhook: Sendable {
  /// Where messages wait for a thread; none by default.
  var queues: [OutboundThreads] { get }

  /// Hands a message over. Returns at once; the completion is called once, from any thread.
  /// - Parameter key: the same for each attempt to hand over the same message.
  func send(_ alert: [UInt8], key: String, completion: @escaping @Sendable (DeliveryOutcome) -> Void)
}

extension AlertWebhook {
  public var queues: [OutboundThreads] { [] }
}
