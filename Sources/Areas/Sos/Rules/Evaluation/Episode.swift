internal import Domain

/// A crossing that has been completed and belongs to an emergency, until it has been over for a while.
struct JoinedCrossing: Sendable {
  let kind: CrossingKind
  let metric: MetricID
  /// Not of a score or a silence.
  var source: SourceID
  let emergency: EmergencyID
  /// The server's time when it was last not over.
  var lastUnwell: Microseconds
  /// The server's time of the last word of its source.
  var lastWord: Microseconds
  /// Whether the newest value of the source has come back.
  var isOver = false
  /// When its emergency became final; it calls no more until it is over.
  var muted: Microseconds?

  func isSame(_ kind: CrossingKind, _ metric: MetricID) -> Bool { self.kind == kind && self.metric == metric }

  func isSame(_ kind: CrossingKind, _ metric: MetricID, _ source: SourceID) -> Bool {
    isSame(kind, metric) && (self.source == source || kind == .score || kind == .silence)
  }

  /// When it will have been over for long enough if nothing comes.
  var ends: Microseconds {
    (isOver ? lastUnwell : max(lastUnwell, lastWord) + PersonMonitor.wordLasts) + PersonMonitor.quiet
  }
}

/// The aggregate score at its limit or above it.
struct HighScore: Sendable {
  /// The time of the reading that made it so.
  let began: Microseconds
  /// The server's time of its receipt.
  let received: Microseconds
}

/// What is kept of a person only while something is the matter.
struct Trouble: Sendable {
  var evidence: [Evidence] = []
  var joined: [JoinedCrossing] = []
  /// The emergency that further crossings join.
  var open: EmergencyID?
  var score: HighScore?
  /// When the next timer may be due; it may be too early, never too late.
  var due: Microseconds = .max

  var isOver: Bool { evidence.isEmpty && joined.isEmpty && open == nil && score == nil }
}
