/// How much of each person is taken in: readings of an hour, samples of an hour, and space in all.
public struct ReadingQuotas: Sendable {
  private var readings: HourQuota
  private var samples: SampleQuota
  /// Who may store no more, and who is to be asked about.
  public var space: StorageQuota

  public init(
    readings: HourQuota = HourQuota(), samples: SampleQuota = SampleQuota(), space: StorageQuota = StorageQuota()
  ) {
    self.readings = readings
    self.samples = samples
    self.space = space
  }

  /// Counts the readings of a batch, and takes those out that are too many.
  ///
  /// - Parameters:
  ///   - columns: what is left of a batch after `ReadingRules.validate`; on return only what is accepted.
  ///   - rejections: of the batch so far, in the order of their numbers; those that are too many are added.
  public mutating func bound(_ columns: inout ReadingColumns, _ rejections: inout [Rejection]) {
    readings.bound(&columns, &rejections)
    if !columns.waveforms.isEmpty { samples.bound(&columns, &rejections) }
    space.bound(&columns, &rejections)
  }

  /// Readings that were counted have turned out to be a repeat, or were not taken.
  public mutating func giveBack(_ columns: borrowing ReadingColumns) {
    readings.giveBack(columns)
    if !columns.waveforms.isEmpty { samples.giveBack(columns) }
  }
}
