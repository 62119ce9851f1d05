import Synchronization

/// Which services are able to do their work. "" stands for the server as a whole.
///
/// Safe to use from any task. Memory grows with the number of services and of open watches, not with changes: a slow
/// watch misses what lies between, and sees the latest.
public final class HealthRegistry: Sendable {
  /// Two of the states of `grpc.health.v1`; what is not known is no status.
  public enum Status: Sendable, Equatable {
    case serving
    case notServing
  }

  /// What a watch has come to know.
  package enum Observation: Sendable, Equatable {
    case status(Status)
    /// No such service, so far.
    case unknown
    /// Nothing will change any more: the server shuts down.
    case ended
  }

  private struct Watcher {
    let service: String
    let continuation: CheckedContinuation<Observation, any Error>
  }

  private struct State {
    var statuses: [String: Status] = [:]
    var isShutDown = false
    var hasBegun = false
    var isDatabaseThere = true
    var doCommitsCome = true
    /// Services for whose work the disk has no room.
    var withoutRoom: Set<String> = []
    var watchers: [UInt64: Watcher] = [:]
    var nextWatcher: UInt64 = 0

    func observation(of service: String) -> Observation { statuses[service].map(Observation.status) ?? .unknown }

    mutating func takeWatchers(of service: String) -> [Watcher] {
      let taken = watchers.filter { $0.value.service == service }
      for key in taken.keys { watchers[key] = nil }
      return Array(taken.values)
    }
  }

  private let state = Mutex(State())

  /// Knows the server as a whole and the given services, none of them serving yet.
  public init(services: [String]) {
    state.withLock { state in
      for service in services + [""] { state.statuses[service] = .notServing }
    }
  }

  /// Sets the status of one service, known before or not. Has no effect after `shutDown`.
  public func set(_ status: Status, for service: String) {
    let watchers = state.withLock { state -> [Watcher] in
      guard !state.isShutDown, state.statuses[service] != status else { return [] }
      state.statuses[service] = status
      return state.takeWatchers(of: service)
    }
    for watcher in watchers { watcher.continuation.resume(returning: .status(status)) }
  }

  /// Sets the status of every known service and of the server as a whole.
  public func setAll(_ status: Status) {
    for service in state.withLock({ Array($0.statuses.keys) }) { set(status, for: service) }
  }

  /// The server is ready: from here on it serves as long as the database is there and commits come.
  public func begin() {
    state.withLock { $0.hasBegun = true }
    show()
  }

  /// The database is there, or gone. A server that is not ready yet does not serve by that.
  public func databaseChanged(isThere: Bool) {
    state.withLock { $0.isDatabaseThere = isThere }
    show()
  }

  /// How long a commit that was asked for may take before the server serves no more, whatever else the database answers.
  public static let commitPatience: Duration = .seconds(5)

  /// Commits that are asked for come, or have not for `commitPatience`.
  public func commitsChanged(come: Bool) {
    let isNew = state.withLock { state in
      defer { state.doCommitsCome = come }
      return state.doCommitsCome != come
    }
    if isNew { show() }
  }

  /// The disk has room for the work of a service, or none; the server as a whole serves on.
  public func diskChanged(hasRoom: Bool, for service: String) {
    state.withLock { state in
      if hasRoom { state.withoutRoom.remove(service) } else { state.withoutRoom.insert(service) }
    }
    show()
  }

  /// Sets what follows from what is known, once the server is ready.
  private func show() {
    let statuses = state.withLock { state -> [(String, Status)] in
      guard state.hasBegun else { return [] }
      return state.statuses.keys.map { service in
        let isAble = state.isDatabaseThere && state.doCommitsCome && !state.withoutRoom.contains(service)
        return (service, isAble ? .serving : .notServing)
      }
    }
    for (service, status) in statuses { set(status, for: service) }
  }

  /// Sets everything to not serving, for good, and ends all watches once they have said so.
  public func shutDown() {
    let endings = state.withLock { state -> [(Watcher, Observation)] in
      let before = state.statuses
      state.statuses = before.mapValues { _ in .notServing }
      state.isShutDown = true
      defer { state.watchers = [:] }
      return state.watchers.values.map { watcher in
        (watcher, before[watcher.service] == .serving ? .status(.notServing) : .ended)
      }
    }
    for (watcher, ending) in endings { watcher.continuation.resume(returning: ending) }
  }

  /// The status of a service; nil if there is none of that name.
  public func status(of service: String) -> Status? { state.withLock { $0.statuses[service] } }

  /// How many watches wait for a change.
  var watcherCount: Int { state.withLock { $0.watchers.count } }

  /// Waits until something other than `known` is to be said of a service. Throws `CancellationError`.
  package func change(of service: String, from known: Observation?) async throws -> Observation {
    let id = state.withLock { state -> UInt64 in
      state.nextWatcher += 1
      return state.nextWatcher
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let immediate = state.withLock { state -> Result<Observation, any Error>? in
          // The handler below may have run before the watcher was there to be found.
          if Task.isCancelled { return .failure(CancellationError()) }
          let current = state.observation(of: service)
          if current != known { return .success(current) }
          if state.isShutDown { return .success(.ended) }
          state.watchers[id] = Watcher(service: service, continuation: continuation)
          return nil
        }
        if let immediate { continuation.resume(with: immediate) }
      }
    } onCancel: {
      let watcher = state.withLock { $0.watchers.removeValue(forKey: id) }
      watcher?.continuation.resume(throwing: CancellationError())
    }
  }
}
