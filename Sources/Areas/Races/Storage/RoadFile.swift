internal import Glibc

/// Makes a map whose ways have all their nodes. An extract's ways often go on where the extract ends; osm2pgrouting would
/// take another node for each one that is missing, somewhere else in the map.
struct RoadFile {
  /// Added to the number of a way for its second piece, twice for its third. OpenStreetMap is far from such numbers.
  static let pieceStride: Int64 = 10_000_000_000_000

  /// A way while it is read.
  private struct Way {
    let id: Int64
    var pieces: [[Int64]] = [[]]
    var tags = ""

    init(id: Int64) { self.id = id }

    /// - Parameter node: nil where it is missing.
    mutating func add(_ node: Int64?) {
      if let node { pieces[pieces.count - 1].append(node) } else { pieces.append([]) }
    }
  }

  /// The numbers of all nodes, in order.
  private var nodes: [Int64] = []

  /// - Parameter path: XML as osmium writes it: each tag on a line of its own.
  /// - Throws: `RoadImportError`.
  init(path: String) throws(RoadImportError) {
    try Self.forEachLine(of: path) { line in
      if let id = Self.number(line, after: "  <node id=\"") { nodes.append(id) }
    }
    nodes.sort()
  }

  /// Writes the map anew. A way ends where its next node is missing, and goes on as another one after the gap.
  /// - Throws: `RoadImportError`.
  func write(_ source: String, to target: String) throws(RoadImportError) {
    guard let file = fopen(target, "we") else { throw RoadImportError.failed("cannot write \(target)") }
    var isWritten = true
    func put(_ text: String) { isWritten = fputs(text, file) >= 0 && isWritten }
    var way: Way?
    defer { fclose(file) }
    try Self.forEachLine(of: source) { line in
      if let id = Self.number(line, after: "  <way id=\"") {
        way = Way(id: id)
      } else if let node = Self.number(line, after: "    <nd ref=\"") {
        way?.add(has(node) ? node : nil)
      } else if way != nil, line.hasPrefix("    <tag ") {
        way?.tags += line
      } else if let whole = way, line.hasPrefix("  </way>") {
        for (index, piece) in whole.pieces.filter({ $0.count > 1 }).enumerated() {
          put("  <way id=\"\(whole.id + Int64(index) * Self.pieceStride)\">\n")
          for node in piece { put("    <nd ref=\"\(node)\"/>\n") }
          put(whole.tags + "  </way>\n")
        }
        way = nil
      } else if !line.hasPrefix("  <way ") {
        put(line)
      }
    }
    guard fflush(file) == 0, isWritten else {
      throw RoadImportError.failed("cannot write \(target): is the disk full?")
    }
  }

  private func has(_ node: Int64) -> Bool {
    var low = 0
    var high = nodes.count
    while low < high {
      let middle = (low + high) / 2
      if nodes[middle] < node { low = middle + 1 } else { high = middle }
    }
    return low < nodes.count && nodes[low] == node
  }

  private static func number(_ line: String, after prefix: String) -> Int64? {
    guard line.hasPrefix(prefix) else { return nil }
    return Int64(line.dropFirst(prefix.count).prefix { $0 != "\"" })
  }

  private static func forEachLine(of path: String, _ body: (String) -> Void) throws(RoadImportError) {
    guard let file = fopen(path, "re") else { throw .failed("cannot read \(path)") }
    defer { fclose(file) }
    var line: UnsafeMutablePointer<CChar>?
    var capacity = 0
    defer { free(line) }
    while getline(&line, &capacity, file) > 0 {
      if let line { body(String(cString: line)) }
    }
    if ferror(file) != 0 { throw .failed("cannot read \(path)") }
  }
}
