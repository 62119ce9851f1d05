/// Bounds the space that one person's readings take in all.
///
/// Nothing is counted by person. Of all that is pushed, the person of every so many-th value comes up, and who comes up is
/// asked about: how much the database holds of the person. Whoever pushes much comes up often, and whoever has little is
/// not asked about again before they can have much more. So a person may have a few hundredths more than the limit, and as
/// much again as one push brings while the database compacts.
public struct StorageQuota: Sendable {
  /// The most bytes of a person, compressed as they are stored: ten metrics every second for about eight years.
  public static let bytesMax: Int64 = 10 << 30
  /// A person may come up once for each of so many parts of the limit, as values of a byte.
  private static let parts: Int64 = 2_000
  /// The most bytes that a value takes: a position has seven numbers, beside its time and its place in the log.
  private static let valueBytesMax = 64
  /// More persons than these are not asked about at once, or remembered as having little.
  private static let askedMax = 64
  private static let rememberedMax = 10_000

  private let limit: Int64
  /// How many values are pushed for each that comes up, about.
  private let stride: Int
  private var left: Int
  private var asked: [PersonID] = []
  /// How often a person may come up before they can have reached the limit.
  private var harmless: [PersonID: Int] = [:]
  private var full: Set<PersonID> = []
  /// The last six bits of their numbers: most others are told apart by them.
  private var fullBits: UInt64 = 0

  /// - Parameter limit: the most bytes of a person.
  public init(limit: Int64 = bytesMax) {
    self.limit = limit
    stride = Int(max(1, limit / Self.parts))
    left = .random(in: 1...2 * stride)
  }

  /// Takes those readings out of a batch whose persons have as much as they may.
  ///
  /// - Parameters:
  ///   - columns: what is left of a batch; on return only what is accepted.
  ///   - rejections: of the batch so far, in the order of their numbers; those that are too much are added.
  public mutating func bound(_ columns: inout ReadingColumns, _ rejections: inout [Rejection]) {
    let values = columns.scalars.count + columns.positions.count + columns.waveforms.samples.count
    left -= values
    if left <= 0, values > 0 {
      left = .random(in: 1...2 * stride)
      comesUp(Self.person(ofValue: .random(in: 0..<values), in: columns))
    }
    if full.isEmpty { return }
    let positions = columns.scalars.count
    let waveforms = positions + columns.positions.count
    let over =
      numbers(among: columns.scalars.person, from: 0) + numbers(among: columns.positions.person, from: positions)
      + numbers(among: columns.waveforms.person, from: waveforms)
    columns.refuse(over, .tooManyStored, "person_id", &rejections)
  }

  /// A person whose bytes are to be asked for and told to `found`.
  public mutating func next() -> PersonID? { asked.popLast() }

  /// The database has said how many bytes a person's readings take.
  public mutating func found(_ bytes: Int64, of person: PersonID) {
    guard bytes < limit else {
      full.insert(person)
      fullBits |= Self.bit(of: person)
      return
    }
    if full.remove(person) != nil { fullBits = full.reduce(0) { $0 | Self.bit(of: $1) } }
    if harmless.count >= Self.rememberedMax { harmless.removeAll(keepingCapacity: true) }
    harmless[person] = Int((limit - bytes) / Int64(stride * Self.valueBytesMax))
  }

  private static func bit(of person: PersonID) -> UInt64 { 1 << UInt64(truncatingIfNeeded: person & 63) }

  private func numbers(among persons: [PersonID], from base: Int) -> [Int] {
    persons.indices.filter { fullBits & Self.bit(of: persons[$0]) != 0 && full.contains(persons[$0]) }.map { base + $0 }
  }

  private mutating func comesUp(_ person: PersonID) {
    if let times = harmless[person], times > 0 {
      harmless[person] = times - 1
    } else if asked.count < Self.askedMax, !asked.contains(person) {
      asked.append(person)
    }
  }

  private static func person(ofValue number: Int, in columns: borrowing ReadingColumns) -> PersonID {
    var number = number
    if number < columns.scalars.count { return columns.scalars.person[number] }
    number -= columns.scalars.count
    if number < columns.positions.count { return columns.positions.person[number] }
    number -= columns.positions.count
    var waveform = 0
    while number >= Int(columns.waveforms.sampleCount[waveform]) {
      number -= Int(columns.waveforms.sampleCount[waveform])
      waveform += 1
    }
    return columns.waveforms.person[waveform]
  }
}
