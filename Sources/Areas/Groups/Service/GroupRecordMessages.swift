internal import Domain
internal import GroupsRules
internal import Log
internal import ServiceKit
internal import WireCodec

extension Trackme_Groups_V1_GroupStratum {
  fileprivate init(_ stratum: Stratum) {
    self.init(
      fromAge: Int32(stratum.fromAge), toAge: Int32(stratum.toAge ?? 0), sex: stratum.sex == .female ? .female : .male)
  }

  fileprivate var stratum: Stratum {
    Stratum(fromAge: Int(fromAge), toAge: toAge == 0 ? nil : Int(toAge), sex: sex == .female ? .female : .male)
  }
}

/// Records in the making: noise is drawn once, of what may be told.
struct NoisyRecords {
  private var records: Trackme_Groups_V1_GroupRecords
  private var count = 0

  var drawn: DrawnAnswer {
    DrawnAnswer(answer: records.encoded(), count: count, isRefused: records.tables.allSatisfy(\.isWithheld))
  }

  /// - Parameter generator: a cryptographic one.
  init(
    _ tallies: GroupTallies, to question: GroupQuestion, _ catalog: MetricCatalog,
    using generator: inout some RandomNumberGenerator
  ) {
    let strata = Stratum.all(of: question.persons)
    records = .init(strata: strata.map { .init($0) })
    for name in question.metrics {
      guard let metric = catalog[name], let exact = tallies.strata[name] else { continue }
      let noisy = NoisyTable(exact, question.precision, question.threshold, using: &generator)
      count += noisy == nil ? 1 : question.releases.cost(buckets: 1)
      let told = noisy.map { Trackme_Groups_V1_GroupTable(name, $0, strata, ValueScale(of: metric)) }
      records.tables.append(told ?? .init(metric: name, isWithheld: true))
    }
  }
}

extension Trackme_Groups_V1_GroupTable {
  fileprivate init(_ metric: String, _ noisy: NoisyTable, _ strata: [Stratum], _ scale: ValueScale) {
    let table = RecordTable(noisy, strata)
    self.init(
      metric: metric, persons: .init(noisy.estimate), binError: table.binError, stratumError: table.stratumError,
      ageAssociation: table.ageAssociation, sexAssociation: table.sexAssociation, scaleFrom: scale.lower,
      scaleTo: scale.upper, counts: Array(table.counts.joined()))
  }
}

extension Trackme_Groups_V1_GroupRecords {
  /// Their rows.
  func file(_ format: RecordFile.Format) -> RecordFile {
    RecordFile(
      tables.filter { !$0.isWithheld }.map {
        .init(metric: $0.metric, scale: ValueScale($0.scaleFrom, $0.scaleTo), counts: $0.counts)
      }, strata.map(\.stratum), format)
  }
}

extension RecordFile.Format {
  /// nil for a number that is none.
  init?(_ wire: Trackme_Groups_V1_GroupExportFormat) {
    switch wire {
    case .unspecified, .csv: self = .csv
    case .ndjson: self = .ndjson
    case .unrecognized: return nil
    }
  }
}
