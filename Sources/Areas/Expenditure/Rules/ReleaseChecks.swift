/// What is compared before a release can be published. The number is the wire's.
package enum CheckKind: Int, Sendable, Hashable, CaseIterable {
  /// The national account is the sum of the regional ones.
  case nationalSum = 1
  /// A region's account is that of its consolidated body 999.
  case consolidated = 2
  /// Parts add up to their total.
  case parts = 3
  /// A − B ± C ± D ± E is the result before taxes.
  case result = 4
  /// A code that no other account of the year has.
  case unknownVoice = 5
  /// A large change over the year.
  case jump = 6

  /// Whether a failure has to be overridden; the others are listed.
  package var blocks: Bool { rawValue <= CheckKind.result.rawValue }
}

/// How often a check was made, and how often it failed.
package struct CheckCount: Sendable, Hashable {
  package let kind: CheckKind
  package let made: Int64
  package let failed: Int64

  package init(kind: CheckKind, made: Int64, failed: Int64) {
    self.kind = kind
    self.made = made
    self.failed = failed
  }
}

/// A total of the form and its parts.
package struct VoiceTotal: Sendable, Hashable {
  package let total: VoiceCode
  /// Each with 1 or −1.
  package let parts: [(voice: VoiceCode, sign: Int64)]

  package static func == (left: Self, right: Self) -> Bool {
    left.total == right.total && left.parts.map(\.voice) == right.parts.map(\.voice)
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(total) }

  /// The totals of a form that can be checked: those whose parts are numbered from the first on without a gap, two at
  /// least. A form of which only some voices are there has none, and nothing can be said of it.
  /// - Parameter descriptions: what the form of one year calls its voices.
  package static func all(_ descriptions: [VoiceCode: String]) -> [VoiceTotal] {
    var codes: [VoiceNumber: VoiceCode] = [:]
    var doubled: Set<VoiceNumber> = []
    for (code, description) in descriptions {
      guard let number = VoiceNumber(description: description) else { continue }
      if codes.updateValue(code, forKey: number) != nil { doubled.insert(number) }
    }
    var parts: [VoiceNumber: [VoiceNumber]] = [:]
    for number in codes.keys { if let parent = number.parent { parts[parent, default: []].append(number) } }
    return parts.compactMap { parent, parts in
      guard let total = codes[parent], parts.count > 1, !doubled.contains(parent),
        doubled.isDisjoint(with: parts)
      else { return nil }
      let sorted = parts.sorted { ($0.place ?? 0) < ($1.place ?? 0) }
      guard sorted.map({ $0.place ?? 0 }) == Array(1...sorted.count) else { return nil }
      return VoiceTotal(total: total, parts: sorted.compactMap { part in codes[part].map { ($0, part.sign) } })
    }
    .sorted { $0.total < $1.total }
  }
}
