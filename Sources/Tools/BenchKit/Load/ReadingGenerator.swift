package import Postgres

/// Readings as 10,000 bracelets would send them: every person reports every metric once a second, in the order of the
/// persons. Each reading has a microsecond time of its own: the person's phase, the metric's offset, and up to 1 ms of
/// jitter. Values walk at random. The same seed gives the same readings in every process.
package struct ReadingGenerator {
  package struct Reading {
    package var person: Int64
    package var metric: UInt32
    package var time: Int64
    package var value: Double
  }

  /// The number of positions in the registry.
  package static let position: UInt32 = 11
  /// Numbers of metrics that the bench adds to the registry, for a walk in steps of a millionth of a degree.
  package static let latitude: UInt32 = 60_001
  package static let longitude: UInt32 = 60_002
  /// Heart rate, blood oxygen, latitude, longitude.
  package static let metrics: [UInt32] = [1, 6, latitude, longitude]

  /// Puts those two into the registry.
  /// - Throws: `PostgresError`; `BenchError` when the bench is to end.
  package static func addMetrics(_ connection: Connection) throws {
    for (number, name) in [(latitude, "latitude"), (longitude, "longitude")] {
      try connection.query(
        """
        INSERT INTO metric (id, name, display_name, kind, unit, minimum, maximum)
        VALUES ($1, $2, $2, 'scalar', 'deg', -180, 180)
        """, [.int4(Int32(number)), .text("bench_\(name)")])
    }
    // A running server takes a new metric up within two seconds.
    try Interruption.sleep(.seconds(2))
  }

  fileprivate struct Person {
    var heartRate: Int
    var oxygen: Int
    var latitude: Int
    var longitude: Int
    let phase: Int64
  }

  private let seed: UInt64
  private let start: Int64
  private var persons: [Person]
  private var second: Int64 = 0
  private var person = 0
  private var pending: [Reading] = []
  private var given = 0

  /// - Parameter start: the time of the first second, in microseconds since the Unix epoch.
  package init(persons count: Int = 10_000, start: Int64, seed: UInt64 = 1) {
    self.seed = seed
    self.start = start
    persons = (0..<count).map { number in
      let hash = Self.mix(seed ^ UInt64(number) << 20)
      return Person(
        heartRate: 60 + Int(hash % 60), oxygen: 940 + Int((hash >> 8) % 60),
        latitude: 45_000_000 + Int((hash >> 16) % 1_000_000), longitude: 9_000_000 + Int((hash >> 32) % 1_000_000),
        phase: Int64((hash >> 40) % 900_000))
    }
  }

  /// The next reading; there is always one.
  package mutating func next() -> Reading {
    if given == pending.count { advance() }
    defer { given += 1 }
    return pending[given]
  }

  /// One person's readings of one second.
  private mutating func advance() {
    let hash = Self.mix(seed &+ 0x51 &* UInt64(second) &+ UInt64(person) << 32)
    persons[person].walk(hash)
    let values = persons[person].values
    let time = start + second * 1_000_000 + persons[person].phase
    pending.removeAll(keepingCapacity: true)
    given = 0
    for metric in 0..<4 {
      let jitter = Int64((Self.mix(hash &+ UInt64(metric)) >> 7) % 1_000)
      pending.append(
        Reading(
          person: Int64(person) + 1, metric: Self.metrics[metric], time: time + Int64(metric) * 20_000 + jitter,
          value: values[metric]))
    }
    person += 1
    if person == persons.count { (person, second) = (0, second + 1) }
  }

  /// The finaliser of splitmix64 (Steele, Lea, Flood 2014): spreads a counter over all 64 bits.
  package static func mix(_ number: UInt64) -> UInt64 {
    var hash = number &+ 0x9E37_79B9_7F4A_7C15
    hash = (hash ^ hash >> 30) &* 0xBF58_476D_1CE4_E5B9
    hash = (hash ^ hash >> 27) &* 0x94D0_49BB_1331_11EB
    return hash ^ hash >> 31
  }
}

extension ReadingGenerator.Person {
  fileprivate mutating func walk(_ hash: UInt64) {
    heartRate = min(190, max(45, heartRate + Int(hash & 3) - 1 - Int((hash >> 2) & 1)))
    oxygen = min(1_000, max(900, oxygen + Int((hash >> 4) % 3) - 1))
    latitude += Int((hash >> 8) % 41) - 20
    longitude += Int((hash >> 16) % 41) - 20
  }

  fileprivate var values: [Double] {
    [Double(heartRate), Double(oxygen) / 10, Double(latitude) / 1e6, Double(longitude) / 1e6]
  }
}
