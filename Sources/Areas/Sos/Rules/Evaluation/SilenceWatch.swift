internal import Domain

/// What is known of a person's silence: when heart rates came last, and what may explain that none comes.
struct SilenceWatch: Sendable {
  /// A report of a low battery explains a silence that begins within this time after it.
  private static let batteryLasts: Microseconds = 6 * 3_600_000_000
  /// Degrees of latitude within which somebody has not moved: about 30 m, what positions vary by standing still.
  private static let standing = 0.000_3

  var rule: SilenceRule
  /// The server's time when the last heart rate was received; nil: none yet.
  private(set) var heard: Microseconds?
  /// When the newest heart rate was taken.
  private(set) var began: Microseconds = 0
  private(set) var notified: Microseconds?
  private(set) var hasCalled = false
  private var isWorn = true
  /// The server's time when the device said whether it is worn.
  private var wearReported: Microseconds = .min
  private var lowBattery: Microseconds?
  /// The stream of the last reading of any kind.
  private(set) var stream: UInt64 = 0
  private var anchor: (latitude: Double, longitude: Double)?
  /// The server's times of the last position and of the last one that was elsewhere than those before it.
  private var positioned: Microseconds = .min
  private var moved: Microseconds = .min

  init(rule: SilenceRule) { self.rule = rule }

  /// A reading of any kind has come.
  mutating func take(stream: UInt64) { self.stream = stream }

  /// A heart rate has come. One of before what is known already, as after a restart, changes nothing.
  mutating func hear(takenAt time: Microseconds, receivedAt now: Microseconds) {
    if let heard, now < heard { return }
    began = heard == nil ? time : max(began, time)
    heard = now
    (notified, hasCalled) = (nil, false)
    if now >= wearReported { isWorn = true }
  }

  mutating func report(isWorn: Bool?, hasLowBattery: Bool, at now: Microseconds) {
    if let isWorn { (self.isWorn, wearReported) = (isWorn, now) }
    lowBattery = hasLowBattery ? now : nil
  }

  /// A position has come.
  mutating func move(to latitude: Double, _ longitude: Double, at now: Microseconds) {
    positioned = now
    if let anchor, abs(anchor.latitude - latitude) < Self.standing, abs(anchor.longitude - longitude) < Self.standing {
      return
    }
    anchor = (latitude, longitude)
    moved = now
  }

  /// Why no heart rate may come.
  /// - Parameter end: how the stream of the last reading ended; nil: it is open, or nothing is known of it.
  func cause(end: StreamEnd?) -> SilenceCause {
    guard let heard else { return .unknown }
    if let lowBattery, heard - lowBattery < Self.batteryLasts { return .lowBattery }
    switch end {
    case .inOrder: return .streamClosed
    case .brokenOff: return .connectionLost
    case nil: break
    }
    // A little later than the heart rate: the last steps may come with it.
    return positioned > heard && moved <= heard + 60_000_000 ? .stoppedMoving : .unknown
  }

  enum Step { case nothing, notify, call }

  /// What the server's time asks for.
  func step(at now: Microseconds) -> Step {
    guard let heard, isWorn else { return .nothing }
    guard let notified else { return now - heard >= minutes(rule.notifyAfterMinutes) ? .notify : .nothing }
    guard rule.callAfterMinutes > 0, !hasCalled else { return .nothing }
    return now - notified >= minutes(rule.callAfterMinutes) ? .call : .nothing
  }

  mutating func notify(at now: Microseconds) { notified = now }
  mutating func call() { hasCalled = true }

  private func minutes(_ count: Int) -> Microseconds { Microseconds(min(max(count, 1), 100_000)) * 60_000_000 }
}
