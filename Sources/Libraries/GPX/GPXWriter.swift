internal import Domain

/// Writes a GPX 1.1 file with one track, piece by piece: `head`, points as they come, `tail`.
public struct GPXWriter: Sendable {
  private let name: String

  /// - Parameter name: of the track; what XML cannot hold is left out.
  public init(name: String) { self.name = name }

  /// What comes before the points.
  public var head: [UInt8] {
    Array(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <gpx version="1.1" creator="TrackMe" xmlns="http://www.topografix.com/GPX/1/1">
      <trk><name>\(Self.escaped(name))</name><trkseg>

      """.utf8)
  }

  /// The points that are next. A time outside the years 1 to 9999 and a number that is none are left out.
  public func points(_ points: some Sequence<GPXPoint>) -> [UInt8] {
    var text = ""
    for point in points where point.latitude.isFinite && point.longitude.isFinite {
      text += "<trkpt lat=\"\(Self.decimal(point.latitude))\" lon=\"\(Self.decimal(point.longitude))\">"
      if let altitude = point.altitude, altitude.isFinite { text += "<ele>\(Self.decimal(altitude))</ele>" }
      if let time = point.time.flatMap({ ISO8601.text(of: $0) }) { text += "<time>\(time)</time>" }
      text += "</trkpt>\n"
    }
    return Array(text.utf8)
  }

  /// What comes after the points.
  public var tail: [UInt8] { Array("</trkseg></trk>\n</gpx>\n".utf8) }

  /// The shortest decimal that reads back as the same number; XML Schema's decimal has no exponent.
  private static func decimal(_ number: Double) -> String {
    let text = "\(number)"
    guard text.contains("e") else { return text }
    // Below a ten-thousandth: 1e-10 degrees are a hundredth of a millimetre.
    let units = (number * 1e10).rounded()
    guard abs(units) < 9e15 else { return String(Int64(clamping: Int(number.rounded()))) }
    let digits = String(Int64(abs(units)))
    let padded = String(repeating: "0", count: max(0, 11 - digits.count)) + digits
    return (units < 0 ? "-" : "") + padded.dropLast(10) + "." + padded.suffix(10)
  }

  /// Text between tags. Control characters have no place in XML 1.0.
  static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "\t", "\n", "\r": result += " "
      case "\u{0}"..<"\u{20}", "\u{FFFE}", "\u{FFFF}": break
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
