internal import Places

/// What the end of an address names: "/16/34441/23454".
enum TileAddress {
  case tile(MapTile)
  /// No tile, and why, by the name of the part that is at fault.
  case wrong(String)
  /// Nothing that looks like a tile.
  case other

  static func read(_ path: Substring) -> TileAddress {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 4, parts[0].isEmpty else { return .other }
    guard let zoom = number(parts[1], upTo: MapTile.maxZoom) else {
      return .wrong("zoom: a whole number from 0 to \(MapTile.maxZoom) is needed")
    }
    let last = (1 << zoom) - 1
    guard let x = number(parts[2], upTo: last) else { return .wrong("x: a whole number from 0 to \(last) is needed") }
    guard let y = number(parts[3], upTo: last), let tile = MapTile(zoom: zoom, x: x, y: y) else {
      return .wrong("y: a whole number from 0 to \(last) is needed")
    }
    return .tile(tile)
  }

  /// One way to write each number, so that each tile has one address.
  private static func number(_ text: Substring, upTo most: Int) -> Int? {
    guard text.utf8.count <= 6, let number = Int(text), "\(number)" == text, 0...most ~= number else { return nil }
    return number
  }
}
