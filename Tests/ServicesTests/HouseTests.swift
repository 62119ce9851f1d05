import Domain
import Logging
import Postgres
import RPCRuntime
import Synchronization
import Testing

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

/// What a house does with its areas.
@Suite struct HouseTests {
  @Test func areasBeginInTheirOrderAndForgetInTheOppositeOne() async throws {
    try await withServer { rig in
      let steps = Steps()
      try await rig.house.open(Lower.self, steps)
      try await rig.house.open(Upper.self, steps)
      try await rig.house.begin()
      try await rig.house.forget(7)
      #expect(steps.all == ["lower began", "upper began", "upper forgot 7", "lower forgot 7"])
    }
  }

  @Test func areasStreamsHearOfHeartbeatsAndTheEndBeforeTheBoard() async throws {
    try await withServer { rig in
      let steps = Steps()
      try await rig.house.open(Lower.self, steps)
      let signal = steps.boardSignal
      rig.house.streams.join(signal)
      defer { rig.house.streams.leave(signal) }
      rig.house.beat(ifWaitingSince: .now)
      rig.house.drain()
      #expect(steps.all == ["lower beat", "lower drained"])
      #expect(await signal.wait().contains(.drain))
    }
  }

  @Test func anAreaFindsThoseThatWereOpenedBefore() async throws {
    try await withServer { rig in
      #expect(rig.house.find(Lower.self) == nil)
      let opened = try await rig.house.open(Lower.self, Steps())
      #expect(rig.house.find(Lower.self) === opened)
    }
  }

  @Test func anAreaSeesTheSettingsOfThoseThatWereReadBefore() throws {
    var start = AreaStart(dataDirectory: "nowhere", isInsecure: false, logger: Logger(label: "test"))
    let read = try start.settings(of: Lower.self)
    _ = try start.settings(of: Upper.self)
    #expect(start[Lower.self] === read)
  }
}

private final class Steps: Sendable {
  private let steps = Mutex<[String]>([])
  /// Of a stream that is on the board.
  let boardSignal = StreamSignal()
  var all: [String] { steps.withLock { $0 } }
  func add(_ step: String) { steps.withLock { $0.append(step) } }
}

private class Recorded: StreamRegister, @unchecked Sendable {
  let steps: Steps
  let name: String

  init(_ steps: Steps, _ name: String) {
    self.steps = steps
    self.name = name
  }

  var registers: [any StreamRegister] { [self] }
  func begin() async throws { steps.add("\(name) began") }
  func forget(_ account: AccountID) async throws { steps.add("\(name) forgot \(account)") }
  func beat(ifWaitingSince instant: ContinuousClock.Instant) { steps.add("\(name) beat") }
  func drain() { steps.add("\(name) drained\(steps.boardSignal.isDraining ? " too late" : "")") }
}

private final class Lower: Recorded, Area, @unchecked Sendable {
  static let tables = AreaTables(migrations: [], personal: [:])
  static func settings(_ start: AreaStart) -> Steps { Steps() }
  required init(_ house: House, _ settings: Steps) { super.init(settings, "lower") }
}

private final class Upper: Recorded, Area, @unchecked Sendable {
  static let tables = AreaTables(migrations: [], personal: [:])
  static func settings(_ start: AreaStart) -> Steps { Steps() }
  required init(_ house: House, _ settings: Steps) { super.init(settings, "upper") }
}
