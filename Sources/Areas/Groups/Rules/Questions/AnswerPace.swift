/// How far apart the times are at which a question may be answered.
///
/// It follows from what is asked and from how many persons there are, and is the same whoever matches. It is about twice what
/// the work takes, so that an answer leaves at the first of these times, and no work is seen to take a little longer; where
/// a machine is slower or busy, at a later one.
package struct AnswerPace: Sendable, Hashable {
  /// The least.
  package static let step: Duration = .milliseconds(100)

  package let interval: Duration

  /// - Parameter parts: of `DayCells.persons`, that the persons who have an account fill.
  package init(_ question: GroupQuestion, parts: Int) {
    let (times, releases) = (question.times, question.releases)
    let buckets = times.boundaries.count - 1
    let days = times.days.upperBound.daysSinceEpoch - times.days.lowerBound.daysSinceEpoch + 2
    // Ends of hours that are read of each day.
    let ends =
      releases.contains(.hours) ? CellRow.hours : times.slot == .day && times.timeZone == "UTC" ? 1 : 3
    let columns = 1 + ends + (question.place.cells == nil ? 0 : 1)
    // Microseconds, measured with `trackme bench groups`, and twice that.
    let ofMembers = question.persons.address.isEmpty ? 10_000 : 40_000
    let ofCells = days * columns * 80
    let ofSums = (buckets + (releases.contains(.hours) ? CellRow.hours : 0)) * 100
    let ofNoise = releases.cost(buckets: buckets) * Tally.bins * (releases.contains(.cells) ? 20 : 1) * 20
    let work = question.metrics.count * (max(parts, 1) * (ofMembers + ofCells + ofSums) + ofNoise)
    interval = Self.step * (Duration.microseconds(work) / Self.step).rounded(.up)
  }
}
