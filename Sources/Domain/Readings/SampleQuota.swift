/// Bounds the samples of waveforms of each person in each hour of their times, as `HourQuota` bounds their readings: a
/// waveform is one reading, however long it is, and an hour has to be compacted and merged as a whole.
public struct SampleQuota: Sendable {
  /// The most samples of a person in an hour: 4,400 a second, such as twelve leads of an ECG at 370 Hz. In memory they
  /// take 128 MB.
  public static let samplesMax = 16_000_000
  /// More hours than these are not counted: the half that has the least begins again.
  private static let countedMax = 100_000

  private struct Key: Hashable {
    let person: PersonID
    let hour: Int64
  }

  private let limit: Int
  private var counts: [Key: Int] = [:]

  /// - Parameter limit: the most samples of a person in an hour.
  public init(limit: Int = samplesMax) { self.limit = limit }

  /// Counts the samples of a batch, and takes those waveforms out that are too much.
  ///
  /// - Parameters:
  ///   - columns: what is left of a batch; on return only what is accepted.
  ///   - rejections: of the batch so far, in the order of their numbers; those that are too much are added.
  public mutating func bound(_ columns: inout ReadingColumns, _ rejections: inout [Rejection]) {
    let base = columns.scalars.count + columns.positions.count
    var over: [Int] = []
    for index in 0..<columns.waveforms.count {
      let key = Self.key(of: index, in: columns.waveforms)
      let count = counts[key, default: 0] + Int(columns.waveforms.sampleCount[index])
      if count > limit { over.append(base + index) } else { counts[key] = count }
    }
    columns.refuse(over, .tooManyInHour, "samples", &rejections)
    if counts.count > Self.countedMax { forget() }
  }

  /// Waveforms that were counted have turned out to be a repeat, or were not taken.
  public mutating func giveBack(_ columns: borrowing ReadingColumns) {
    for index in 0..<columns.waveforms.count {
      let key = Self.key(of: index, in: columns.waveforms)
      counts[key] = counts[key].map { max(0, $0 - Int(columns.waveforms.sampleCount[index])) }
    }
  }

  private static func key(of index: Int, in waveforms: WaveformColumns) -> Key {
    Key(person: waveforms.person[index], hour: Chunk.hourIndex(of: waveforms.time[index]))
  }

  private mutating func forget() {
    let middle = counts.values.sorted()[counts.count / 2]
    counts = counts.filter { $0.value > middle }
  }
}
