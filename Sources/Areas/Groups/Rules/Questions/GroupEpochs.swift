package import Domain

/// A time in which the same question has the same answer.
package struct GroupEpoch: Sendable, Hashable {
  package let begins: Microseconds
  /// Everything that was compacted by then is in its answers.
  package let gathered: Microseconds
}

/// When epochs begin, and when the data of each is gathered: by the clock alone, so that neither tells whether anybody has
/// sent or withdrawn something.
package struct GroupEpochs: Sendable, Hashable {
  package let length: Microseconds

  /// - Parameter length: whole seconds, at least one.
  package init(length: Duration) { self.length = length.components.seconds * 1_000_000 }

  package static let standard = GroupEpochs(length: .seconds(3_600))

  /// So long before an epoch begins is its data gathered: nobody sees how long that takes.
  private var lead: Microseconds { length / 10 }

  /// The one that a time is in. All begin at multiples of their length since 1970, UTC.
  package func epoch(at time: Microseconds) -> GroupEpoch {
    let begins = time - (time % length + length) % length
    return GroupEpoch(begins: begins, gathered: begins - lead)
  }

  /// When data was to be gathered last.
  package func gathering(at time: Microseconds) -> Microseconds { epoch(at: time + lead).gathered }
}
