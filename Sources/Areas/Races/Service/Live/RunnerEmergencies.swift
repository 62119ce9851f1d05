internal import Log
internal import ServiceKit
internal import SosRules
internal import Synchronization
internal import Threads

/// Tells organisers when a runner of theirs needs help, and when that is over: where on the course, and nothing of what
/// was measured. The desk is never kept waiting.
final class RunnerEmergencies: Sendable {
  /// Emergencies that wait to be looked at; the desk has told the emergency service of each by then.
  static let waitingMax = 10_000

  private struct State {
    /// As they stand, until somebody has looked whether organisers must be told.
    var waiting: [EmergencyID: Emergency] = [:]
    /// What has been looked at: whether it was over then.
    var known: [EmergencyID: Bool] = [:]
  }

  private let storage: StorageSystem
  private let told: @Sendable () -> Void
  private let signal = StreamSignal()
  private let state = Mutex(State())

  /// - Parameter told: is called when something was put into inboxes.
  init(storage: StorageSystem, told: @escaping @Sendable () -> Void) {
    self.storage = storage
    self.told = told
  }

  /// Hears of an emergency as it stands. Never blocks; beyond `waitingMax` that wait it is left out, and comes again with
  /// its next transition.
  func add(_ emergency: Emergency) {
    state.withLock { state in
      guard state.known[emergency.id] != emergency.state.isFinal else { return }
      guard state.waiting[emergency.id] != nil || state.waiting.count < Self.waitingMax else { return }
      state.waiting[emergency.id] = emergency
    }
    signal.signal(.data)
  }

  /// Tells organisers until the task is cancelled.
  /// - Parameter place: where a runner was last seen; nil where nobody knows.
  func run(_ place: @escaping @Sendable (AlarmedRunner) -> RunnerPlace?) async {
    while true {
      let waiting = state.withLock { state in
        defer { state.waiting = [:] }
        return state.waiting.values.sorted { $0.changed < $1.changed }
      }
      for emergency in waiting {
        var backOff = BackOff(initial: .milliseconds(100), max: .seconds(5), jitter: 0)
        while true {
          do {
            try await tell(emergency, place)
            break
          } catch {
            // The database is away; nothing is lost meanwhile.
            guard (try? await Task.sleep(for: backOff.next())) != nil else { return }
          }
        }
      }
      if !waiting.isEmpty { continue }
      if await signal.wait().contains(.cancelled) { return }
    }
  }

  private func tell(_ emergency: Emergency, _ place: (AlarmedRunner) -> RunnerPlace?) async throws {
    var isNews = false
    for runner in try await storage.races.running(emergency.person, at: emergency.detected) {
      let seen = place(runner)
      for isOver in emergency.state.isFinal ? [false, true] : [false] {
        let isTold = try await storage.races.tellOrganizers(
          of: emergency.id, runner: runner, isOver: isOver, distance: seen?.distance, place: seen?.nearest ?? "")
        isNews = isNews || isTold
      }
    }
    if isNews { told() }
    state.withLock { state in
      if state.known.count >= Self.waitingMax { state.known = [:] }
      state.known[emergency.id] = emergency.state.isFinal
    }
  }
}
