/// Rows as the lines of a file, in parts.
///
/// Rows stand in the order of their cells: the order tells nothing more.
package struct RecordFile: Sendable {
  package enum Format: Sendable, CaseIterable {
    case csv
    case ndjson
  }

  /// The rows of a kind.
  package struct Kind: Sendable {
    /// A name of the registry: letters, digits and underscores, which neither format quotes.
    package let metric: String
    package let scale: ValueScale
    /// By stratum, then bin; empty where nothing is told.
    package let counts: [Int64]

    package init(metric: String, scale: ValueScale, counts: [Int64]) {
      self.metric = metric
      self.scale = scale
      self.counts = counts
    }
  }

  /// The most bytes of a part.
  package static let partBytes = 64 << 10

  private let kinds: [Kind]
  private let strata: [Stratum]
  private let format: Format
  /// Lines that are all alike, and how many of them are still to come.
  private var line: [UInt8]
  private var left: Int64
  /// Where the next ones stand.
  private var (kind, cell) = (0, 0)

  package init(_ kinds: [Kind], _ strata: [Stratum], _ format: Format) {
    self.kinds = kinds
    self.strata = strata
    self.format = format
    line = Array("metric,age_from,age_to,sex,value_from,value_to,value\n".utf8)
    left = format == .csv ? 1 : 0
  }

  /// The next lines, as a whole.
  /// - Returns: at most `partBytes`; nil at the end.
  package mutating func next() -> [UInt8]? {
    var part: [UInt8] = []
    while left > 0 || advance() {
      let fitting = (Self.partBytes - part.count) / line.count
      if fitting == 0 { return part }
      let taken = min(left, Int64(fitting))
      for _ in 0..<taken { part += line }
      left -= taken
    }
    return part.isEmpty ? nil : part
  }

  /// Goes on to the next cell, with or without rows.
  /// - Returns: false at the end.
  private mutating func advance() -> Bool {
    while kind < kinds.count {
      if cell < kinds[kind].counts.count {
        left = kinds[kind].counts[cell]
        if left > 0 { line = line(of: kinds[kind], cell) }
        cell += 1
        if left > 0 { return true }
      } else {
        (kind, cell) = (kind + 1, 0)
      }
    }
    return false
  }

  private func line(of kind: Kind, _ cell: Int) -> [UInt8] {
    let (stratum, bin) = (strata[cell / Tally.bins], cell % Tally.bins)
    let toAge = stratum.toAge.map { "\($0)" }
    let (from, to) = (kind.scale.edge(ofBin: Double(bin)), kind.scale.edge(ofBin: Double(bin + 1)))
    let value = kind.scale.edge(ofBin: Double(bin) + 0.5)
    let text =
      switch format {
      case .csv:
        "\(kind.metric),\(stratum.fromAge),\(toAge ?? ""),\(stratum.sex.rawValue),\(from),\(to),\(value)\n"
      case .ndjson:
        """
        {"metric":"\(kind.metric)","age_from":\(stratum.fromAge),"age_to":\(toAge ?? "null"),\
        "sex":"\(stratum.sex.rawValue)","value_from":\(from),"value_to":\(to),"value":\(value)}\n
        """
      }
    return Array(text.utf8)
  }
}
