import Domain
import Emergencies
import RPCRuntime
import ServiceAPI
import SosRules
import Synchronization
import Testing
import TestSupport
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

/// A desk that writes down what streams do with it.
final class RecordingDesk: CallDesk {
  enum Event: Equatable {
    case connected(ObjectIdentifier)
    case disconnected(ObjectIdentifier)
    case answered(EmergencyID, DispatcherAnswer, note: String, by: AccountID)
  }

  private struct State {
    var events: [Event] = []
    var streams: [any ConnectedDispatcher] = []
  }

  /// The one emergency that answers can be about.
  let known: EmergencyID
  private let state = Mutex(State())

  init(known: EmergencyID) { self.known = known }

  var events: [Event] { state.withLock(\.events) }
  var answers: [Event] { events.filter { if case .answered = $0 { true } else { false } } }
  /// The streams that are connected, oldest first.
  var streams: [any ConnectedDispatcher] { state.withLock(\.streams) }

  func connect(_ dispatcher: any ConnectedDispatcher) {
    state.withLock { state in
      state.events.append(.connected(ObjectIdentifier(dispatcher)))
      state.streams.append(dispatcher)
    }
  }

  func disconnect(_ dispatcher: any ConnectedDispatcher) {
    state.withLock { state in
      state.events.append(.disconnected(ObjectIdentifier(dispatcher)))
      state.streams.removeAll { $0 === dispatcher }
    }
  }

  func answer(
    _ id: EmergencyID, _ answer: DispatcherAnswer, note: String, from dispatcher: any ConnectedDispatcher
  ) -> Bool {
    state.withLock { $0.events.append(.answered(id, answer, note: note, by: dispatcher.account)) }
    return id == known
  }

  /// Tells the newest stream.
  func tell(_ kind: NoticeKind, _ emergency: Emergency, text: String = "text") throws {
    try #require(streams.last).tell(DispatcherNotice(kind: kind, emergency: emergency, text: text))
  }
}

extension Emergency {
  /// An emergency with something in every field.
  static func example(person: PersonID = 7, state: EmergencyState = .dispatching) -> Emergency {
    let began = ServiceRig.now
    let first = Vital(metric: 1, source: 0, time: began, value: 190)
    return Emergency(
      id: EmergencyID(person: person, metric: 1, began: began), person: person, status: .exercise,
      detected: began + 3_100_000,
      crossings: [
        Crossing(
          kind: .high, metric: 1, limit: 131, value: 191, began: began, completed: began + 3_000_000, hold: 3_000_000,
          ruleVersion: "news2-2017.1", readings: [first])
      ],
      vitals: [first], position: LastPosition(latitude: 45.46, longitude: 9.19, accuracy: 12, time: began), age: 71,
      sex: .female, callbackNumber: PhoneNumber("+393331234567"), contacts: [], number: "112", country: "IT",
      transitions: [EmergencyTransition(state: state, at: began + 3_200_000, actor: "evaluator", note: "n")])
  }
}

/// The client's side of a dispatcher's stream.
struct DispatcherClient: Sendable {
  typealias Request = Trackme_Sos_V1_HandleEmergenciesRequest
  typealias Response = Trackme_Sos_V1_HandleEmergenciesResponse
  let stream: ClientStream<Request, Response>

  init(_ rig: ServiceRig, as caller: Metadata) {
    stream = DispatchServiceClient(channel: rig.channel).handleEmergencies(metadata: caller)
  }

  /// Says hello and takes the heartbeat that answers it.
  func begin(_ system: String = "test 1.0") async throws {
    try await stream.send(.init(frame: .hello(.init(system: system))))
    #expect(try await stream.next() == Response())
  }

  func answer(_ id: String, _ kind: Trackme_Sos_V1_AnswerKind, note: String = "") async throws {
    try await stream.send(.init(frame: .answer(.init(emergencyID: id, kind: kind, note: note))))
  }

  /// The next frame that is no heartbeat.
  func notice() async throws -> Response {
    while let frame = try await stream.next() {
      if frame != Response() { return frame }
    }
    throw WaitedInVain()
  }

  /// The status with which the stream ends; nil is OK.
  func end() async -> RPCStatus? { await status { while try await stream.next() != nil {} } }
}

extension ServiceRig {
  /// Somebody at a dispatcher's desk, in a session, with a password of their own.
  func deskOperator(_ name: String = "anna", of dispatcher: AccountID) async throws -> Metadata {
    let administrator = try await account("admin-of-\(name)", kind: .administrator)
    let added = try await storage.deskOperators.add(
      dispatcher: dispatcher, username: name, email: "\(name)@example.org", name: "Anna Bianchi",
      passwordHash: try await PasswordHasher().hash(ServiceRig.password), by: administrator, requestID: "")
    guard case .made = added else { throw WaitedInVain() }
    let initial = try await logIn(name).metadata
    let own = "another " + ServiceRig.password
    _ = try await identity.changePassword(
      .init(oldPassword: ServiceRig.password, newPassword: own), metadata: initial)
    return try await logIn(name, password: own).metadata
  }

  /// A dispatcher and its token.
  func dispatcher(_ name: String = "control-room", priority: Int32 = 5) async throws -> Party {
    let administrator = try await account("admin-of-\(name)", kind: .administrator)
    let token = TokenHash.newToken()
    guard
      case .made(let account) = try await StaffAccounts(pool: storage.pool).add(
        .dispatcher(priority: priority), name: name, tokenHash: TokenHash(token).bytes, by: administrator, requestID: ""
      )
    else { throw WaitedInVain() }
    return Party(account: account, metadata: ["authorization": "Bearer \(token)"])
  }
}
