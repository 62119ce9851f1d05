internal import Domain

/// How readings of a metric are written as observations: what FHIR asks for, by the LOINC code and the unit that the
/// registry gives the metric.
struct ObservationKind {
  static let systolic = "8480-6"
  static let diastolic = "8462-4"
  /// Of observations of both blood pressures.
  static let bloodPressure = ObservationKind(
    code: FHIR.CodeableConcept([.init(system: FHIR.loinc, code: "85354-9")], text: "Blood pressure"),
    category: [FHIR.CodeableConcept("observation-category", "vital-signs")], meta: meta("bp"))

  let code: FHIR.CodeableConcept
  let category: [FHIR.CodeableConcept]?
  /// The profile that observations of the kind meet.
  let meta: FHIR.Meta?

  private init(code: FHIR.CodeableConcept, category: [FHIR.CodeableConcept]?, meta: FHIR.Meta?) {
    self.code = code
    self.category = category
    self.meta = meta
  }

  /// - Parameter metric: of kind scalar or waveform.
  init(_ metric: Metric) {
    let known = Self.known[metric.loincCode]
    let coding =
      metric.loincCode.isEmpty
      ? [FHIR.Coding(system: FHIR.metrics, code: metric.name)]
      : ([metric.loincCode] + (known?.beside ?? [])).map { FHIR.Coding(system: FHIR.loinc, code: $0) }
    code = FHIR.CodeableConcept(coding, text: metric.displayName)
    category = known.map { [FHIR.CodeableConcept("observation-category", $0.category)] }
    let isMet = metric.kind == .scalar && known?.units.contains(metric.unit) == true
    meta = isMet ? known?.profile.map(Self.meta) : nil
  }

  private static func meta(_ profile: String) -> FHIR.Meta {
    FHIR.Meta(profile: ["http://hl7.org/fhir/StructureDefinition/\(profile)"])
  }

  private struct Known {
    let category: String
    var profile: String?
    /// The units that the profile takes.
    var units: [String] = []
    /// Codes that it asks for beside that of the metric.
    var beside: [String] = []
  }

  /// By LOINC code; hl7.org/fhir/R4/observation-vitalsigns.html for the vital signs.
  private static let known = [
    "8867-4": Known(category: "vital-signs", profile: "heartrate", units: ["/min"]),
    "9279-1": Known(category: "vital-signs", profile: "resprate", units: ["/min"]),
    "8310-5": Known(category: "vital-signs", profile: "bodytemp", units: ["Cel", "[degF]"]),
    "29463-7": Known(category: "vital-signs", profile: "bodyweight", units: ["g", "kg", "[lb_av]"]),
    "2708-6": Known(category: "vital-signs", profile: "oxygensat", units: ["%"]),
    "59408-5": Known(category: "vital-signs", profile: "oxygensat", units: ["%"], beside: ["2708-6"]),
    systolic: Known(category: "vital-signs", profile: "vitalsigns", units: ["mm[Hg]"]),
    diastolic: Known(category: "vital-signs", profile: "vitalsigns", units: ["mm[Hg]"]),
    "2339-0": Known(category: "laboratory"),
    "11524-6": Known(category: "procedure"),
    "55423-8": Known(category: "activity"),
  ]
}
