public import Domain
public import Payments
internal import Postgres
public import RacesRules

/// Where a person's enrolment is; the numbers of `trackme.races.v1.EnrolmentState`.
public enum EnrolmentState: Int16, Sendable, Hashable, CaseIterable {
  /// On the waiting list.
  case waiting = 1
  /// A place is held until the fee is paid.
  case awaitingPayment = 2
  case enrolled = 3
  case withdrawn = 4
  /// The fee was not paid in time.
  case expired = 5
}

/// A person's enrolment as it is stored.
public struct EnrolmentRecord: Sendable, Hashable {
  public let race: RaceID
  public let person: PersonID
  public let state: EnrolmentState
  /// 0 where there is none.
  public let number: BibNumber
  /// As spectators see it.
  public let runnerName: String
  /// Of the account, for organisers; empty where it has none.
  public let username: String
  /// By which the waiting list is ordered.
  public let queuePlace: Int64
  /// On the waiting list, from 1; 0 if not waiting.
  public internal(set) var waitingPosition: Int32
  /// A UUID; nil without a fee.
  public let payment: String?
  public let paymentState: PaymentState?
  /// Where the person pays, once the provider has said so.
  public let paymentURL: String
  /// Until when the place is held for the payment.
  public let heldUntil: Microseconds?
  public let isPresent: Bool
  public let isDisqualified: Bool

  /// Where somebody who waits is on the list: who comes last, as those who have just come, is found at once.
  static let position = """
    CASE e.state WHEN \(EnrolmentState.waiting.sql) THEN (SELECT waiting_count FROM race WHERE id = e.race)
      - (SELECT count(*) FROM race_enrolment w
        WHERE w.race = e.race AND w.state = \(EnrolmentState.waiting.sql) AND w.queue_place > e.queue_place)
    ELSE 0 END::integer AS position
    """

  /// What `init(rows:row:)` reads, of race_enrolment `e` with a position, and `joins`.
  static let columns = """
    e.race, e.person, e.state::integer, coalesce(e.number, 0), e.runner_name, coalesce(a.username, ''), e.queue_place,
    e.position,
    e.payment::text, p.state::integer, coalesce(p.payment_url, ''), e.held_until, e.is_present, e.is_disqualified
    """
  static let joins = "JOIN account a ON a.id = e.person LEFT JOIN payment p ON p.id = e.payment"

  init(_ rows: Result, _ row: Int) throws {
    race = try rows.int64(row, 0)
    person = try rows.int64(row, 1)
    guard let state = EnrolmentState(rawValue: Int16(truncatingIfNeeded: try rows.int32(row, 2))) else {
      throw PostgresError(.decoding, "an enrolment in an unknown state")
    }
    self.state = state
    number = try rows.int32(row, 3)
    runnerName = try rows.string(row, 4)
    username = try rows.string(row, 5)
    queuePlace = try rows.int64(row, 6)
    waitingPosition = try rows.int32(row, 7)
    payment = rows.isNull(row, 8) ? nil : try rows.string(row, 8)
    paymentState =
      rows.isNull(row, 9) ? nil : PaymentState(rawValue: Int16(truncatingIfNeeded: try rows.int32(row, 9)))
    paymentURL = try rows.string(row, 10)
    heldUntil = rows.isNull(row, 11) ? nil : try rows.timestamptz(row, 11)
    isPresent = try rows.bool(row, 12)
    isDisqualified = try rows.bool(row, 13)
  }
}
