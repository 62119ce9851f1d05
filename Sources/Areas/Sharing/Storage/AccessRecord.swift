public import Domain
public import Identity
public import Payments

/// A request for access as the database keeps it.
public struct AccessRecord: Sendable, Equatable {
  public let id: AccessRequestID
  public let thirdParty: AccountID
  public let asker: ThirdPartyProfile
  public let person: PersonID
  public let scope: AccessScope
  public let purpose: String
  public let state: AccessState
  /// Where in the log the state changed last.
  public let position: LogPosition
  public let requested: Microseconds
  public let changed: Microseconds
  /// When a grant comes to its end; nil if it does not, or is none.
  public let expires: Microseconds?
  /// Whether the person has ever known of it.
  public let isAsked: Bool
  /// Of its price; nil where it has none.
  public let payment: PaymentRecord?
}

/// A change of a request, with its place in the log.
public struct PositionedAccessChange: Sendable, Equatable {
  public let position: LogPosition
  public let change: AccessChange

  public init(position: LogPosition, change: AccessChange) {
    self.position = position
    self.change = change
  }
}
