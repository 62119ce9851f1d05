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

@Suite struct HealthRegistryTests {
  /// Waits until `count` watches wait for a change.
  private func watchers(_ registry: HealthRegistry, _ count: Int) async {
    while registry.watcherCount != count { await Task.yield() }
  }

  @Test func nothingServesAtFirst() {
    let registry = HealthRegistry(services: ["a"])
    #expect(registry.status(of: "") == .notServing)
    #expect(registry.status(of: "a") == .notServing)
    #expect(registry.status(of: "b") == nil)
  }

  @Test func setAllReachesEveryService() {
    let registry = HealthRegistry(services: ["a", "b"])
    registry.setAll(.serving)
    #expect(["", "a", "b"].allSatisfy { registry.status(of: $0) == .serving })
    registry.set(.notServing, for: "a")
    #expect(registry.status(of: "a") == .notServing)
    #expect(registry.status(of: "b") == .serving)
  }

  @Test func aWatchIsToldTheStateAtOnceAndThenChanges() async throws {
    let registry = HealthRegistry(services: ["a"])
    #expect(try await registry.change(of: "a", from: nil) == .status(.notServing))
    async let change = registry.change(of: "a", from: .status(.notServing))
    await watchers(registry, 1)
    registry.set(.serving, for: "")
    #expect(registry.watcherCount == 1)
    registry.set(.serving, for: "a")
    #expect(try await change == .status(.serving))
    #expect(registry.watcherCount == 0)
  }

  @Test func whatIsSaidFollowsFromTheDatabaseAndFromCommitsOnceTheServerIsReady() {
    let registry = HealthRegistry(services: ["a"])
    registry.commitsChanged(come: false)
    registry.begin()
    #expect(registry.status(of: "") == .notServing)
    registry.commitsChanged(come: true)
    #expect(["", "a"].allSatisfy { registry.status(of: $0) == .serving })
    registry.databaseChanged(isThere: false)
    registry.commitsChanged(come: false)
    registry.databaseChanged(isThere: true)
    #expect(["", "a"].allSatisfy { registry.status(of: $0) == .notServing })
    registry.commitsChanged(come: true)
    #expect(registry.status(of: "a") == .serving)
  }

  @Test func aServiceThatAppearsIsNoLongerUnknown() async throws {
    let registry = HealthRegistry(services: [])
    #expect(try await registry.change(of: "new", from: nil) == .unknown)
    async let change = registry.change(of: "new", from: .unknown)
    await watchers(registry, 1)
    registry.set(.serving, for: "new")
    #expect(try await change == .status(.serving))
  }

  @Test func aSlowWatchSeesTheLatestOnly() async throws {
    let registry = HealthRegistry(services: ["a"])
    for _ in 0..<1_000 {
      registry.set(.serving, for: "a")
      registry.set(.notServing, for: "a")
    }
    registry.set(.serving, for: "a")
    #expect(try await registry.change(of: "a", from: .status(.notServing)) == .status(.serving))
  }

  @Test func shutDownTellsWatchesAndEndsThem() async throws {
    let registry = HealthRegistry(services: ["a", "b"])
    registry.set(.serving, for: "a")
    async let serving = registry.change(of: "a", from: .status(.serving))
    async let notServing = registry.change(of: "b", from: .status(.notServing))
    async let unknown = registry.change(of: "c", from: .unknown)
    await watchers(registry, 3)
    registry.shutDown()
    #expect(try await serving == .status(.notServing))
    #expect(try await notServing == .ended)
    #expect(try await unknown == .ended)
    registry.set(.serving, for: "a")
    #expect(registry.status(of: "a") == .notServing)
    #expect(try await registry.change(of: "a", from: .status(.notServing)) == .ended)
  }

  @Test func aCancelledWatchLeavesNothingBehind() async {
    let registry = HealthRegistry(services: ["a"])
    await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<100 {
        group.addTask {
          do {
            _ = try await registry.change(of: "a", from: .status(.notServing))
            return false
          } catch { return error is CancellationError }
        }
      }
      await watchers(registry, 100)
      group.cancelAll()
      for await cancelled in group { #expect(cancelled) }
    }
    #expect(registry.watcherCount == 0)
  }

  @Test("a server that is not ready does not serve because its database has come")
  func servesWhenReadyAndTheDatabaseIsThere() {
    let registry = HealthRegistry(services: ["a"])
    registry.databaseChanged(isThere: false)
    registry.databaseChanged(isThere: true)
    #expect(registry.status(of: "a") == .notServing)
    registry.begin()
    #expect(registry.status(of: "a") == .serving && registry.status(of: "") == .serving)
    registry.databaseChanged(isThere: false)
    #expect(registry.status(of: "a") == .notServing)
    registry.databaseChanged(isThere: true)
    #expect(registry.status(of: "a") == .serving)
  }
}
