/// What is written of HL7 FHIR R4 (4.0.1), with the names that it has there: hl7.org/fhir/R4. Observation, Provenance
/// and their types are the same in R4B (4.3.0). A member that is nil is left out.
enum FHIR {
  static let loinc = "http://loinc.org"
  static let ucum = "http://unitsofmeasure.org"
  private static let terminology = "http://terminology.hl7.org/CodeSystem"

  struct Coding: Encodable, Hashable {
    let system: String
    let code: String
  }

  struct CodeableConcept: Encodable, Hashable {
    var coding: [Coding]?
    var text: String?

    /// A code of a code system of HL7's terminology.
    init(_ system: String, _ code: String) { coding = [Coding(system: "\(terminology)/\(system)", code: code)] }

    init(_ coding: [Coding], text: String) {
      self.coding = coding
      self.text = text
    }

    init(text: String) { self.text = text }
  }

  struct Identifier: Encodable, Hashable {
    let system: String
    let value: String
  }

  /// To a resource of the export by its place, to others by their identifier.
  struct Reference: Encodable, Hashable {
    var reference: String?
    var type: String?
    var identifier: Identifier?
    var display: String?
  }

  struct Period: Encodable, Hashable {
    let start: String
    /// Included.
    let end: String
  }

  /// A number in a unit of UCUM.
  struct Quantity: Encodable, Hashable {
    /// Finite.
    let value: Double
    let unit: String
    let system = ucum
    let code: String

    init(_ value: Double, ucum unit: String) {
      self.value = value
      self.unit = unit
      code = unit
    }
  }

  struct SampledData: Encodable, Hashable {
    /// What a sample of 0 means.
    let origin: Quantity
    /// Milliseconds between two samples.
    let period: Double
    let dimensions = 1
    /// The samples with spaces between them.
    let data: String
  }

  struct Component: Encodable, Hashable {
    let code: CodeableConcept
    var valueQuantity: Quantity?
    /// Where there is no value.
    var dataAbsentReason: CodeableConcept?
  }

  struct Meta: Encodable, Hashable {
    let profile: [String]
  }

  struct Observation: Encodable, Hashable {
    let resourceType = "Observation"
    let id: String
    var meta: Meta?
    let status = "final"
    var category: [CodeableConcept]?
    let code: CodeableConcept
    let subject: Reference
    var effectiveDateTime: String?
    var effectivePeriod: Period?
    var valueQuantity: Quantity?
    var valueSampledData: SampledData?
    var method: CodeableConcept?
    var device: Reference?
    var component: [Component]?
  }

  struct Provenance: Encodable, Hashable {
    struct Agent: Encodable, Hashable {
      let type: CodeableConcept
      let who: Reference
    }

    let resourceType = "Provenance"
    let id: String
    let target: [Reference]
    let recorded: String
    var policy: [String]?
    let activity: CodeableConcept
    let agent: [Agent]
  }
}
