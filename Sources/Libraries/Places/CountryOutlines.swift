internal import CCountryOutlines

/// The outlines of the world's countries as they are built in: rings of points on a grid of about 400 by 200 metres, and
/// small islands that maps of this scale leave out. `Sources/Libraries/CCountryOutlines/make_outlines.py` says where they are from.
struct CountryOutlines {
  /// A rectangle of the grid; its edges belong to it.
  struct Box {
    var west = Int32.max
    var south = Int32.max
    var east = Int32.min
    var north = Int32.min

    mutating func include(_ x: Int32, _ y: Int32) {
      west = min(west, x)
      south = min(south, y)
      east = max(east, x)
      north = max(north, y)
    }
  }

  /// A closed line: the outer edge of a part of a country, or the edge of a hole in it.
  struct Ring {
    /// Of `points`; from the last one it goes back to the first.
    var points: Range<Int>
    /// Of `blocks`: those of its edges.
    var blocks: Range<Int>
    var box: Box
  }

  struct Country {
    /// ISO 3166-1 alpha-2.
    var code: String
    /// Of `rings`.
    var rings: Range<Int>
  }

  struct Island {
    /// ISO 3166-1 alpha-2.
    var code: String
    var latitude: Double
    var longitude: Double
    /// Metres, of a circle that covers it.
    var radius: Double
  }

  /// How many edges have one box, so that most of them need not be looked at.
  static let blockEdges = 32

  private(set) var countries: [Country] = []
  private(set) var islands: [Island] = []
  private(set) var rings: [Ring] = []
  /// The box of each `blockEdges` edges of each ring.
  private(set) var blocks: [Box] = []
  private(set) var points: [(x: Int32, y: Int32)] = []
  /// Degrees of longitude and latitude from one line of the grid to the next.
  private(set) var step = (x: 1.0, y: 1.0)
  /// Longitude and latitude of the grid's first point.
  private(set) var origin = (x: 0.0, y: 0.0)
  /// Around everything.
  private(set) var box = Box()

  /// Reads what is built in. Tests prove that it is well formed; of bytes that are not, what follows is left out.
  init() {
    var bytes = OutlineBytes()
    guard (0..<5).map({ _ in bytes.byte() }) == Array("TMCO\u{1}".utf8) else { return }
    step = (bytes.double(), bytes.double())
    origin = (bytes.double(), bytes.double())
    for _ in 0..<bytes.varint() where !bytes.isAtEnd {
      let code = bytes.code()
      let first = rings.count
      for _ in 0..<bytes.varint() where !bytes.isAtEnd { readRing(&bytes) }
      countries.append(Country(code: code, rings: first..<rings.count))
    }
    for _ in 0..<bytes.varint() where !bytes.isAtEnd {
      islands.append(
        Island(
          code: bytes.code(), latitude: Double(bytes.float()), longitude: Double(bytes.float()),
          radius: Double(bytes.float()) * 1_000))
    }
  }

  private mutating func readRing(_ bytes: inout OutlineBytes) {
    let first = points.count
    var (x, y): (Int32, Int32) = (0, 0)
    for _ in 0..<bytes.varint() where !bytes.isAtEnd {
      x &+= bytes.delta()
      y &+= bytes.delta()
      points.append((x, y))
    }
    var ring = Ring(points: first..<points.count, blocks: blocks.count..<blocks.count, box: Box())
    for start in stride(from: first, to: points.count, by: Self.blockEdges) {
      var box = Box()
      // The last edge of a block ends where the next block begins.
      for index in start...min(start + Self.blockEdges, points.count) {
        let point = points[index == points.count ? first : index]
        box.include(point.x, point.y)
        ring.box.include(point.x, point.y)
        self.box.include(point.x, point.y)
      }
      blocks.append(box)
    }
    ring.blocks = ring.blocks.lowerBound..<blocks.count
    rings.append(ring)
  }
}

/// Reads the embedded bytes from their beginning; behind their end there are zeros.
private struct OutlineBytes {
  private let bytes: UnsafeBufferPointer<UInt8>
  private var next = 0

  // The array is of the size that stands beside it, and lives as long as the process.
  init() { bytes = UnsafeBufferPointer(start: trackme_country_outlines(), count: trackme_country_outlines_size) }

  var isAtEnd: Bool { next >= bytes.count }

  mutating func byte() -> UInt8 {
    guard next < bytes.count else { return 0 }
    defer { next += 1 }
    return bytes[next]
  }

  /// LEB128, of at most 28 bits.
  mutating func varint() -> Int32 {
    var number: Int32 = 0
    for shift in stride(from: 0, to: 28, by: 7) {
      let byte = byte()
      number |= Int32(byte & 0x7f) << shift
      if byte < 0x80 { break }
    }
    return number
  }

  mutating func delta() -> Int32 {
    let number = varint()
    return number >> 1 ^ -(number & 1)
  }

  mutating func code() -> String { String(decoding: [byte(), byte()], as: UTF8.self) }

  mutating func double() -> Double {
    Double(bitPattern: (0..<8).reduce(0) { $0 | UInt64(byte()) << (8 * UInt64($1)) })
  }

  mutating func float() -> Float {
    Float(bitPattern: (0..<4).reduce(0) { $0 | UInt32(byte()) << (8 * UInt32($1)) })
  }
}
