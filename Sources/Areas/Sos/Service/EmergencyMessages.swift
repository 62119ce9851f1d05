internal import Domain
internal import Log
internal import ServiceAPI
internal import ServiceKit
package import SosRules
internal import WireCodec

// Emergencies on the wire, with the names of their metrics and sources.

/// What emergencies hold as numbers.
struct EmergencyNames {
  let catalog: MetricCatalog
  let sources: [SourceID: String]
}

extension Trackme_Sos_V1_Vital {
  init(_ vital: Vital, _ names: EmergencyNames) {
    let metric = names.catalog[vital.metric]
    self.init(
      metric: metric?.name ?? "", value: vital.value, unit: metric?.unit ?? "", timeUs: vital.time,
      source: names.sources[vital.source] ?? "")
  }
}

extension Trackme_Sos_V1_Crossing {
  init(_ crossing: Crossing, _ names: EmergencyNames) {
    self.init(
      kind: .init(rawValue: crossing.kind.rawValue), metric: names.catalog[crossing.metric]?.name ?? "",
      limit: crossing.limit, value: crossing.value, beganUs: crossing.began, completedUs: crossing.completed,
      holdMs: crossing.hold / 1_000, ruleVersion: crossing.ruleVersion, duringExertion: crossing.duringExertion,
      readings: crossing.readings.map { .init($0, names) },
      silenceCause: .init(rawValue: crossing.silenceCause?.rawValue ?? 0))
  }
}

extension Trackme_Sos_V1_Emergency {
  init(_ emergency: Emergency, _ names: EmergencyNames) {
    self.init(
      emergencyID: "\(emergency.id)", personID: emergency.person,
      state: .init(rawValue: emergency.state.rawValue), status: .init(emergency.status),
      detectedUs: emergency.detected, crossings: emergency.crossings.map { .init($0, names) },
      recentVitals: emergency.vitals.map { .init($0, names) },
      position: emergency.position.map { position in
        .init(
          latitude: position.latitude, longitude: position.longitude, accuracyM: position.accuracy ?? 0,
          timeUs: position.time)
      }, age: emergency.age.map { Int32(clamping: $0) } ?? -1, sex: emergency.sex?.rawValue ?? "",
      callbackNumber: emergency.callbackNumber.map { "\($0)" } ?? "", emergencyNumber: emergency.number,
      country: emergency.country,
      transitions: emergency.transitions.map { transition in
        .init(
          state: .init(rawValue: transition.state.rawValue), atUs: transition.at, actor: transition.actor,
          note: transition.note, callStatus: .init(rawValue: transition.call?.rawValue ?? 0))
      }, cancellableUntil: .init(emergency.detected + Emergency.cancellable),
      earlier: Int32(clamping: emergency.earlier))
  }
}

extension Emergency {
  /// The numbers of the sources that it names.
  var sources: Set<SourceID> {
    Set(vitals.map(\.source) + crossings.flatMap { $0.readings.map(\.source) })
  }
}

extension EmergencyNames {
  /// The names of everything that emergencies hold.
  init(of emergencies: [Emergency], metrics: MetricRegistry, sources: SourceRegistry) async {
    let numbers = emergencies.reduce(into: Set<SourceID>()) { $0.formUnion($1.sources) }
    await self.init(numbers, metrics: metrics, sources: sources)
  }

  /// The names of metrics and of some sources. Those that can't be had without a database that is away just now are
  /// empty: an emergency does not wait for them.
  init(_ numbers: Set<SourceID>, metrics: MetricRegistry, sources registry: SourceRegistry) async {
    catalog = metrics.catalog
    sources = (try? await registry.names(of: numbers)) ?? registry.namesAtHand(of: numbers)
  }
}

extension Trackme_Sos_V1_DispatchStatus {
  package init(_ status: DispatchStatus) { self = status == .actual ? .actual : .exercise }
}
