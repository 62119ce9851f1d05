internal import Domain
internal import FoundationEssentials
internal import Glibc
internal import GroupsRules

/// Why a file of boundaries can't be imported; names the feature that is at fault.
struct AreaFileError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

/// Boundaries as openpolis publishes them (github.com/openpolis/geojson-italy): a FeatureCollection of GeoJSON whose
/// features have ISTAT's codes among their properties.
struct AreaFile: Decodable {
  /// In the order of the file.
  let areas: [GroupArea]

  /// The most bytes of a file: all municipalities of Italy are some 40 MB.
  static let bytesMax = 128 << 20

  /// Reads a file.
  /// - Throws: `AreaFileError`.
  static func read(_ path: String) throws(AreaFileError) -> [GroupArea] {
    let bytes = try bytes(of: path)
    do {
      return try JSONDecoder().decode(AreaFile.self, from: bytes).areas
    } catch let error as AreaFileError {
      throw AreaFileError("\(path): \(error)")
    } catch let error as DecodingError {
      throw AreaFileError("\(path): \(Self.words(error))")
    } catch {
      throw AreaFileError("\(path) can't be read")
    }
  }

  private static func bytes(of path: String) throws(AreaFileError) -> Data {
    guard let file = fopen(path, "re") else { throw AreaFileError("\(path): \(String(cString: strerror(errno)))") }
    defer { fclose(file) }
    var bytes = Data()
    var buffer = [UInt8](repeating: 0, count: 1 << 20)
    while case let count = fread(&buffer, 1, buffer.count, file), count > 0 {
      bytes.append(contentsOf: buffer[..<count])
      if bytes.count > bytesMax { throw AreaFileError("\(path): is longer than 128 MiB") }
    }
    if ferror(file) != 0 { throw AreaFileError("\(path): \(String(cString: strerror(errno)))") }
    return bytes
  }

  private enum Member: String, CodingKey {
    case type, features
  }

  private enum FeatureMember: String, CodingKey {
    case properties, geometry
  }

  init(from decoder: any Decoder) throws {
    let file = try decoder.container(keyedBy: Member.self)
    guard try file.decode(String.self, forKey: .type) == "FeatureCollection" else {
      throw AreaFileError("is no FeatureCollection of GeoJSON")
    }
    var list = try file.nestedUnkeyedContainer(forKey: .features)
    var areas: [GroupArea] = []
    var numbers: [AreaCode: Int] = [:]
    // One after the other: only the outline of one is in memory.
    while !list.isAtEnd {
      let number = list.currentIndex + 1
      var name = ""
      do {
        let feature = try list.nestedContainer(keyedBy: FeatureMember.self)
        let properties = try feature.decode(AreaProperties.self, forKey: .properties)
        let (code, parent) = try properties.codes()
        name = try properties.name(code.level)
        if let earlier = numbers[code] { throw AreaFileError("has the code of feature \(earlier)") }
        numbers[code] = number
        let geometry = try feature.decode(AreaGeometry.self, forKey: .geometry)
        areas.append(
          GroupArea(code: code, name: name, parent: parent, cells: try AreaOutline(parts: geometry.parts).cells()))
      } catch {
        let reason =
          switch error {
          case let error as OutlineFault: error.reason
          case let error as DecodingError: Self.words(error)
          default: "\(error)"
          }
        throw AreaFileError("feature \(number)\(name.isEmpty ? "" : " (\(name))"): \(reason)")
      }
    }
    if areas.isEmpty { throw AreaFileError("has no features") }
    self.areas = areas
  }

  private static func words(_ error: DecodingError) -> String {
    func place(_ context: DecodingError.Context) -> String {
      // The feature itself is named already.
      let path = context.codingPath.drop { $0.intValue != nil || $0.stringValue == "features" }
      return path.isEmpty
        ? "" : path.map { $0.intValue.map { "[\($0)]" } ?? $0.stringValue }.joined(separator: ".") + ": "
    }
    switch error {
    case .keyNotFound(let key, let context): return "\(place(context))has no \(key.stringValue)"
    case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
      return place(context) + context.debugDescription
    @unknown default: return "can't be read"
    }
  }
}

/// What a feature says of itself.
private struct AreaProperties: Decodable {
  private let name: String?
  private let comIstatCode: String?
  private let provName: String?
  private let provIstatCode: String?
  private let regName: String?
  private let regIstatCode: String?

  private enum CodingKeys: String, CodingKey {
    case name
    case comIstatCode = "com_istat_code"
    case provName = "prov_name"
    case provIstatCode = "prov_istat_code"
    case regName = "reg_name"
    case regIstatCode = "reg_istat_code"
  }

  /// The code, and that of the area around it.
  func codes() throws -> (AreaCode, parent: String) {
    func code(_ level: AreaCode.Level, _ property: CodingKeys, _ istat: String) throws -> AreaCode {
      guard let code = AreaCode(level, istat: istat) else {
        throw AreaFileError("\(property.rawValue) must be \(level.digits) digits")
      }
      return code
    }
    let region = try regIstatCode.map { try code(.region, .regIstatCode, $0) }
    let province = try provIstatCode.map { try code(.province, .provIstatCode, $0) }
    if let comIstatCode {
      return (try code(.municipality, .comIstatCode, comIstatCode), (province ?? region)?.text ?? "")
    }
    if let province { return (province, region?.text ?? "") }
    guard let region else { throw AreaFileError("has no reg_istat_code, prov_istat_code or com_istat_code") }
    return (region, "")
  }

  func name(_ level: AreaCode.Level) throws -> String {
    let (property, found) =
      switch level {
      case .region: ("reg_name", regName ?? name)
      case .province: ("prov_name", provName ?? name)
      case .municipality: ("name", name)
      }
    guard let found = found.map({ Self.repaired($0) }) else { throw AreaFileError("has no \(property)") }
    if let problem = PlainText.problem(found, length: 1...GroupAreas.nameMax) {
      throw AreaFileError("\(property) \(problem)")
    }
    return found
  }

  /// Some names are published with bytes of Windows-1252 taken for those of Latin-1: "\u{8a}teverjan" is Števerjan.
  private static func repaired(_ name: String) -> String {
    var repaired = String.UnicodeScalarView()
    for scalar in name.unicodeScalars {
      repaired.append(0x80...0x9f ~= scalar.value ? windows1252[Int(scalar.value) - 0x80] : scalar)
    }
    return String(repaired)
  }

  /// From 80 to 9f; what has no letter stays what it is.
  private static let windows1252 = Array(
    "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8d}Ž\u{8f}\u{90}‘’“”•–—˜™š›œ\u{9d}žŸ".unicodeScalars)
}

/// A polygon, or several.
private struct AreaGeometry: Decodable {
  let parts: [[[AreaOutline.Point]]]

  private enum Member: String, CodingKey {
    case type, coordinates
  }

  /// A longitude and a latitude, and perhaps a height.
  private struct Position: Decodable {
    let point: AreaOutline.Point

    init(from decoder: any Decoder) throws {
      var numbers = try decoder.unkeyedContainer()
      let longitude = try numbers.decode(Double.self)
      point = .init(longitude: longitude, latitude: try numbers.decode(Double.self))
    }
  }

  init(from decoder: any Decoder) throws {
    let geometry = try decoder.container(keyedBy: Member.self)
    let found: [[[Position]]]
    switch try geometry.decode(String.self, forKey: .type) {
    case "Polygon": found = [try geometry.decode([[Position]].self, forKey: .coordinates)]
    case "MultiPolygon": found = try geometry.decode([[[Position]]].self, forKey: .coordinates)
    default: throw AreaFileError("is no Polygon or MultiPolygon")
    }
    parts = found.map { $0.map { $0.map(\.point) } }
  }
}
