internal import GroupsRules

/// The times at which answers to a question leave, whatever they are: they follow from the question alone.
struct Departures: Sendable {
  /// When the question came.
  let began: ContinuousClock.Instant
  let interval: Duration

  init(_ question: GroupQuestion, parts: Int, since began: ContinuousClock.Instant) {
    self.began = began
    interval = AnswerPace(question, parts: parts).interval
  }

  /// Until the next one.
  /// - Throws: `CancellationError`.
  func next() async throws {
    let intervals = ((.now - began) / interval).rounded(.up)
    try await Task.sleep(until: began + interval * intervals, tolerance: .zero)
  }
}
