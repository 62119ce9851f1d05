internal import Domain
internal import Logging
internal import SosRules
internal import Synchronization
internal import Threads

/// Brings emergencies into the archive, each as it stands, as soon as the archive can take it. No call waits for it.
final class Recorder: Sendable {
  private struct State {
    var archive: (any EmergencyArchive)?
    /// What the archive does not have, in the order in which it changed.
    var waiting: [EmergencyID] = []
    var known: Set<EmergencyID> = []
  }

  private static let firstPause = Duration.milliseconds(200)
  private static let longestPause = Duration.seconds(10)
  /// How long a server that ends tries to bring in what waits.
  private static let lastPatience = Duration.seconds(5)
  /// Written side by side.
  private static let width = 4

  private let state = Mutex(State())
  private let wakes: AsyncStream<Void>
  private let wake: AsyncStream<Void>.Continuation

  init() { (wakes, wake) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

  /// Emergencies that the archive does not have.
  var waitingCount: Int { state.withLock { $0.waiting.count } }

  func attach(_ archive: any EmergencyArchive) {
    state.withLock { $0.archive = archive }
    wake.yield()
  }

  /// An emergency has changed.
  func add(_ id: EmergencyID) {
    state.withLock { if $0.known.insert(id).inserted { $0.waiting.append(id) } }
    wake.yield()
  }

  /// Records until the task is cancelled.
  ///
  /// - Parameters:
  ///   - emergency: as it stands; nil if it is to be forgotten.
  ///   - recorded: is told what the archive has.
  func run(
    logger: Logger, emergency: @escaping @Sendable (EmergencyID) -> Emergency?,
    recorded: @escaping @Sendable (EmergencyID, Microseconds) -> Void
  ) async {
    var backOff = BackOff(initial: Self.firstPause, max: Self.longestPause, jitter: 0)
    for await _ in wakes {
      while let failure = await flush(emergency, recorded) {
        if backOff.attempts == 0 {
          logger.warning("emergencies can't be recorded yet", metadata: ["error": "\(failure)"])
        }
        if (try? await Task.sleep(for: backOff.next())) == nil { return }
      }
      backOff.reset()
    }
  }

  /// A last attempt, for a limited time.
  func finish(
    _ emergency: @escaping @Sendable (EmergencyID) -> Emergency?,
    _ recorded: @escaping @Sendable (EmergencyID, Microseconds) -> Void
  ) async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { _ = await self.flush(emergency, recorded) }
      group.addTask { try? await Task.sleep(for: Self.lastPatience) }
      await group.next()
      group.cancelAll()
    }
  }

  /// Tries everything that waits once; what failed waits on.
  /// - Returns: an error, if there was one.
  private func flush(
    _ emergency: @escaping @Sendable (EmergencyID) -> Emergency?,
    _ recorded: @escaping @Sendable (EmergencyID, Microseconds) -> Void
  ) async -> (any Error)? {
    let (archive, ids) = state.withLock { state -> ((any EmergencyArchive)?, [EmergencyID]) in
      guard state.archive != nil else { return (nil, []) }
      defer {
        state.waiting = []
        state.known = []
      }
      return (state.archive, state.waiting)
    }
    guard let archive, !ids.isEmpty else { return nil }
    return await withTaskGroup(of: (EmergencyID, (any Error)?).self) { group in
      var failure: (any Error)?
      var rest = ids[...]
      func next() {
        guard let id = rest.popFirst() else { return }
        group.addTask {
          guard let emergency = emergency(id) else { return (id, nil) }
          do {
            try await archive.record(emergency)
            recorded(id, emergency.changed)
            return (id, nil)
          } catch {
            return (id, error)
          }
        }
      }
      for _ in 0..<Self.width { next() }
      for await (id, error) in group {
        if let error {
          failure = error
          add(id)
        }
        next()
      }
      return failure
    }
  }
}
