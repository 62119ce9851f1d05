internal import CGRPCSupport
internal import HeapModule
import Synchronization

/// Has gRPC read each connection no faster than the server is done with what it causes: stands between the core and the
/// system, and lets a connection be read when its bounds allow. The listener's thread only, but for the counts.
///
/// Calls and bytes are counted, not frames: what a connection sends that is neither a call nor a message shows in its
/// bytes, with TLS as without.
final class ReadingGate {
  /// A connection that is to end is held for so long: its client, who may connect again at once, can't do so more often.
  private static let condemnedTime: Duration = .seconds(1)
  /// The pause until the next look at a connection that waits for calls, or for its client to read; and at one that waits
  /// for its turn, whose client may have gone.
  private static let lookPause: Duration = .milliseconds(5)
  private static let queuePause: Duration = .seconds(1)
  /// Bytes of a stranger's turn: a long message is to come within the time for it. One that has just begun more than a few
  /// calls has an allowance in place of it: as many bytes are 270 calls, and calls of others wait for what is read at once.
  private static let turnBytes = 4 << 10
  private static let fewCalls = 16
  /// A loop that has read what caused nothing does not come back from the core: it is not waited for any longer.
  private static let passPatience: Duration = .milliseconds(5)
  private static let stoppedAtOnce = 256

  private final class Reading {
    let connection: Connection
    let isTrusted: Bool
    var isKnown = false
    /// Of each kind its own, so that who is one kind by turns has no more than each.
    private var both = (stranger: ReadingBounds.stranger, known: ReadingBounds.known)
    /// Read since the last look, and in a row without a call or a message.
    var unseen: Int
    var empty = 0
    /// Read, other than whole messages, since no call ran; and when that was last looked at.
    var unsettled = 0
    var settled = ContinuousClock.now
    /// From when on it need not wait for a turn.
    var turnless = ContinuousClock.now
    /// Of the connection, when it was last looked at; and how many of them began since it was last read.
    var calls = 0
    var begun = 0
    var resets = 0
    /// When it stopped, and the earliest time to be read again.
    var stopped = ContinuousClock.now
    var earliest = ContinuousClock.now
    /// When it is looked at while it waits.
    var due: ContinuousClock.Instant?
    var isHeld = false
    var isQueued = false
    var isCondemned = false

    init(_ connection: Connection, isTrusted: Bool) {
      self.connection = connection
      self.isTrusted = isTrusted
      isKnown = isTrusted
      unseen = (isTrusted ? both.known : both.stranger).allowance
    }

    var bounds: ReadingBounds {
      get { isKnown ? both.known : both.stranger }
      set { if isKnown { both.known = newValue } else { both.stranger = newValue } }
    }
  }

  private struct Waiting: Comparable {
    let due: ContinuousClock.Instant
    let reading: Reading
    static func < (one: Waiting, other: Waiting) -> Bool { one.due < other.due }
    static func == (one: Waiting, other: Waiting) -> Bool { one.due == other.due }
  }

  private enum Step {
    case read(bytes: Int)
    /// Not for so long: because the server has something to do before, or because of what the client does.
    case wait(Duration, isAheadOfServer: Bool)
    /// Not before its turn.
    case queue
    case condemn
    case forget
  }

  private let handle: OpaquePointer
  private let maxMessageBytes: Int
  private let maxStrangersWaiting: Int
  private let maxUnsettledBytes: (strangers: Int, known: Int)
  private let counts: ReadingCounts
  private var byFile: [Int32: Reading] = [:]
  /// Those that have stopped, until their loop has been through what it had to do.
  private var stopped: [Reading] = []
  private var waiting = Heap<Waiting>()
  private var fresh = FreshConnections()
  private var turns: StrangersTurns
  /// Of all connections.
  private var unsettled = (strangers: 0, known: 0)

  /// - Parameters:
  ///   - maxMessageBytes: the longest message that any method takes.
  /// - Returns: nil when the core can't be held back: what it reads with is not what is linked here.
  init?(_ configuration: ServerConfiguration, maxMessageBytes: Int, counts: ReadingCounts) {
    guard let handle = tmrpc_gate_create() else { return nil }
    self.handle = handle
    self.maxMessageBytes = maxMessageBytes
    maxStrangersWaiting = configuration.maxStrangersWaiting
    maxUnsettledBytes = (configuration.maxStrangersUnsettledBytes, configuration.maxUnsettledBytes)
    turns = StrangersTurns(interval: configuration.strangersTurnInterval)
    self.counts = counts
  }

  deinit { tmrpc_gate_destroy(handle) }

  /// Readable when there is something to look at.
  var bell: Int32 { tmrpc_gate_bell(handle) }

  /// When to look without the bell; nil: not before it rings.
  var nextLook: ContinuousClock.Instant? {
    let now = ContinuousClock.now
    // From its earliest time on, the bell rings when the loop has passed.
    let first = stopped.lazy.map { $0.earliest > now ? $0.earliest : $0.stopped + Self.passPatience }.min()
    return [first, waiting.min?.due, turns.nextChange].compactMap(\.self).min()
  }

  /// Holds a connection to its bounds, before gRPC has it. Those through Unix sockets are this machine's programs, whose
  /// calls are not told apart.
  func add(_ connection: Connection, isTrusted: Bool) {
    guard connection.endpoint != nil else { return }
    let reading = Reading(connection, isTrusted: isTrusted)
    guard tmrpc_gate_add(handle, connection.socket.file, Int64(reading.bounds.allowance)) != 0 else { return }
    // gRPC may have closed the one before while it was held, because it could not write.
    forget(connection.socket.file)
    byFile[connection.socket.file] = reading
    fresh.add(connection.socket)
  }

  /// Whether gRPC has as many new connections as it may have before it has come to them.
  func isCrowded() -> Bool { fresh.areMany() }

  /// Whether new connections are to be taken one at a time: more calls of strangers wait than there is time for.
  var isBehind: Bool { counts.strangersWaiting.load(ordering: .relaxed) >= maxStrangersWaiting / 2 }

  /// Ends a connection. What its client has sent before, which may be megabytes, is not read.
  /// - Returns: false when that takes a descriptor, and there is none.
  func end(_ connection: Connection) -> Bool {
    let (file, cookie) = (connection.socket.file, connection.socket.cookie)
    if byFile[file]?.connection === connection {
      forget(file)
      tmrpc_gate_remove(handle, file, cookie)
    }
    return connection.socket.end()
  }

  /// Looks at those that have used up what they were allowed, and at those whose time has come.
  func look() {
    var files = [Int32](repeating: 0, count: Self.stoppedAtOnce)
    var count: Int
    let now = ContinuousClock.now
    repeat {
      count = tmrpc_gate_stopped(handle, &files, files.count)
      for file in files.prefix(count) {
        guard let reading = byFile[file] else { continue }
        account(for: reading, now)
        stopped.append(reading)
      }
    } while count == files.count
    endUnsettled(now)
    stopped.removeAll { reading in
      let file = reading.connection.socket.file
      guard byFile[file] === reading else { return true }
      guard now >= reading.stopped + Self.passPatience || tmrpc_gate_has_passed(file) != 0 else { return false }
      turns.end(of: reading.connection)
      guard now >= reading.earliest else { return false }
      take(step(for: reading, now), reading, now)
      return true
    }
    while let connection = turns.popEnded(at: now) {
      let file = connection.socket.file
      guard let reading = byFile[file], reading.connection === connection else { continue }
      reading.unseen -= Int(tmrpc_gate_revoke(handle, file))
    }
    while let first = waiting.min, first.due <= now {
      waiting.removeMin()
      let reading = first.reading
      // Where its turn came before, it is looked at for something else by now.
      guard reading.due == first.due, byFile[reading.connection.socket.file] === reading else { continue }
      take(step(for: reading, now), reading, now)
    }
    while let connection = turns.popNext(after: counts.strangerCalls.load(ordering: .relaxed), at: now) {
      guard let reading = byFile[connection.socket.file], reading.connection === connection else { continue }
      reading.isQueued = false
      take(step(for: reading, now, hasTurn: true), reading, now)
    }
  }

  /// Ends those that are held back, and strangers who have more to say, and lets the others be read without bounds: the
  /// server takes no more calls.
  func shutDown() {
    for reading in stopped where !reading.isKnown { hold(reading, true) }
    for reading in byFile.values {
      if reading.isHeld {
        _ = end(reading.connection)
      } else {
        forget(reading.connection.socket.file)
        tmrpc_gate_remove(handle, reading.connection.socket.file, 0)
      }
    }
    waiting = []
    stopped = []
    turns.removeAll()
  }

  private func hold(_ reading: Reading, _ isHeld: Bool, isAheadOfServer: Bool = false) {
    reading.connection.isAheadOfServer = isAheadOfServer
    guard reading.isHeld != isHeld else { return }
    reading.isHeld = isHeld
    counts.held.add(isHeld ? 1 : -1, ordering: .relaxed)
  }

  private func wait(_ reading: Reading, until due: ContinuousClock.Instant) {
    reading.due = due
    waiting.insert(Waiting(due: due, reading: reading))
  }

  private func forget(_ file: Int32) {
    guard let reading = byFile.removeValue(forKey: file) else { return }
    hold(reading, false)
    queue(reading, false)
    setUnsettled(0, of: reading)
  }

  private func queue(_ reading: Reading, _ isQueued: Bool) {
    guard reading.isQueued != isQueued else { return }
    reading.isQueued = isQueued
    if isQueued { turns.enqueue(reading.connection) } else { turns.dequeue(reading.connection) }
  }

  private func setUnsettled(_ bytes: Int, of reading: Reading) {
    let change = bytes - reading.unsettled
    reading.unsettled = bytes
    if reading.isKnown { unsettled.known += change } else { unsettled.strangers += change }
  }

  /// - Parameter bytes: read since this was last done.
  private func settle(_ reading: Reading, _ bytes: Int, _ now: ContinuousClock.Instant) {
    let settled = reading.connection.takeSettled(by: reading.bounds, in: now - reading.settled)
    reading.settled = now
    setUnsettled(reading.connection.hasCalls ? max(0, reading.unsettled + bytes - settled) : 0, of: reading)
  }

  /// Ends the connections of which most is unsettled, where all together have too much: until they have a quarter less, so
  /// that few looks at all of them are needed.
  private func endUnsettled(_ now: ContinuousClock.Instant) {
    for (isKnown, limit, total) in [
      (false, maxUnsettledBytes.strangers, \ReadingGate.unsettled.strangers),
      (true, maxUnsettledBytes.known, \ReadingGate.unsettled.known),
    ] where self[keyPath: total] > limit {
      let readings = byFile.values.filter { $0.isKnown == isKnown }
      // Much of it has come in whole since they were looked at.
      for reading in readings { settle(reading, 0, now) }
      guard self[keyPath: total] > limit else { continue }
      for reading in readings.sorted(by: { $0.unsettled > $1.unsettled }) {
        guard self[keyPath: total] > limit / 4 * 3 else { break }
        take(.condemn, reading, now)
        setUnsettled(0, of: reading)
      }
    }
  }

  /// Counts what was read, when it is told that it was.
  private func account(for reading: Reading, _ now: ContinuousClock.Instant) {
    let connection = reading.connection
    let isKnown = reading.isTrusted || connection.isKnown
    if isKnown != reading.isKnown {
      let bytes = reading.unsettled
      setUnsettled(0, of: reading)
      reading.isKnown = isKnown
      setUnsettled(bytes, of: reading)
    }
    settle(reading, reading.unseen, now)
    reading.turnless = now + (reading.bounds.turnless?.bytes.take(reading.unseen, at: now) ?? .zero)
    reading.empty = connection.takeMoved() ? 0 : reading.empty + reading.unseen
    reading.stopped = now
    reading.earliest = now + max(reading.bounds.pause, reading.bounds.bytes?.take(reading.unseen, at: now) ?? .zero)
  }

  private func step(for reading: Reading, _ now: ContinuousClock.Instant, hasTurn: Bool = false) -> Step {
    let connection = reading.connection
    guard connection.socket.isOpen, !reading.isCondemned else { return .forget }
    // gRPC takes a message that is too long in whole before it refuses it, and what is left of a message whose call has
    // ended still comes: such clients are to hear why.
    let ofMessages = connection.isUnused ? 0 : reading.bounds.longestMessages * maxMessageBytes
    guard reading.empty <= reading.bounds.emptyBytes + ofMessages else { return .condemn }
    let resets = connection.resetCount
    let pause = reading.bounds.resets.take(resets &- reading.resets, at: now)
    reading.resets = resets
    let begun = connection.callCount &- reading.calls
    if let pause = reading.bounds.turnless?.calls.take(begun, at: now) {
      reading.turnless = max(reading.turnless, now + pause)
    }
    reading.calls &+= begun
    reading.begun += begun
    if pause > .zero { return .wait(min(pause, .seconds(1)), isAheadOfServer: false) }
    // What waits to be sent to a client that does not read it, such as the answers to its pings, would grow.
    guard tmrpc_is_writable(connection.socket.file) != 0 else {
      return .wait(Self.lookPause, isAheadOfServer: false)
    }
    let unfinished = connection.unfinishedCallCount
    guard unfinished <= reading.bounds.unfinishedCalls else {
      // Answers that it does not take are no work of the server.
      let unanswered = unfinished - connection.unsentCallCount
      return .wait(Self.lookPause, isAheadOfServer: unanswered > reading.bounds.unfinishedCalls)
    }
    guard now < reading.turnless else { return .read(bytes: reading.bounds.allowance) }
    guard hasTurn else { return .queue }
    turns.begin(of: connection, at: now)
    return .read(bytes: reading.begun > Self.fewCalls ? reading.bounds.allowance : Self.turnBytes)
  }

  private func take(_ step: Step, _ reading: Reading, _ now: ContinuousClock.Instant) {
    reading.due = nil
    var isQueued = false
    defer { queue(reading, isQueued) }
    switch step {
    case .read(let bytes):
      hold(reading, false)
      (reading.unseen, reading.begun) = (bytes, 0)
      tmrpc_gate_allow(handle, reading.connection.socket.file, Int64(reading.unseen))
    // What is not read hides the end of the connection from gRPC, and with it that nobody waits for its calls.
    case .wait where tmrpc_has_hung_up(reading.connection.socket.file) != 0,
      .queue where tmrpc_has_hung_up(reading.connection.socket.file) != 0:
      _ = end(reading.connection)
    case .wait(let time, let isAheadOfServer):
      hold(reading, true, isAheadOfServer: isAheadOfServer)
      wait(reading, until: now + time)
    case .queue:
      isQueued = true
      hold(reading, true, isAheadOfServer: true)
      wait(reading, until: min(reading.turnless, now + Self.queuePause))
    case .condemn:
      counts.overrun.add(1, ordering: .relaxed)
      reading.isCondemned = true
      hold(reading, true)
      wait(reading, until: now + Self.condemnedTime)
    case .forget:
      _ = end(reading.connection)
    }
  }
}

/// What the reading of connections depends on, and what operators are told of it. Any thread.
final class ReadingCounts: Sendable {
  /// A stranger's call that ends another counts as so many: one handler begins for it, and another one ends.
  static let displacement = 4

  /// Not read just now, because of what they have caused.
  let held = Atomic<Int>(0)
  /// Ended because they sent neither calls nor messages.
  let overrun = Atomic<Int>(0)
  /// Calls by connections for whose callers nobody vouched.
  let strangerCalls = Atomic<Int>(0)
  /// Calls of strangers whose handlers wait to begin.
  let strangersWaiting = Atomic<Int>(0)
}
