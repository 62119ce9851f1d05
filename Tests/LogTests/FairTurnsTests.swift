import Domain
import Synchronization
import Testing
import TestSupport

@testable import Identity
@testable import Log
@testable import Notifications
@testable import Sharing
@testable import Sos

@Suite(.timeLimit(.minutes(5))) struct FairTurnsTests {
  @Test func noMoreThanItsPlacesAreTakenAndEverybodyGetsATurn() async throws {
    let turns = FairTurns(places: 2, perAsker: 2)
    let (inside, crowds, done) = (Counter(), Counter(), Counter())
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<50 as Range<Int64> {
        group.addTask {
          try await turns.run(for: .account(number % 7)) {
            inside.add(1)
            if inside.value > 2 { crowds.add(1) }
            await Task.yield()
            inside.add(-1)
          }
          done.add(1)
        }
      }
      try await group.waitForAll()
    }
    #expect(done.value == 50 && crowds.value == 0 && turns.waitingCount == 0 && turns.runningCount == 0)
  }

  @Test func anAskerLeavesPlacesToOthers() async throws {
    let turns = FairTurns(places: 3, perAsker: 2)
    let gate = Gate()
    let own = (0..<5).map { _ in Task { try await turns.run(for: .account(1)) { try await gate.wait() } } }
    try await eventually { turns.runningCount == 2 && turns.waitingCount == 3 }
    try await turns.run(for: .account(2)) {}
    #expect(turns.runningCount == 2 && turns.waitingCount == 3)
    gate.open()
    for task in own { try await task.value }
    #expect(turns.runningCount == 0)
  }

  @Test func whoBringsOneIsNotBehindAllOfWhoBringsMany() async throws {
    let turns = FairTurns(places: 1, perAsker: 1)
    let gate = Gate()
    let order = Order()
    let first = Task { try await turns.run(for: .account(1)) { try await gate.wait() } }
    try await eventually { turns.runningCount == 1 }
    var tasks: [Task<Void, any Error>] = []
    for (count, asker) in [1, 1, 1, 1, 2, 3, 2].enumerated() as EnumeratedSequence<[AccountID]> {
      tasks.append(Task { try await turns.run(for: .account(asker)) { order.add(asker) } })
      try await eventually { turns.waitingCount == count + 1 }
    }
    gate.open()
    for task in tasks { try await task.value }
    try await first.value
    #expect(order.askers == [1, 2, 3, 1, 2, 1, 1])
  }

  @Test func whoIsCancelledWhileWaitingLeaves() async throws {
    let turns = FairTurns(places: 1, perAsker: 1)
    let gate = Gate()
    let first = Task { try await turns.run { try await gate.wait() } }
    try await eventually { turns.runningCount == 1 }
    let second = Task { try await turns.run {} }
    try await eventually { turns.waitingCount == 1 }
    second.cancel()
    await #expect(throws: CancellationError.self) { try await second.value }
    #expect(turns.waitingCount == 0)
    gate.open()
    try await first.value
    try await turns.run {}
  }

  @Test func ofOneAskerWhoComesFirstIsFirst() async throws {
    let turns = FairTurns(places: 1, perAsker: 1)
    let (gate, order) = (Gate(), Order())
    let first = Task { try await turns.run(for: .server) { try await gate.wait() } }
    try await eventually { turns.runningCount == 1 }
    var tasks: [Task<Void, any Error>] = []
    for number in 1...5 as ClosedRange<Int64> {
      tasks.append(Task { try await turns.run(for: .server) { order.add(number) } })
      try await eventually { turns.waitingCount == Int(number) }
    }
    tasks[2].cancel()
    await #expect(throws: CancellationError.self) { try await tasks[2].value }
    gate.open()
    for index in [0, 1, 3, 4] { try await tasks[index].value }
    try await first.value
    #expect(order.askers == [1, 2, 4, 5])
  }

  /// Whoever waits comes after it, also where it fails.
  @Test func aBodyThatFailsGivesItsPlaceBack() async throws {
    let turns = FairTurns(places: 1, perAsker: 1)
    func fail() throws { throw WaitedInVain() }
    await #expect(throws: WaitedInVain.self) { try await turns.run(fail) }
    #expect(turns.runningCount == 0)
    try await turns.run {}
  }

  @Test func whereNobodyMayWaitWhoHasNoPlaceIsRefused() async throws {
    let turns = FairTurns(places: 2, perAsker: 1, waiting: 0)
    try await turns.run(for: .account(1)) {
      await #expect(throws: FairTurns.Full.self) { try await turns.run(for: .account(1)) {} }
      try await turns.run(for: .account(2)) {
        await #expect(throws: FairTurns.Full.self) { try await turns.run(for: .account(3)) {} }
        #expect(turns.waitingCount == 0)
      }
      try await turns.run(for: .account(3)) {}
    }
  }

  @Test func noMoreOfAnAskerWaitThanMay() async throws {
    let turns = FairTurns(places: 1, perAsker: 1, waitingPerAsker: 5)
    let (gate, refused) = (Gate(), Counter())
    let first = Task { try await turns.run(for: .account(1)) { try await gate.wait() } }
    try await eventually { turns.runningCount == 1 }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<200 {
        group.addTask {
          do {
            try await turns.run(for: .account(1)) {}
          } catch let full as FairTurns.Full {
            #expect(full.limitOfAsker == 5)
            refused.add(1)
          }
        }
      }
      group.addTask {
        try await eventually { refused.value == 195 }
        #expect(turns.waitingCount == 5)
        gate.open()
      }
      try await group.waitForAll()
    }
    #expect(refused.value == 195)
    try await first.value
  }

  /// Otherwise those who fill the queue would shut everybody else out.
  @Test func inAFullQueueTheNewestOfWhoBroughtMostGivesWay() async throws {
    let turns = FairTurns(places: 1, perAsker: 1, waiting: 4)
    let (gate, ousted) = (Gate(), Counter())
    let first = Task { try await turns.run(for: .account(1)) { try await gate.wait() } }
    try await eventually { turns.runningCount == 1 }
    var tasks: [Task<Void, any Error>] = []
    for count in 1...4 {
      tasks.append(
        Task {
          do { try await turns.run(for: .account(2)) {} } catch is FairTurns.Full { ousted.add(1) }
        })
      try await eventually { turns.waitingCount == count }
    }
    await #expect(throws: FairTurns.Full.self) { try await turns.run(for: .account(2)) {} }
    tasks.append(Task { try await turns.run(for: .account(3)) {} })
    try await eventually { ousted.value == 1 }
    #expect(turns.waitingCount == 4)
    gate.open()
    for task in tasks { try await task.value }
    try await first.value
    #expect(ousted.value == 1)
  }
}

private final class Order: Sendable {
  private let state = Mutex<[AccountID]>([])
  var askers: [AccountID] { state.withLock { $0 } }
  func add(_ asker: AccountID) { state.withLock { $0.append(asker) } }
}
