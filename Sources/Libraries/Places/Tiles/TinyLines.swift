/// Lines as few bytes: "Tiny Well-known Binary", as PostGIS's `ST_AsTWKB` writes it.
public enum TinyLines {
  /// A MultiLineString of whole numbers, without size, box or numbers of its lines.
  public static func encoded(_ lines: [[MapTile.Point]]) -> [UInt8] {
    // The type, with no digits behind the point; no further parts.
    var bytes: [UInt8] = [5, 0]
    append(UInt32(lines.count), to: &bytes)
    // Each point is told by its distance from the one before, also from one line to the next.
    var last = MapTile.Point(x: 0, y: 0)
    for line in lines {
      append(UInt32(line.count), to: &bytes)
      for point in line {
        append(zigzag(point.x - last.x), to: &bytes)
        append(zigzag(point.y - last.y), to: &bytes)
        last = point
      }
    }
    return bytes
  }

  private static func zigzag(_ number: Int32) -> UInt32 { UInt32(bitPattern: number << 1 ^ number >> 31) }

  /// LEB128.
  private static func append(_ number: UInt32, to bytes: inout [UInt8]) {
    var rest = number
    while rest > 0x7f {
      bytes.append(UInt8(rest & 0x7f) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }
}
