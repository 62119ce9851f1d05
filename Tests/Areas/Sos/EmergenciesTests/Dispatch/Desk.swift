import Domain
import SosRules

@testable import Emergencies

/// A desk's state whose effects are noted; calls to others are answered by the test.
final class Desk {
  let time = ManualClock()
  var state: DeskState
  var told: [(AccountID, NoticeKind)] = []
  var sent: [Delivery] = []
  /// The number of the attempt of everything that was ever sent.
  var attempts: [Delivery: [Int]] = [:]
  var looked: [String] = []
  /// As the journal was given it last.
  var journaled: Emergency?
  let id = Rig.detection().emergency

  init(webhooks: Int = 0, gateway: Bool = false) {
    var configuration = DeskConfiguration(directory: "")
    configuration.clock = time.clock
    configuration.webhooks = (0..<webhooks).map { _ in ScriptedWebhook() }
    if gateway {
      configuration.gateways = Gateways(sms: ScriptedGateway(), voice: ScriptedGateway(), contacts: ScriptedGateway())
    }
    state = DeskState(configuration)
  }

  func perform() {
    for effect in state.effects {
      switch effect {
      case .tell(let dispatcher, let kind, _): told.append((dispatcher.account, kind))
      case .send(let delivery, _, let attempt, _):
        sent.append(delivery)
        attempts[delivery, default: []].append(attempt)
      case .look(_, let sid): looked.append(sid)
      case .journal(let emergency, _): journaled = emergency
      default: break
      }
    }
    state.effects = []
  }

  func detect(_ detection: Detection = Rig.detection(), isSafe: Bool = true) {
    state.detected(detection, number: ("112", "IT"))
    if isSafe { state.safe(upTo: state.sequence) }
    perform()
  }

  func pass(_ microseconds: Microseconds) {
    time.advance(by: microseconds)
    state.fire()
    perform()
  }

  @discardableResult
  func answer(
    _ answer: DispatcherAnswer, _ account: AccountID, note: String = "", to other: EmergencyID? = nil
  ) -> Bool {
    let stands = state.answer(other ?? id, answer, note: note, from: account)
    perform()
    return stands
  }

  @discardableResult
  func cancel(by person: PersonID, reason: String) -> CancelOutcome {
    let outcome = state.cancel(id, by: person, reason: reason)
    perform()
    return outcome
  }

  func finish(_ delivery: Delivery, _ outcome: DeliveryOutcome = .taken) {
    state.finished(.emergency(id, delivery), outcome)
    perform()
  }

  /// What a gateway says when it is asked.
  func say(_ delivery: Delivery, _ outcome: DeliveryOutcome) {
    state.finished(.look(.emergency(id, delivery)), outcome)
    perform()
  }

  /// What is told of a delivery.
  func steps(_ delivery: Delivery) -> [CallStatus?] {
    emergency.transitions.filter { $0.actor == delivery.name }.map(\.call)
  }

  func takeLooked() -> [String] {
    defer { looked = [] }
    return looked
  }

  func takeTold() -> [String] {
    defer { told = [] }
    return told.map { "\($0.0) \($0.1)" }
  }

  func takeSent() -> [Delivery] {
    defer { sent = [] }
    return sent
  }

  var emergency: Emergency { state.cases[id]!.emergency }
  var current: EmergencyState { emergency.state }
}
