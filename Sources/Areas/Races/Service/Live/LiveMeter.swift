internal import CoreMetrics
internal import Metering

/// Counts ticks of live races, once for each.
struct LiveMeter {
  private let ticks = MetricFamily.ticks.counter()
  private let time = MetricFamily.tickTime.timer()

  /// - Parameter time: how long it took; nil: nobody was to be given anything.
  func ticked(in time: Duration?) {
    ticks.increment()
    if let time { self.time.record(time) }
  }
}

extension LiveRaces {
  /// What is looked at of live races.
  var measures: [Measure] {
    [
      Measure(.races) { [self] in Double(raceCount) }, Measure(.spectators) { [self] in Double(streamCount) },
      Measure(.frames) { [count] in Double(count.sent) },
      .follower("races", of: tail) { [self] in furthestBehind ?? tail.head },
    ]
  }
}

extension MetricFamily {
  /// What live races count when it happens.
  static let ofRaces = [ticks, tickTime]

  fileprivate static let ticks = MetricFamily(
    .counter, "trackme_race_ticks_total", "Ticks of live races, ten a second each, also those with nobody to be told.")
  fileprivate static let tickTime = MetricFamily(
    .histogram(upTo: [0.000_5, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1]), "trackme_race_tick_seconds",
    "How long ticks took that had somebody to be told.")
  fileprivate static let races = MetricFamily(.gauge, "trackme_races_followed", "Races whose boards this server keeps.")
  fileprivate static let spectators = MetricFamily(
    .gauge, "trackme_race_spectators", "Streams that watch races.")
  fileprivate static let frames = MetricFamily(
    .counter, "trackme_race_frames_total", "Frames that were given to spectators.")
}
