/// The number of a third party's request, which is a grant once it is accepted.
public typealias AccessRequestID = Int64

/// The finest detail of time that a grant shows.
public enum Granularity: Int16, Sendable, Hashable, CaseIterable {
  case second = 1
  case minute = 2
  case hour = 3

  /// The length of its intervals.
  public var length: Microseconds {
    switch self {
    case .second: 1_000_000
    case .minute: 60_000_000
    case .hour: 3_600_000_000
    }
  }

  /// The start of the interval that a time lies in.
  public func start(of time: Microseconds) -> Microseconds {
    let remainder = time % length
    return time &- (remainder < 0 ? remainder &+ length : remainder)
  }

  /// The shortest interval of whole seconds, minutes or hours that covers another; ends that stand for no end stay.
  public func widened(_ interval: Range<Microseconds>) -> Range<Microseconds> {
    let lower = interval.lowerBound == .min ? .min : max(start(of: interval.lowerBound), .min + length)
    guard interval.upperBound < .max - length else { return lower..<max(lower, .max) }
    let end = start(of: interval.upperBound)
    return lower..<(end == interval.upperBound ? end : end + length)
  }
}

/// Where a request stands.
public enum AccessState: Int16, Sendable, Hashable, CaseIterable {
  /// The person has not decided.
  case pending = 1
  /// It is a grant.
  case accepted = 2
  /// The person refused it.
  case refused = 3
  /// The third party gave it up.
  case withdrawn = 4
  /// The person ended the grant.
  case revoked = 5
  /// The grant has come to its end, or the request was not paid or not answered in time.
  case expired = 6
  /// Its price is not reserved yet: the person does not know of it.
  case awaitingPayment = 7

  /// Whether nothing can follow.
  public var isFinal: Bool { self != .awaitingPayment && self != .pending && self != .accepted }

  /// Whether the state may follow another.
  public func mayFollow(_ earlier: AccessState) -> Bool {
    switch (earlier, self) {
    case (.awaitingPayment, .pending), (.awaitingPayment, .refused), (.awaitingPayment, .withdrawn): true
    case (.awaitingPayment, .expired), (.pending, .expired): true
    case (.pending, .accepted), (.pending, .refused), (.pending, .withdrawn): true
    case (.accepted, .revoked), (.accepted, .withdrawn), (.accepted, .expired): true
    default: false
    }
  }

  /// The states that this one may follow.
  public var predecessors: [AccessState] { Self.allCases.filter(mayFollow) }
}

/// Which readings of a person a request is for. It never changes.
public struct AccessScope: Sendable, Hashable {
  /// The kinds of readings; not empty.
  public let metrics: Set<MetricID>
  /// Readings taken in it are shown.
  public let time: Range<Microseconds>
  /// How fine they are shown.
  public let granularity: Granularity

  public init(metrics: Set<MetricID>, time: Range<Microseconds>, granularity: Granularity) {
    self.metrics = metrics
    self.time = time
    self.granularity = granularity
  }
}

/// One change of a request's state: an entry of the log.
public struct AccessChange: Sendable, Hashable {
  public let request: AccessRequestID
  public let person: PersonID
  public let thirdParty: AccountID
  /// The state from its position on.
  public let state: AccessState
  /// When it was committed.
  public let time: Microseconds

  public init(
    request: AccessRequestID, person: PersonID, thirdParty: AccountID, state: AccessState, time: Microseconds
  ) {
    self.request = request
    self.person = person
    self.thirdParty = thirdParty
    self.state = state
    self.time = time
  }
}
