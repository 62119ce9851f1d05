public import Domain
public import Outbound
public import SosRules

/// How a gateway reaches somebody.
public enum GatewayMedium: String, Sendable {
  case sms
  /// The text is read out.
  case voice
}

/// Something to send by a gateway.
public struct GatewayMessage: Sendable, Equatable {
  public var medium: GatewayMedium
  /// "112", or a number in E.164 form.
  public var to: String
  public var text: String
  /// The same for every request of one attempt, before and after a crash; another for the next attempt.
  public var key: String

  public init(medium: GatewayMedium, to: String, text: String, key: String) {
    self.medium = medium
    self.to = to
    self.text = text
    self.key = key
  }
}

/// Sends text messages and makes calls, and says what becomes of them.
///
/// That a gateway has queued one does not mean that anybody has it: whoever sends asks until it is delivered or answered.
public protocol Gateway: Sendable {
  /// Where messages and questions wait for a thread; none by default.
  var queues: [OutboundThreads] { get }

  /// Hands a message over and returns at once.
  /// - Parameter completion: is called once, from any thread: with `.placed` where the gateway has it.
  func send(_ message: GatewayMessage, completion: @escaping @Sendable (DeliveryOutcome) -> Void)

  /// Asks what has become of a message and returns at once.
  /// - Parameters:
  ///   - sid: as `.placed` named it.
  ///   - completion: is called once, from any thread: with `.placed`; with `.declined` where the gateway knows of no such
  ///     message; with `.failed` where it does not say.
  func look(
    for sid: String, _ medium: GatewayMedium, completion: @escaping @Sendable (DeliveryOutcome) -> Void)

  /// Takes what was sent about a person out of what the gateway keeps on this machine; nothing by default.
  /// - Throws: `JournalError` if that did not succeed.
  func forget(_ person: PersonID, _ emergencies: Set<EmergencyID>) async throws
}

extension Gateway {
  public var queues: [OutboundThreads] { [] }

  public func forget(_ person: PersonID, _ emergencies: Set<EmergencyID>) async throws {}
}
