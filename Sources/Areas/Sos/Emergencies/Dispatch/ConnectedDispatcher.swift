public import Domain
public import SosRules

/// A dispatcher's system that has a stream open.
public protocol ConnectedDispatcher: AnyObject, Sendable {
  var account: AccountID { get }
  /// Calls go to the least number first.
  var priority: Int32 { get }
  /// Passes a notice on. Never blocks; a notice replaces an earlier one about the same emergency that has not been sent,
  /// so what waits is bounded by the emergencies.
  func tell(_ notice: DispatcherNotice)
}

/// Why a dispatcher is told of an emergency. The numbers are those of `trackme.sos.v1.NoticeKind`.
public enum NoticeKind: Int32, Sendable {
  case call = 1
  case update
  case cancel
  case taken
}

/// What a dispatcher is told.
public struct DispatcherNotice: Sendable {
  public let kind: NoticeKind
  /// As it stands.
  public let emergency: Emergency
  /// For people who take the call.
  public let text: String

  public init(kind: NoticeKind, emergency: Emergency, text: String) {
    self.kind = kind
    self.emergency = emergency
    self.text = text
  }
}
