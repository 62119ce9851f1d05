import Domain
import SosRules
import Foundation
import Synchronization
import TestSupport

@testable import Emergencies

/// A clock that tests move.
final class ManualClock: Sendable {
  private let time = Mutex<Microseconds>(0)

  var clock: DeskClock {
    DeskClock(wall: { Patients.now + self.time.withLock { $0 } }, monotonic: { self.time.withLock { $0 } })
  }

  func advance(by time: Microseconds) { self.time.withLock { $0 += time } }
}

/// A dispatcher's system that notes what it is told.
final class ScriptedDispatcher: ConnectedDispatcher {
  let account: AccountID
  let priority: Int32
  private let told = Mutex<[DispatcherNotice]>([])
  /// What it does when it is told; called on the desk's thread.
  private let reaction: @Sendable (ScriptedDispatcher, DispatcherNotice) -> Void

  init(
    _ account: AccountID, priority: Int32 = 0,
    reaction: @escaping @Sendable (ScriptedDispatcher, DispatcherNotice) -> Void = { _, _ in }
  ) {
    self.account = account
    self.priority = priority
    self.reaction = reaction
  }

  func tell(_ notice: DispatcherNotice) {
    told.withLock { $0.append(notice) }
    reaction(self, notice)
  }

  var notices: [DispatcherNotice] { told.withLock { $0 } }
  var kinds: [NoticeKind] { notices.map(\.kind) }
}

/// A gateway that takes what it is sent, or answers as the test says.
final class ScriptedGateway: Gateway {
  private struct State {
    var outcome: DeliveryOutcome? = .taken
    var lookOutcome: DeliveryOutcome?
    var sent: [GatewayMessage] = []
    var looked: [String] = []
  }

  private let state = Mutex(State())
  /// Called with each message before it is answered.
  private let onSend: @Sendable (GatewayMessage) -> Void

  /// - Parameter outcome: of each message; nil: none ever comes.
  init(_ outcome: DeliveryOutcome? = .taken, onSend: @escaping @Sendable (GatewayMessage) -> Void = { _ in }) {
    self.onSend = onSend
    state.withLock { $0.outcome = outcome }
  }

  func answer(_ outcome: DeliveryOutcome?) { state.withLock { $0.outcome = outcome } }
  func answerLooks(_ outcome: DeliveryOutcome?) { state.withLock { $0.lookOutcome = outcome } }

  func send(_ message: GatewayMessage, completion: @escaping @Sendable (DeliveryOutcome) -> Void) {
    onSend(message)
    let outcome = state.withLock { state in
      state.sent.append(message)
      return state.outcome
    }
    if let outcome { completion(outcome) }
  }

  func look(
    for sid: String, _ medium: GatewayMedium, completion: @escaping @Sendable (DeliveryOutcome) -> Void
  ) {
    let outcome = state.withLock { state in
      state.looked.append(sid)
      return state.lookOutcome
    }
    if let outcome { completion(outcome) }
  }

  var sent: [GatewayMessage] { state.withLock { $0.sent } }
  /// What it was asked about.
  var looked: [String] { state.withLock { $0.looked } }
}

/// A webhook that takes what it is sent, or answers as the test says.
final class ScriptedWebhook: AlertWebhook {
  private let state = Mutex<(outcome: DeliveryOutcome?, sent: [(key: String, alert: String)])>((.taken, []))

  init(_ outcome: DeliveryOutcome? = .taken) { state.withLock { $0.outcome = outcome } }

  func answer(_ outcome: DeliveryOutcome?) { state.withLock { $0.outcome = outcome } }

  func send(_ alert: [UInt8], key: String, completion: @escaping @Sendable (DeliveryOutcome) -> Void) {
    let outcome = state.withLock { state in
      state.sent.append((key, String(decoding: alert, as: UTF8.self)))
      return state.outcome
    }
    if let outcome { completion(outcome) }
  }

  var keys: [String] { state.withLock { $0.sent.map(\.key) } }
  var alerts: [String] { state.withLock { $0.sent.map(\.alert) } }
}

/// An archive that can be away.
final class ScriptedArchive: EmergencyArchive {
  struct Away: Error {}
  private let state = Mutex<(isAway: Bool, kept: [EmergencyID: Emergency])>((false, [:]))

  init(isAway: Bool = false, _ emergencies: [Emergency] = []) {
    state.withLock { $0 = (isAway, Dictionary(uniqueKeysWithValues: emergencies.map { ($0.id, $0) })) }
  }

  func setAway(_ isAway: Bool) { state.withLock { $0.isAway = isAway } }

  func record(_ emergency: Emergency) async throws {
    try state.withLock { state in
      if state.isAway { throw Away() }
      if let known = state.kept[emergency.id], known.changed > emergency.changed { return }
      state.kept[emergency.id] = emergency
    }
  }

  func unfinished(orChangedAfter time: Microseconds) async throws -> [Emergency] {
    try state.withLock { state in
      if state.isAway { throw Away() }
      return state.kept.values.filter { !$0.state.isFinal || $0.changed > time }
    }
  }

  var kept: [EmergencyID: Emergency] { state.withLock { $0.kept } }
}

enum Rig {
  /// A folder of its own.
  static func folder() -> String {
    let path = NSTemporaryDirectory() + "trackme-desk-\(UUID().uuidString)"
    mkdir(path, 0o700)
    return path
  }

  /// The first crossing of a person, or a further one of the same episode.
  static func detection(
    _ person: PersonID = 7, metric: MetricID = 1, kind: CrossingKind = .high, isFirst: Bool = true,
    position: LastPosition? = Patients.milan, contacts: [EmergencyContact] = []
  ) -> Detection {
    var crossing = Patients.heartRate
    crossing.metric = metric
    crossing.kind = kind
    return Detection(
      person: person, emergency: EmergencyID(person: person, metric: 1, began: crossing.began), isFirst: isFirst,
      crossing: crossing, decided: Patients.now, vitals: Patients.emergency().vitals, position: position,
      dateOfBirth: CalendarDate(year: 1950, month: 1, day: 1), sex: .male, callbackNumber: PhoneNumber("+393331234567"),
      contacts: contacts)
  }

  static let anna = EmergencyContact(name: "Anna", phone: PhoneNumber("+393339999999"), email: "")

  /// Waits until a condition holds; false after ten seconds, times the patience of tests.
  static func eventually(_ condition: () -> Bool) async -> Bool {
    let deadline = ContinuousClock.now + .seconds(10) * patience
    while !condition() {
      if ContinuousClock.now > deadline { return false }
      try? await Task.sleep(for: .milliseconds(2))
    }
    return true
  }
}
