public import Domain

extension PersonMonitor {
  static let noTrack = VitalTrack(metric: 0, source: -1, time: .min, value: 0)

  /// The tracks in use are numbered from 0.
  var trackCount: Int {
    if first.metric == 0 { return 0 }
    return second.metric == 0 ? 1 : 2 + others.count
  }

  subscript(track index: Int) -> VitalTrack {
    get { index == 0 ? first : index == 1 ? second : others[index - 2] }
    set {
      switch index {
      case 0: first = newValue
      case 1: second = newValue
      default: others[index - 2] = newValue
      }
    }
  }

  func trackIndex(_ metric: MetricID, _ source: SourceID) -> Int? {
    (0..<trackCount).first { self[track: $0].isOf(metric, source) }
  }

  /// Adds a track, in the place of another if there are too many.
  mutating func add(_ track: VitalTrack) -> Int {
    if trackCount >= Self.maxTracks {
      // One that is fine and has been silent for longest.
      let indices = 0..<trackCount
      let fine = indices.filter { !self[track: $0].hasEvidence }
      let candidates = fine.isEmpty ? Array(indices) : fine
      remove(track: candidates.min { self[track: $0].newest < self[track: $1].newest } ?? 0)
    }
    switch trackCount {
    case 0: first = track
    case 1: second = track
    default: others.append(track)
    }
    pointSum += Int16(track.points)
    return trackCount - 1
  }

  /// Removes a track and its evidence; the last one takes its number.
  mutating func remove(track index: Int) {
    let track = self[track: index]
    if track.hasEvidence, !trouble.isEmpty {
      trouble[0].evidence.removeAll { $0.isOf(track.metric, track.source) }
    }
    pointSum -= Int16(track.points)
    let last = trackCount - 1
    self[track: index] = self[track: last]
    switch last {
    case 0: first = Self.noTrack
    case 1: second = Self.noTrack
    default: others.removeLast()
    }
  }

  /// Writes the newest reading of a track.
  mutating func set(track index: Int, to time: Microseconds, _ value: Double, receivedAt received: Microseconds) {
    var track = self[track: index]
    let points = rules.points(track.metric, value)
    pointSum += Int16(points) - Int16(track.points)
    (track.newest, track.value) = (time, value)
    track.note(points: points, receivedAt: received)
    self[track: index] = track
  }

  /// A source that was known by a number for the time being has got its own; what is known of it stays.
  public mutating func rename(source old: SourceID, to new: SourceID) {
    for index in 0..<trackCount where self[track: index].source == old {
      let metric = self[track: index].metric
      guard trackIndex(metric, new) == nil else { continue }
      self[track: index].source = new
      guard !trouble.isEmpty else { continue }
      for index in trouble[0].evidence.indices where trouble[0].evidence[index].isOf(metric, old) {
        trouble[0].evidence[index].source = new
      }
      for index in trouble[0].joined.indices
      where trouble[0].joined[index].metric == metric && trouble[0].joined[index].source == old {
        trouble[0].joined[index].source = new
      }
    }
  }
}
