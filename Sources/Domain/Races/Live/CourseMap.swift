internal import Glibc

/// A course in metres, with an index of its segments.
///
/// Beyond start and arrival it goes on straight for `overrun` metres, so that runners who wait before the line or run on
/// after it are somewhere on it: distances go from -`overrun` to `length` + `overrun`.
final class CourseMap: Sendable {
  /// A place on the course that is nearer to a point than the places before and after it.
  struct Projection {
    /// Metres along the course.
    var distance: Double
    /// Metres from the point.
    var offset: Double
  }

  /// What a search needs beside the result; kept between searches, so that they allocate nothing.
  struct Scratch {
    fileprivate var segments: [Int32] = []
    var projections: [Projection] = []
  }

  static let overrun = 100.0
  /// How far, in metres, a simplified course may be from the points given, at the same distance along it.
  private static let tolerance = 1.0
  /// Two places are two only if the way between them leads this much further away than both.
  private static let prominence = 1.0
  private static let maxCells = 262_144.0

  let length: Double
  /// Metres east and north of the first point, and metres along the course.
  private let x: [Double]
  private let y: [Double]
  private let s: [Double]
  private let latitude: Double
  private let longitude: Double
  private let scale: (north: Double, east: Double)
  private let left: Double
  private let bottom: Double
  private let cell: Double
  private let columns: Int
  private let rows: Int
  /// The segments of cell i are `cellSegments[cellStarts[i]..<cellStarts[i + 1]]`.
  private let cellStarts: [Int32]
  private let cellSegments: [Int32]

  init(_ course: Course) {
    length = course.length
    latitude = course.latitudes[0]
    longitude = course.longitudes[0]
    let middle = ((course.latitudes.min() ?? 0) + (course.latitudes.max() ?? 0)) / 2
    scale = Geodesy.metresPerDegree(atLatitude: middle)
    var px: [Double] = []
    var py: [Double] = []
    for index in course.latitudes.indices {
      px.append((course.longitudes[index] - longitude).remainder(dividingBy: 360) * scale.east)
      py.append((course.latitudes[index] - latitude) * scale.north)
    }
    var line = Line(x: px, y: py, s: course.distances).simplified(Self.tolerance)
    line.extend(by: Self.overrun)
    let (minX, maxX) = (line.x.min() ?? 0, line.x.max() ?? 0)
    let (minY, maxY) = (line.y.min() ?? 0, line.y.max() ?? 0)
    cell = max(64, ((maxX - minX) * (maxY - minY) / Self.maxCells).squareRoot(), max(maxX - minX, maxY - minY) / 4_096)
    line.split(longerThan: cell)
    (x, y, s) = (line.x, line.y, line.s)
    (left, bottom) = (minX, minY)
    columns = Int((maxX - minX) / cell) + 1
    rows = Int((maxY - minY) / cell) + 1
    var inCell: [(cell: Int, segment: Int32)] = []
    for segment in 0..<line.x.count - 1 {
      let fromColumn = Int((min(line.x[segment], line.x[segment + 1]) - left) / cell)
      let toColumn = Int((max(line.x[segment], line.x[segment + 1]) - left) / cell)
      let fromRow = Int((min(line.y[segment], line.y[segment + 1]) - bottom) / cell)
      let toRow = Int((max(line.y[segment], line.y[segment + 1]) - bottom) / cell)
      for row in max(0, fromRow)...min(rows - 1, toRow) {
        for column in max(0, fromColumn)...min(columns - 1, toColumn) {
          inCell.append((row * columns + column, Int32(segment)))
        }
      }
    }
    var starts = [Int32](repeating: 0, count: columns * rows + 1)
    for entry in inCell { starts[entry.cell + 1] += 1 }
    for index in 1..<starts.count { starts[index] += starts[index - 1] }
    var next = starts
    var segments = [Int32](repeating: 0, count: inCell.count)
    for entry in inCell {
      segments[Int(next[entry.cell])] = entry.segment
      next[entry.cell] += 1
    }
    (cellStarts, cellSegments) = (starts, segments)
  }

  /// Metres east and north of the first point.
  func metres(_ latitude: Double, _ longitude: Double) -> (x: Double, y: Double) {
    (
      (longitude - self.longitude).remainder(dividingBy: 360) * scale.east,
      (latitude - self.latitude) * scale.north
    )
  }

  /// Finds the places of the course that lie within a radius of a point: one for each time that the course passes, in
  /// the order of their distances.
  func project(_ point: (x: Double, y: Double), within radius: Double, _ scratch: inout Scratch) {
    scratch.projections.removeAll(keepingCapacity: true)
    collect(point, radius, &scratch.segments)
    var best = Projection(distance: 0, offset: .infinity)
    // How far away the way has led since `best`.
    var ridge = 0.0
    var previous: Int32 = -2
    for segment in scratch.segments where segment != previous {
      let i = Int(segment)
      let (dx, dy) = (x[i + 1] - x[i], y[i + 1] - y[i])
      let (ax, ay) = (point.x - x[i], point.y - y[i])
      let share = min(1, max(0, (ax * dx + ay * dy) / max(1e-9, dx * dx + dy * dy)))
      let (rx, ry) = (ax - share * dx, ay - share * dy)
      let offset = (rx * rx + ry * ry).squareRoot()
      if offset > radius { continue }
      let found = Projection(distance: s[i] + share * (s[i + 1] - s[i]), offset: offset)
      if segment == previous + 1 {
        ridge = max(ridge, (ax * ax + ay * ay).squareRoot())
      } else {
        ridge = .infinity
      }
      previous = segment
      if ridge - max(best.offset, offset) > Self.prominence || best.offset == .infinity {
        if best.offset < .infinity { scratch.projections.append(best) }
        best = found
        ridge = offset
      } else if offset < best.offset {
        best = found
        ridge = offset
      }
      let (bx, by) = (point.x - x[i + 1], point.y - y[i + 1])
      ridge = max(ridge, (bx * bx + by * by).squareRoot())
    }
    if best.offset < .infinity { scratch.projections.append(best) }
  }

  /// The segments of the cells about a point, in ascending order, some of them several times.
  private func collect(_ point: (x: Double, y: Double), _ radius: Double, _ segments: inout [Int32]) {
    segments.removeAll(keepingCapacity: true)
    let fromColumn = max(0, ((point.x - radius - left) / cell).rounded(.down))
    let toColumn = min(Double(columns - 1), ((point.x + radius - left) / cell).rounded(.down))
    let fromRow = max(0, ((point.y - radius - bottom) / cell).rounded(.down))
    let toRow = min(Double(rows - 1), ((point.y + radius - bottom) / cell).rounded(.down))
    guard fromColumn <= toColumn, fromRow <= toRow else { return }
    for row in Int(fromRow)...Int(toRow) {
      let first = Int(cellStarts[row * columns + Int(fromColumn)])
      let end = Int(cellStarts[row * columns + Int(toColumn) + 1])
      for index in first..<end { segments.append(cellSegments[index]) }
    }
    segments.sort()
  }
}

/// A line in metres with distances along it.
private struct Line {
  var x: [Double]
  var y: [Double]
  var s: [Double]

  /// Without the points that can be left out: what remains is nowhere further than `tolerance` from what was, at the same
  /// distance along it. So a place that is passed there and back remains twice.
  func simplified(_ tolerance: Double) -> Line {
    var keep = [Bool](repeating: false, count: x.count)
    keep[0] = true
    keep[x.count - 1] = true
    var open = [(0, x.count - 1)]
    while let (from, to) = open.popLast() {
      var worst = tolerance
      var split = -1
      for index in from + 1..<max(to, from + 1) {
        let share = (s[index] - s[from]) / (s[to] - s[from])
        let ex = x[from] + share * (x[to] - x[from]) - x[index]
        let ey = y[from] + share * (y[to] - y[from]) - y[index]
        let error = (ex * ex + ey * ey).squareRoot()
        if error > worst { (worst, split) = (error, index) }
      }
      if split > 0 {
        keep[split] = true
        open.append((from, split))
        open.append((split, to))
      }
    }
    let kept = keep.indices.filter { keep[$0] }
    return Line(x: kept.map { x[$0] }, y: kept.map { y[$0] }, s: kept.map { s[$0] })
  }

  /// Goes on straight at both ends, in the direction of the last metres.
  mutating func extend(by overrun: Double) {
    let last = x.count - 1
    let before = direction(from: x.indices.first { s[$0] >= 10 } ?? last, to: 0)
    let after = direction(from: x.indices.last { s[$0] <= s[last] - 10 } ?? 0, to: last)
    x = [x[0] + before.x * overrun] + x + [x[last] + after.x * overrun]
    y = [y[0] + before.y * overrun] + y + [y[last] + after.y * overrun]
    s = [s[0] - overrun] + s + [s[last] + overrun]
  }

  private func direction(from: Int, to: Int) -> (x: Double, y: Double) {
    let (dx, dy) = (x[to] - x[from], y[to] - y[from])
    let length = (dx * dx + dy * dy).squareRoot()
    return length > 0 ? (dx / length, dy / length) : (1, 0)
  }

  mutating func split(longerThan limit: Double) {
    var (nx, ny, ns) = ([x[0]], [y[0]], [s[0]])
    for index in 1..<x.count {
      let (dx, dy, ds) = (x[index] - x[index - 1], y[index] - y[index - 1], s[index] - s[index - 1])
      let parts = max(1, ((dx * dx + dy * dy).squareRoot() / limit).rounded(.up))
      for part in 1...Int(parts) {
        let share = Double(part) / parts
        nx.append(x[index - 1] + share * dx)
        ny.append(y[index - 1] + share * dy)
        ns.append(s[index - 1] + share * ds)
      }
    }
    (x, y, s) = (nx, ny, ns)
  }
}
