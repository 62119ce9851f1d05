internal import DequeModule

/// What is known of who makes a call before the call is taken, and with it how much room there is.
public enum CallStanding: Sendable, Hashable {
  /// Nobody vouches for the caller. Strangers have a small share, in all and per address; where the whole share is
  /// taken, the oldest of their calls ends for the newest, first of those that have not sent a message: so calls that
  /// are only held keep nobody out.
  case stranger
  /// Asks about the server itself, for which nobody has to vouch. There is a share for it, as for strangers, in all and per
  /// address, also when the server takes no others.
  case check
  /// Somebody vouches for the caller.
  case known
  /// Somebody vouches for the caller, and the call is taken also when the server takes no others.
  case vital
}

/// The calls that a server has taken, by who makes them: decides which ones are taken.
///
/// Generic and without a lock: the server keeps it under its own.
struct CallRoom<Call> {
  /// Where a call is counted; it is given back when the call ends.
  struct Place {
    fileprivate(set) var standing: CallStanding
    fileprivate let address: ClientAddress
    /// In the share of its standing.
    fileprivate let number: UInt64
  }

  enum Entry {
    /// - Parameter insteadOf: the call that ends for it, which keeps its place until it has.
    case taken(Place, insteadOf: Call?)
    /// - Parameter String: why, for people.
    case refused(String)
  }

  private struct AddressCalls {
    var all = 0
    var strangers = 0
    var checks = 0
  }

  private let limits: CallRoomLimits
  private var strangers: Share
  private var checks: Share
  private var addresses: [ClientAddress: AddressCalls] = [:]
  /// All calls that were taken and have not ended.
  private(set) var count = 0

  init(_ limits: CallRoomLimits) {
    self.limits = limits
    strangers = Share(max: limits.maxStrangers)
    checks = Share(max: limits.maxChecks)
  }

  /// Calls of strangers and checks that nothing has ended yet.
  var strangerCount: Int { strangers.count + checks.count }
  /// Addresses that have calls, without this machine's.
  var addressCount: Int { addresses.count }

  /// Takes a call or refuses it.
  mutating func enter(_ call: Call, as standing: CallStanding, from address: ClientAddress) -> Entry {
    let mayUseReserve = standing == .vital || standing == .check
    guard count < limits.maxCalls - (mayUseReserve ? 0 : limits.maxCalls / CallRoomLimits.reservePart) else {
      return .refused("the server runs as many calls as it takes at once")
    }
    if !address.isThisMachine {
      let there = addresses[address] ?? AddressCalls()
      guard there.all < limits.maxPerAddress else {
        return .refused("at most \(limits.maxPerAddress) calls at once from one address")
      }
      guard standing != .stranger || there.strangers < limits.maxStrangersPerAddress else {
        return .refused("at most \(limits.maxStrangersPerAddress) calls at once without a token from one address")
      }
      guard standing != .check || there.checks < limits.maxChecksPerAddress else {
        return .refused("at most \(limits.maxChecksPerAddress) calls of health and reflection at once from one address")
      }
      addresses[address] = AddressCalls(
        all: there.all + 1, strangers: there.strangers + (standing == .stranger ? 1 : 0),
        checks: there.checks + (standing == .check ? 1 : 0))
    }
    count += 1
    var (number, last): (UInt64, (call: Call, address: ClientAddress)?) = (0, nil)
    switch standing {
    case .stranger:
      (number, last) = strangers.add(call, address)
      if let last { addresses[last.address]?.strangers -= 1 }
    case .check:
      (number, last) = checks.add(call, address)
      if let last { addresses[last.address]?.checks -= 1 }
    case .known, .vital: break
    }
    return .taken(Place(standing: standing, address: address, number: number), insteadOf: last?.call)
  }

  /// Somebody vouches for a stranger.
  mutating func vouch(for place: inout Place, as standing: CallStanding) {
    leaveShare(place)
    place.standing = standing
  }

  /// The client has sent its first message.
  mutating func speak(_ place: Place) {
    switch place.standing {
    case .stranger: strangers.speak(place.number)
    case .check: checks.speak(place.number)
    case .known, .vital: break
    }
  }

  /// The call has ended.
  mutating func leave(_ place: Place) {
    leaveShare(place)
    count -= 1
    guard let there = addresses[place.address] else { return }
    addresses[place.address] =
      there.all > 1
      ? AddressCalls(all: there.all - 1, strangers: there.strangers, checks: there.checks) : nil
  }

  private mutating func leaveShare(_ place: Place) {
    switch place.standing {
    case .stranger: if strangers.remove(place.number) { addresses[place.address]?.strangers -= 1 }
    case .check: if checks.remove(place.number) { addresses[place.address]?.checks -= 1 }
    case .known, .vital: break
    }
  }
}

/// The limits of a `CallRoom`.
struct CallRoomLimits {
  /// One call in so many of all is kept for vital ones and for checks.
  static let reservePart = 20

  var maxCalls: Int
  var maxPerAddress: Int
  var maxStrangers: Int
  var maxStrangersPerAddress: Int
  var maxChecks: Int
  var maxChecksPerAddress: Int
}

extension CallRoom {
  /// So many calls, in the order in which they came.
  private struct Share {
    private struct Entry {
      let call: Call
      let address: ClientAddress
      var isSilent = true
    }

    private let max: Int
    private var entries: [UInt64: Entry] = [:]
    /// The numbers of the silent ones and of the others, each with some of calls that have left.
    private var silent: Deque<UInt64> = []
    private var speaking: Deque<UInt64> = []
    private var last: UInt64 = 0

    init(max: Int) { self.max = max }

    var count: Int { entries.count }

    /// Adds a call; where that is one too many, the oldest leaves.
    mutating func add(_ call: Call, _ address: ClientAddress) -> (UInt64, oldest: (call: Call, address: ClientAddress)?)
    {
      let oldest = entries.count < max ? nil : removeOldest()
      last += 1
      entries[last] = Entry(call: call, address: address)
      if silent.count >= 2 * max { silent.removeAll { entries[$0]?.isSilent != true } }
      silent.append(last)
      return (last, oldest)
    }

    mutating func speak(_ number: UInt64) {
      guard entries[number]?.isSilent == true else { return }
      entries[number]!.isSilent = false
      if speaking.count >= 2 * max { speaking.removeAll { entries[$0] == nil } }
      speaking.append(number)
    }

    /// Whether the call was still there.
    mutating func remove(_ number: UInt64) -> Bool { entries.removeValue(forKey: number) != nil }

    /// A silent one goes before one that waits for its answer.
    private mutating func removeOldest() -> (call: Call, address: ClientAddress)? {
      while let number = silent.popFirst() {
        if entries[number]?.isSilent == true {
          return entries.removeValue(forKey: number).map { ($0.call, $0.address) }
        }
      }
      while let number = speaking.popFirst() {
        if let entry = entries.removeValue(forKey: number) { return (entry.call, entry.address) }
      }
      return nil
    }
  }
}
