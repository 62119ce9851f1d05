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
  /// How far, in metres, a simplified course may be from the points given, at the same distance along it; with more than
  /// `maxCorners` corners it may be further.
  private static let tolerance = 1.0
  /// The most corners of a simplified course. Half as many make 50 km of a winding path.
  static let maxCorners = 8_192
  /// The most cells of the index, but for the last row and column: a course that leads 35 km east and as far north
  /// would have some more of the narrowest.
  static let maxCells = 262_144
  /// The narrowest cell, in metres. No piece is longer than a cell is wide, so there are some 800 more than corners.
  private static let leastCell = 64.0
  /// How often a course may pass one place and each passing still be told apart; of more the first are.
  static let maxPassings = 512
  /// Two places are two only if the way between them leads this much further away than both.
  private static let prominence = 1.0

  let length: Double
  /// Metres east and north of the first point, and metres along the course.
  private let x: [Double]
  private let y: [Double]
  private let s: [Double]
  private let plane: LocalPlane
  private let left: Double
  private let bottom: Double
  private let cell: Double
  private let columns: Int
  private let rows: Int
  /// The segments of cell i are `cellSegments[cellStarts[i]..<cellStarts[i + 1]]`.
  private let cellStarts: [Int32]
  private let cellSegments: [Int32]

  /// Pieces between two corners or cuts.
  var pieceCount: Int { s.count - 1 }
  var cellCount: Int { columns * rows }
  /// How often pieces stand in cells.
  var entryCount: Int { cellSegments.count }

  init(_ course: Course) {
    length = course.length
    // A course is no longer than it may be, so all of it is near its first point.
    plane = LocalPlane(latitude: course.latitudes[0], longitude: course.longitudes[0])
    var line = CourseLine(course, on: plane).simplified(Self.tolerance, to: Self.maxCorners)
    line.extend(by: Self.overrun)
    let (minX, maxX) = (line.x.min() ?? 0, line.x.max() ?? 0)
    let (minY, maxY) = (line.y.min() ?? 0, line.y.max() ?? 0)
    cell = max(Self.leastCell, ((maxX - minX) * (maxY - minY) / Double(Self.maxCells)).squareRoot())
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
  func metres(_ latitude: Double, _ longitude: Double) -> (x: Double, y: Double) { plane.metres(latitude, longitude) }

  /// Finds the places of the course that lie within a radius of a point: one for each time that the course passes, in
  /// the order of their distances; the first `maxPassings` of them.
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
        if best.offset < .infinity {
          scratch.projections.append(best)
          if scratch.projections.count == Self.maxPassings { return }
        }
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
