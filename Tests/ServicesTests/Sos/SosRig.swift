import Domain
import Emergencies
import Postgres
import RPCRuntime
import ServiceAPI
import SosRules
import Synchronization
import Testing
import WireCodec

@testable import Admin
@testable import AreaKit
@testable import Identity
@testable import Log
@testable import Notifications
@testable import Races
@testable import Readings
@testable import ServiceKit
@testable import Sharing
@testable import Sos

/// Holds whom readings are to be checked for.
final class MonitorStandIn: ReadingMonitor {
  private let persons = Mutex<[PersonID: MonitoredPerson]>([:])

  func watch(_ person: MonitoredPerson) { persons.withLock { $0[person.person] = person } }
  func forget(_ person: PersonID) { persons.withLock { $0[person] = nil } }
  var isIdle: Bool { true }
  func takePiece(
    _ columns: borrowing ReadingColumns, receivedAt: Microseconds, from stream: StreamNumber,
    _ progress: inout CheckProgress
  ) -> Bool { false }
  func rename(source old: SourceID, to new: SourceID, of person: PersonID) {}
  func streamEnded(_ stream: StreamNumber, inOrder: Bool) {}
  func report(_ person: PersonID, isWorn: Bool?, hasLowBattery: Bool, at now: Microseconds) {}
  subscript(person: PersonID) -> MonitoredPerson? { persons.withLock { $0[person] } }
}

/// Holds emergencies as they are put.
final class DeskStandIn: ActiveEmergencies {
  private struct State {
    var status = DispatchStatus.exercise
    var emergencies: [EmergencyID: Emergency] = [:]
    var observers: [@Sendable (Emergency) -> Void] = []
    var cancellations: [String] = []
  }

  private let state = Mutex(State())

  var status: DispatchStatus {
    get { state.withLock(\.status) }
    set { state.withLock { $0.status = newValue } }
  }
  /// The reasons that persons gave.
  var cancellations: [String] { state.withLock(\.cancellations) }

  func active() -> [Emergency] { state.withLock { Array($0.emergencies.values) } }
  func emergency(_ id: EmergencyID) -> Emergency? { state.withLock { $0.emergencies[id] } }
  func forget(_ person: PersonID, archived: Set<EmergencyID>) async throws {
    state.withLock { state in state.emergencies = state.emergencies.filter { $0.value.person != person } }
  }
  func observe(_ observer: @escaping @Sendable (Emergency) -> Void) { state.withLock { $0.observers.append(observer) } }

  /// An emergency as it stands after a transition.
  func put(_ emergency: Emergency) {
    let observers = state.withLock { state in
      state.emergencies[emergency.id] = emergency
      return state.observers
    }
    for observer in observers { observer(emergency) }
  }

  func cancel(_ id: EmergencyID, by person: PersonID, reason: String) async -> CancelOutcome {
    guard var emergency = emergency(id), emergency.person == person else { return .unknown }
    if emergency.state == .cancelled { return .cancelled(emergency) }
    guard !emergency.state.isFinal, ServiceRig.now <= emergency.detected + Emergency.cancellable else {
      return .tooLate(emergency.state)
    }
    state.withLock { $0.cancellations.append(reason) }
    emergency.transitions.append(
      EmergencyTransition(state: .cancelled, at: emergency.changed + 1, actor: "person", note: reason))
    put(emergency)
    return .cancelled(emergency)
  }
}

extension ServiceRig {
  var sosClient: SosServiceClient { SosServiceClient(channel: channel) }

  /// A person who is logged in.
  func member(_ name: String, born: String = "1980-12-31") async throws -> (id: PersonID, caller: Metadata) {
    let person = try await account(name)
    _ = try connection().query(
      "UPDATE person SET date_of_birth = $2::date WHERE account = $1", [.int8(person), .text(born)])
    return (person, try await logIn(name).metadata)
  }

  /// Changes settings as they stand.
  func update(
    _ caller: Metadata, _ change: (inout Trackme_Sos_V1_SosSettings) -> Void
  ) async throws -> Trackme_Sos_V1_UpdateSosSettingsResponse {
    let known = try await sosClient.getSosSettings(.init(), metadata: caller)
    var settings = try #require(known.settings)
    change(&settings)
    return try await sosClient.updateSosSettings(.init(settings: settings, etag: known.etag), metadata: caller)
  }
}

extension Emergency {
  /// An emergency of a pulse that was too high, after its first transitions.
  static func sample(
    _ person: PersonID, at detected: Microseconds = ServiceRig.now, states: [EmergencyState] = [.detected]
  ) -> Emergency {
    let vital = Vital(metric: 1, source: 0, time: detected - 3_000_000, value: 190.5)
    return Emergency(
      id: EmergencyID(person: person, metric: 1, began: detected - 3_000_000), person: person, status: .exercise,
      detected: detected,
      crossings: [
        Crossing(
          kind: .high, metric: 1, limit: 131, value: 190.5, began: detected - 3_000_000, completed: detected,
          hold: 3_000_000, ruleVersion: "news2-2017.1", readings: [vital])
      ], vitals: [vital],
      position: LastPosition(latitude: 45.4642, longitude: 9.19, accuracy: nil, time: detected - 1), age: 42,
      sex: .female, callbackNumber: PhoneNumber("+393331234567"), contacts: [], number: "112", country: "IT",
      transitions: states.enumerated().map { place, state in
        EmergencyTransition(state: state, at: detected + Int64(place), actor: "evaluator")
      })
  }

  /// The same after one more transition.
  func then(_ state: EmergencyState, at time: Microseconds) -> Emergency {
    var emergency = self
    emergency.transitions.append(EmergencyTransition(state: state, at: time, actor: "dispatcher 7"))
    return emergency
  }
}
