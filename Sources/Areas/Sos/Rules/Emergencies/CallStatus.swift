/// What is known of an SMS or a voice call that a gateway has. The numbers are those of `trackme.sos.v1.CallStatus`.
///
/// It has been placed when the gateway has queued it, and taken when it is delivered or answered.
public enum CallStatus: Int32, Sendable, Codable {
  case queued = 1
  /// The SMS is with the carrier.
  case sent
  case ringing
  case delivered
  case answered
  case busy
  case noAnswer
  /// Not delivered, cancelled by the gateway, or ended before anybody picked up.
  case failed
  /// The gateway has not said in time what became of it, or knows of none.
  case unconfirmed

  /// Whether somebody has it.
  public var isTaken: Bool { self == .delivered || self == .answered }

  /// Whether nobody has it, for good.
  public var hasFailed: Bool { self == .busy || self == .noAnswer || self == .failed }
}

/// An SMS or a voice call on its way to somebody. It is kept with its emergency, so that whoever goes on after a crash asks
/// what became of it before sending another.
public struct PlacedCall: Sendable, Hashable, Codable {
  /// Counts the calls to the same, from 1. A new one is begun when the one before has failed, or nobody knows of it.
  public var attempt: Int
  /// The gateway's identifier; nil as long as the gateway is not known to have it.
  public var sid: String?
  /// What the gateway has said last of this attempt.
  public var status: CallStatus?

  public init(attempt: Int = 1, sid: String? = nil, status: CallStatus? = nil) {
    self.attempt = attempt
    self.sid = sid
    self.status = status
  }
}
