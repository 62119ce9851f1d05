public import Domain

/// What the evaluation of one person's readings decides.
public enum Decision: Sendable, Equatable {
  /// A limit was crossed for its hold time.
  ///
  /// - Parameters:
  ///   - emergency: the episode.
  ///   - isFirst: whether it opens the episode.
  case crossed(Crossing, emergency: EmergencyID, isFirst: Bool)
  /// No heart rate has come for the time that the person has set.
  ///
  /// - Parameters:
  ///   - since: when the last one was received.
  ///   - at: the server's time.
  case silent(since: Microseconds, at: Microseconds, cause: SilenceCause)
  /// A reading beyond a limit is too old to call for.
  case late(metric: MetricID, age: Microseconds)
}

/// How a stream of readings ended.
public enum StreamEnd: Sendable, Equatable {
  /// The client said that no more would come.
  case inOrder
  /// It broke off.
  case brokenOff
}
