internal import Domain
internal import Log
internal import RacesRules
internal import ServiceKit
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
    var places = Members<PersonID, Place>()
    var head: Microseconds = 0
  }

  private let streams: Board<LogTopic>
  private let state = Mutex(State())

  /// - Parameter streams: where a place's stream hears of heartbeats and of the server's end.
  init(streams: Board<LogTopic>) { self.streams = streams }

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
    state.withLock { $0.places.add(place, to: person) }
    streams.join(place.signal)
    return place
  }

  func leave(_ person: PersonID, _ place: Place) {
    streams.leave(place.signal)
    state.withLock { $0.places.remove(place, from: person) }
  }

  /// How many places there are.
  var placeCount: Int { state.withLock(\.places.count) }
}
