import Domain
import RPCRuntime
import Testing

@testable import Services
@testable import Storage

@Suite(.timeLimit(.minutes(5))) struct CatchUpQueueTests {
  @Test func noMoreThanItsPlacesAreTakenAndEverybodyGetsATurn() async throws {
    let queue = CatchUpQueue(places: 2)
    let (inside, crowds, done) = (Counter(), Counter(), Counter())
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<50 {
        group.addTask {
          try await queue.run {
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
    #expect(done.value == 50 && crowds.value == 0 && queue.waitingCount == 0)
  }

  @Test func whoIsCancelledWhileWaitingLeavesTheQueue() async throws {
    let queue = CatchUpQueue(places: 1)
    let isOver = Counter()
    let first = Task { try await queue.run { try await eventually { isOver.value == 1 } } }
    try await eventually { await isTaken(queue) }
    let second = Task { try await queue.run {} }
    try await eventually { queue.waitingCount == 1 }
    second.cancel()
    await #expect(throws: CancellationError.self) { try await second.value }
    #expect(queue.waitingCount == 0)
    isOver.add(1)
    try await first.value
    try await queue.run {}
  }

  @Test func noMoreWaitThanMay() async throws {
    let queue = CatchUpQueue(places: 1)
    let (isOver, refused, crowds) = (Counter(), Counter(), Counter())
    let first = Task { try await queue.run { try await eventually { isOver.value == 1 } } }
    try await eventually { await isTaken(queue) }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<200 {
        group.addTask {
          do {
            try await queue.run(maxWaiting: 5) {}
          } catch is CatchUpQueue.Full {
            refused.add(1)
          }
        }
      }
      group.addTask {
        try await eventually { refused.value == 195 }
        if queue.waitingCount != 5 { crowds.add(1) }
        isOver.add(1)
      }
      try await group.waitForAll()
    }
    #expect(refused.value == 195 && crowds.value == 0)
    try await first.value
  }

  @Test func noMoreRegistrationsWaitThanMay() async throws {
    let queue = RegistrationQueue(places: 1)
    let (entered, isOver, refused) = (Counter(), Counter(), Counter())
    let first = Task {
      try await queue.run {
        entered.add(1)
        try await eventually { isOver.value == 1 }
      }
    }
    try await eventually { entered.value == 1 }
    let callers = RegistrationQueue.maxWaiting + 200
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<callers {
        group.addTask {
          do { try await queue.run {} } catch is RPCStatus { refused.add(1) }
        }
      }
      group.addTask {
        try await eventually { refused.value == 200 }
        isOver.add(1)
      }
      try await group.waitForAll()
    }
    #expect(refused.value == 200)
    try await first.value
  }

  /// Whether the only place is taken: one who asks waits.
  private func isTaken(_ queue: CatchUpQueue) async -> Bool {
    let probe = Task { try await queue.run {} }
    for _ in 0..<100 where queue.waitingCount == 0 { await Task.yield() }
    let isTaken = queue.waitingCount == 1
    probe.cancel()
    _ = try? await probe.value
    return isTaken
  }

  /// After a restart every subscriber is behind at once, and more of them than the connection pool lets wait.
  @Test func moreStreamsThanThePoolHasPlacesCatchUpTogether() async throws {
    try await withServer(poolWaiting: 4) { rig in
      for time in 1...5 as ClosedRange<Int64> { try await rig.record(1, [(time, 60)]) }
      try await rig.storage.compactor.compactEverything()
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<60 {
          group.addTask {
            let client = SubscriptionClient(rig)
            try await client.begin(.init(personIDs: [1], startAt: .beginning))
            #expect(try await client.items(5).items.map(\.time) == [1, 2, 3, 4, 5])
            client.stream.cancel()
          }
        }
        try await group.waitForAll()
      }
    }
  }
}
