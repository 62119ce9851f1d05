internal import Domain
internal import SosRules
internal import Synchronization

/// A part of the persons who are watched, under one lock.
final class MonitorShard: Sendable {
  private let state: Mutex<State>

  /// - Parameter clock: the server's time.
  init(clock: @escaping @Sendable () -> Microseconds) { state = Mutex(State(clock: clock)) }

  @inline(__always) func withLock<T: Sendable>(_ body: (inout State) -> T) -> T {
    state.withLock { state in body(&state) }
  }
}

extension MonitorShard {
  /// Persons by number. They stand in pages, so that more of them neither move nor leave much room unused; an index with
  /// open addressing finds them.
  ///
  /// Unchecked: the pages belong to the state alone and are reached under its shard's lock only. They are raw memory
  /// because a person is changed in place, at every reading, and an array in an array is copied too easily for that.
  struct State: ~Copyable, @unchecked Sendable {
    private static let pageSize = 64
    private static let free = UInt32.max
    /// The most persons whose late readings are remembered as told.
    private static let maxTold = 1_000

    private var pages: [UnsafeMutablePointer<PersonMonitor>] = []
    private var count = 0
    /// Places of persons, or `free`; a power of two, at most three quarters in use.
    private var index: [UInt32] = Array(repeating: free, count: 8)
    /// Persons with whom something may be the matter.
    private var troubled: [PersonID] = []
    private var due = Microseconds.max
    /// Persons for whom silence is an alarm.
    private var listened: [PersonID] = []
    /// Persons of whose late readings the sink has been told in this minute.
    private var told: Set<PersonID> = []
    private var toldSince: Microseconds = 0
    private let clock: @Sendable () -> Microseconds

    /// SplitMix64's finisher: near numbers come to lie far from each other.
    @inline(__always) static func hash(_ person: PersonID) -> UInt64 {
      var hash = UInt64(bitPattern: person) &* 0xBF58_476D_1CE4_E5B9
      hash = (hash ^ (hash >> 32)) &* 0x94D0_49BB_1331_11EB
      return hash ^ (hash >> 29)
    }

    init(clock: @escaping @Sendable () -> Microseconds) { self.clock = clock }

    deinit {
      for place in 0..<count { pointer(to: place).deinitialize(count: 1) }
      for page in pages { page.deallocate() }
    }

    /// Where the person stands; valid until somebody is forgotten.
    @inline(__always) private func pointer(to place: Int) -> UnsafeMutablePointer<PersonMonitor> {
      pages[place / Self.pageSize] + place % Self.pageSize
    }

    // Addresses: a person is changed where it stands. They are of the state's own pages, which nobody moves or frees
    // while one of its functions uses a place.
    private subscript(place: Int) -> PersonMonitor {
      @inline(__always) unsafeAddress { UnsafePointer(pointer(to: place)) }
      @inline(__always) nonmutating unsafeMutableAddress { pointer(to: place) }
    }

    // MARK: Finding

    @inline(__always) func place(of person: PersonID) -> Int? {
      let mask = index.count - 1
      var slot = Int(truncatingIfNeeded: Self.hash(person)) & mask
      while index[slot] != Self.free {
        if self[Int(index[slot])].person == person { return Int(index[slot]) }
        slot = (slot + 1) & mask
      }
      return nil
    }

    /// The slot of a place that is in the index.
    private func slot(of place: Int) -> Int {
      let mask = index.count - 1
      var slot = Int(truncatingIfNeeded: Self.hash(self[place].person)) & mask
      while index[slot] != UInt32(place) { slot = (slot + 1) & mask }
      return slot
    }

    private mutating func enter(_ place: Int) {
      let mask = index.count - 1
      var slot = Int(truncatingIfNeeded: Self.hash(self[place].person)) & mask
      while index[slot] != Self.free { slot = (slot + 1) & mask }
      index[slot] = UInt32(place)
    }

    /// Empties a slot and closes the gap that it leaves in the way of others.
    private mutating func clear(_ slot: Int) {
      let mask = index.count - 1
      var gap = slot
      var next = (slot + 1) & mask
      while index[next] != Self.free {
        let home = Int(truncatingIfNeeded: Self.hash(self[Int(index[next])].person)) & mask
        // It may move if its own place is not between the gap and where it stands.
        if (next - home) & mask >= (next - gap) & mask {
          index[gap] = index[next]
          gap = next
        }
        next = (next + 1) & mask
      }
      index[gap] = Self.free
    }

    // MARK: Persons

    /// - Returns: whether the person is new.
    mutating func watch(_ person: MonitoredPerson, _ rules: RuleSet) -> Bool {
      if let place = place(of: person.person) {
        let listened = self[place].listensForSilence
        self[place].update(person, rules: rules)
        if self[place].listensForSilence, !listened { self.listened.append(person.person) }
        due = min(due, self[place].due)
        return false
      }
      let monitor = PersonMonitor(person, rules: rules)
      if count == pages.count * Self.pageSize { pages.append(.allocate(capacity: Self.pageSize)) }
      pointer(to: count).initialize(to: monitor)
      count += 1
      if count * 4 > index.count * 3 {
        index = Array(repeating: Self.free, count: index.count * 2)
        for place in 0..<count { enter(place) }
      } else {
        enter(count - 1)
      }
      if monitor.listensForSilence { listened.append(person.person) }
      return true
    }

    /// - Returns: whether the person was there.
    mutating func forget(_ person: PersonID) -> Bool {
      guard let place = place(of: person) else { return false }
      clear(slot(of: place))
      let last = count - 1
      if place != last {
        let slot = slot(of: last)
        self[place] = self[last]
        index[slot] = UInt32(place)
      }
      pointer(to: last).deinitialize(count: 1)
      count -= 1
      if count <= (pages.count - 1) * Self.pageSize { pages.removeLast().deallocate() }
      troubled.removeAll { $0 == person }
      listened.removeAll { $0 == person }
      told.remove(person)
      return true
    }

    mutating func forEach(_ body: (inout PersonMonitor) -> Void) {
      for place in 0..<count {
        body(&self[place])
        due = min(due, self[place].due)
      }
    }

    /// Runs `body` on a person who is watched, and notes when to look at the person again.
    mutating func change(_ person: PersonID, _ body: (inout PersonMonitor, inout [Decision]) -> Void) {
      guard let place = place(of: person) else { return }
      var events: [MonitorEvent] = []
      withPerson(at: place, 0, &events, body)
    }

    /// Runs `body`, which may decide something, on a person.
    @inline(__always) mutating func withPerson(
      at place: Int, _ now: Microseconds, _ events: inout [MonitorEvent],
      _ body: (inout PersonMonitor, inout [Decision]) -> Void
    ) {
      let before = self[place].dueInPlace()
      var decisions: [Decision] = []
      body(&self[place], &decisions)
      let after = self[place].dueInPlace()
      if after != .max {
        if before == .max { troubled.append(self[place].person) }
        due = min(due, after)
      }
      if !decisions.isEmpty { tell(decisions, place, now, &events) }
    }

    // MARK: Time

    mutating func check(at now: Microseconds, _ events: inout [MonitorEvent]) {
      guard due <= now else { return }
      due = .max
      var kept: [PersonID] = []
      for person in troubled {
        guard let place = place(of: person) else { continue }
        if self[place].due <= now {
          var decisions: [Decision] = []
          self[place].check(at: now, into: &decisions)
          if !decisions.isEmpty { tell(decisions, place, now, &events) }
        }
        let next = self[place].due
        guard next != .max else { continue }
        kept.append(person)
        due = min(due, next)
      }
      troubled = kept
    }

    mutating func checkSilence(at now: Microseconds, _ streams: StreamTable, _ events: inout [MonitorEvent]) {
      var isStale = false
      for person in listened {
        guard let place = place(of: person), self[place].listensForSilence else {
          isStale = true
          continue
        }
        let before = self[place].dueInPlace()
        var decisions: [Decision] = []
        self[place].checkSilence(at: now, end: { streams.end(of: $0) }, into: &decisions)
        guard !decisions.isEmpty else { continue }
        if before == .max, self[place].due != .max { troubled.append(person) }
        due = min(due, self[place].due)
        tell(decisions, place, now, &events)
      }
      if isStale {
        listened = listened.filter { person in place(of: person).map { self[$0].listensForSilence } ?? false }
      }
    }

    /// Makes events of what was decided about a person.
    private mutating func tell(
      _ decisions: [Decision], _ place: Int, _ now: Microseconds, _ events: inout [MonitorEvent]
    ) {
      for decision in decisions {
        switch decision {
        case .crossed(let crossing, let emergency, let isFirst):
          events.append(.detected(detection(place, crossing, emergency, isFirst)))
        case .silent(let since, let at, let cause):
          events.append(
            .silence(
              SilenceNotice(
                person: self[place].person, since: since, at: at, cause: cause, position: self[place].position,
                contacts: self[place].contacts)))
        case .late(let metric, let age):
          if mayTellLate(self[place].person, now) {
            events.append(.late(person: self[place].person, metric: metric, age: age))
          }
        }
      }
    }

    private func detection(
      _ place: Int, _ crossing: Crossing, _ emergency: EmergencyID, _ isFirst: Bool
    ) -> Detection {
      let person = self[place]
      return Detection(
        person: person.person, emergency: emergency, isFirst: isFirst, crossing: crossing, decided: clock(),
        vitals: person.vitals(at: crossing.completed), position: person.position, dateOfBirth: person.dateOfBirth,
        sex: person.sex, callbackNumber: person.callbackNumber, contacts: person.contacts)
    }

    /// Once a person and minute.
    private mutating func mayTellLate(_ person: PersonID, _ now: Microseconds) -> Bool {
      if now < toldSince || now - toldSince >= 60_000_000 {
        told.removeAll(keepingCapacity: true)
        toldSince = now
      }
      return told.count < Self.maxTold && told.insert(person).inserted
    }
  }
}
