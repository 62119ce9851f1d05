internal import Domain
internal import RacesRules
public import SosRules
internal import Synchronization

/// Brings each transition of an emergency to the streams of its person: out of memory, so that it comes also while the
/// database is away.
public final class EmergencyWatch: Sendable {
  /// One stream's place: the newest of each emergency that has changed, until the stream takes it.
  final class Place: Sendable {
    let signal = StreamSignal()
    private let news = Mutex<[EmergencyID: Emergency]>([:])

    fileprivate func add(_ emergency: Emergency) {
      news.withLock { news in
        if let known = news[emergency.id], known.changed >= emergency.changed { return }
        news[emergency.id] = emergency
      }
      signal.signal(.data)
    }

    /// What has changed since the last time, by the newest transition.
    func take() -> [Emergency] {
      let news = news.withLock { news in
        defer { news = [:] }
        return news
      }
      return news.values.sorted { $0.changed < $1.changed }
    }
  }

  private struct State {
    var places: [PersonID: [Place]] = [:]
    var head: Microseconds = 0
    var isDraining = false
  }

  private let state = Mutex(State())

  public init() {}

  /// The newest transition that streams may have heard of, of whoever it was.
  var head: Microseconds { state.withLock(\.head) }

  /// Takes up what was before this server began.
  func begin(at head: Microseconds) { state.withLock { $0.head = max($0.head, head) } }

  /// Hears of an emergency as it stands after a transition. Never blocks.
  public func changed(_ emergency: Emergency) {
    let places = state.withLock { state in
      state.head = max(state.head, emergency.changed)
      return state.places[emergency.person] ?? []
    }
    for place in places { place.add(emergency) }
  }

  /// A place that hears of everything of a person from now on, until `leave`.
  func join(_ person: PersonID) -> Place {
    let place = Place()
    let isDraining = state.withLock { state in
      state.places[person, default: []].append(place)
      return state.isDraining
    }
    if isDraining { place.signal.signal(.drain) }
    return place
  }

  func leave(_ person: PersonID, _ place: Place) {
    state.withLock { state in
      state.places[person]?.removeAll { $0 === place }
      if state.places[person]?.isEmpty == true { state.places[person] = nil }
    }
  }

  /// How many streams there are.
  var streamCount: Int { state.withLock { $0.places.values.reduce(0) { $0 + $1.count } } }

  /// Sends a heartbeat on every stream that has been silent since the instant.
  public func beat(ifWaitingSince instant: ContinuousClock.Instant) {
    for signal in everySignal() { signal.beat(ifWaitingSince: instant) }
  }

  /// Ends every stream, and those that will come.
  public func drain() {
    state.withLock { $0.isDraining = true }
    for signal in everySignal() { signal.signal(.drain) }
  }

  private func everySignal() -> [StreamSignal] {
    state.withLock { $0.places.values.flatMap { $0.map(\.signal) } }
  }
}
