/// What readings of one chunk have in common.
struct SeriesKey: Equatable {
  var person: PersonID
  var metric: MetricID
  var hour: Int64

  static func precedes(_ a: SeriesKey, _ b: SeriesKey) -> Bool {
    if a.person != b.person { return a.person < b.person }
    if a.metric != b.metric { return a.metric < b.metric }
    return a.hour < b.hour
  }
}

/// Numbers series in the order in which they are first seen: an open-addressed table, because a dictionary's hashing
/// took most of the time of compaction.
struct SeriesTable {
  private(set) var keys: [SeriesKey] = []
  /// Number + 1 of the series in each slot, 0 if it is empty; at most half of the slots are taken.
  private var slots = [Int32](repeating: 0, count: 1024)
  private var last = 0

  mutating func number(of key: SeriesKey) -> Int {
    if last < keys.count, keys[last] == key { return last }
    var slot = slot(of: key)
    while slots[slot] != 0 {
      let number = Int(slots[slot]) - 1
      if keys[number] == key {
        last = number
        return number
      }
      slot = (slot + 1) & (slots.count - 1)
    }
    last = keys.count
    keys.append(key)
    slots[slot] = Int32(keys.count)
    if keys.count * 2 > slots.count { grow() }
    return last
  }

  private func slot(of key: SeriesKey) -> Int {
    // Multiplicative hashing with odd constants; the upper bits are the well-mixed ones.
    var hash = UInt64(bitPattern: key.person) &* 0x9E37_79B9_7F4A_7C15
    hash ^= (UInt64(bitPattern: key.hour) << 20 ^ UInt64(bitPattern: Int64(key.metric))) &* 0xC2B2_AE3D_27D4_EB4F
    hash = (hash ^ (hash >> 29)) &* 0xBF58_476D_1CE4_E5B9
    return Int(truncatingIfNeeded: hash >> 32) & (slots.count - 1)
  }

  private mutating func grow() {
    slots = Array(repeating: 0, count: slots.count * 2)
    for (number, key) in keys.enumerated() {
      var slot = slot(of: key)
      while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
      slots[slot] = Int32(number + 1)
    }
  }
}
