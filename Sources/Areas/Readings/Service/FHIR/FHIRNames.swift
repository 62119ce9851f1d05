// What TrackMe names in FHIR. The names are those of one installation: the persons of another have the same numbers.

extension FHIR {
  /// Codes of metrics that have none of LOINC: their names in the registry.
  static let metrics = "urn:trackme:metric"
  /// Identifiers of persons: their numbers.
  static let persons = "urn:trackme:person"
  /// Identifiers of devices and programs: the names of sources.
  static let sources = "urn:trackme:source"
  /// A policy of a Provenance, followed by the number of the request for access that was granted.
  static let accessRequest = "urn:trackme:access-request:"
}
