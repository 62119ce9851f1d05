public import Domain

/// A point of a track or route.
public struct GPXPoint: Sendable, Hashable {
  /// Degrees on WGS 84, -90 … 90.
  public var latitude: Double
  /// Degrees on WGS 84, -180 … 180.
  public var longitude: Double
  /// Metres above mean sea level; nil if unknown.
  public var altitude: Double?
  /// When it was passed; nil if unknown.
  public var time: Microseconds?

  public init(latitude: Double, longitude: Double, altitude: Double? = nil, time: Microseconds? = nil) {
    self.latitude = latitude
    self.longitude = longitude
    self.altitude = altitude
    self.time = time
  }
}

/// Why bytes are no GPX file with a way. Lines count from 1.
public enum GPXError: Error, Sendable, Hashable, CustomStringConvertible {
  /// More than `GPXTrack.maxBytes`: how many.
  case tooLarge(Int)
  /// No well-formed XML, or an encoding that is not supported.
  case malformed(line: Int, reason: String)
  /// The outermost element is another one.
  case notGPX(line: Int)
  /// More elements than `GPXTrack.maxElements`.
  case tooManyElements(line: Int)
  /// Elements within elements beyond `GPXTrack.maxDepth`.
  case tooDeep(line: Int)
  /// It declares entities, which could make a small file a huge one, or read others.
  case declaresEntities(line: Int)
  /// A latitude or longitude is missing, is no number or is out of range.
  case invalidCoordinate(line: Int)
  /// There is neither a track nor a route with points.
  case noPoints

  public var description: String {
    switch self {
    case .tooLarge(let count): "must be at most \(GPXTrack.maxBytes) bytes, and has \(count)"
    case .malformed(let line, let reason): "must be a GPX file; line \(line): \(reason)"
    case .notGPX(let line): "must be a GPX file; line \(line): the element gpx was expected"
    case .tooManyElements(let line):
      "must have at most \(GPXTrack.maxElements) elements; line \(line) has the next one"
    case .tooDeep(let line):
      "must be a GPX file; line \(line): elements are nested deeper than \(GPXTrack.maxDepth)"
    case .declaresEntities(let line): "must declare no entities, as line \(line) does"
    case .invalidCoordinate(let line): "must have valid coordinates; line \(line) has none"
    case .noPoints: "must have a track or a route with points"
    }
  }
}

/// The way in a GPX file: the first track with points, its segments joined; without one, the first route with points.
public struct GPXTrack: Sendable, Hashable {
  /// The largest file.
  public static let maxBytes = 4 * 1_024 * 1_024
  /// The most elements: each is work. As many points as a course may have, each with altitude, time, pulse and cadence, make
  /// about as many as fit into a file.
  public static let maxElements = 250_000
  /// The most elements within each other. A point's own extensions are at the seventh level.
  public static let maxDepth = 64

  /// May be empty.
  public let name: String
  /// At least one.
  public let points: [GPXPoint]

  /// Reads a GPX 1.0 or 1.1 file, whatever its namespaces, with blanks before its declaration as some exporters write them.
  /// An altitude or a time that cannot be read counts as unknown. Half a course is none: a file that is cut short is refused.
  /// - Throws: `GPXError`.
  public init(gpx bytes: [UInt8]) throws(GPXError) {
    guard bytes.count <= Self.maxBytes else { throw .tooLarge(bytes.count) }
    (name, points) = try GPXParser().parse(Self.withoutBlanksAround(bytes))
  }

  /// XML has nothing before its declaration. A mark of UTF-8 is none of what follows it, and zeros at the end are no text.
  private static func withoutBlanksAround(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
    let isBlank = { (byte: UInt8) in [0x20, 0x09, 0x0A, 0x0D].contains(byte) }
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    var rest = bytes[...]
    if rest.starts(with: mark) { rest = rest.dropFirst(mark.count) }
    rest = rest.drop(while: isBlank)
    // In UTF-16 every second byte is 0.
    if rest.starts(with: Array("<".utf8)), rest.dropFirst().first != 0 {
      while let last = rest.last, last == 0 || isBlank(last) { rest.removeLast() }
    }
    return rest.isEmpty ? bytes[...] : rest
  }
}
