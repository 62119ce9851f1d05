internal import FoundationEssentials
internal import SosRules

/// Emergencies as PostgreSQL keeps them.
enum EmergencyJSON {
  static func text(_ emergency: Emergency) throws -> String {
    let encoder = JSONEncoder()
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return String(decoding: try encoder.encode(emergency), as: UTF8.self)
  }

  static func emergency(_ text: String) throws -> Emergency {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return try decoder.decode(Emergency.self, from: Data(text.utf8))
  }
}
