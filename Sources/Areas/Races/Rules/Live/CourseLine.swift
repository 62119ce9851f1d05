/// A course as a line on a plane, in metres, with the distances along it.
struct CourseLine {
  private(set) var x: [Double]
  private(set) var y: [Double]
  /// Metres along the course; each is greater than the one before.
  private(set) var s: [Double]

  init(_ course: Course, on plane: LocalPlane) {
    (x, y, s) = ([], [], course.distances)
    for index in s.indices {
      let point = plane.metres(course.latitudes[index], course.longitudes[index])
      x.append(point.x)
      y.append(point.y)
    }
  }

  /// Without the points that can be left out: what remains is nowhere further than `tolerance` from what was, at the same
  /// distance along it. So a place that is passed there and back remains twice.
  /// - Parameter most: of points; where more would remain, the tolerance is doubled until it is enough.
  func simplified(_ tolerance: Double, to most: Int) -> CourseLine {
    var tolerance = tolerance
    while true {
      let kept = Self.corners(of: s.count, within: tolerance) { (x[$0], y[$0], s[$0]) }
      if kept.count <= most {
        var line = self
        (line.x, line.y, line.s) = (kept.map { x[$0] }, kept.map { y[$0] }, kept.map { s[$0] })
        return line
      }
      tolerance *= 2
    }
  }

  /// Which points of a line must stay, so that it is nowhere further than `tolerance` from what it was, at the same distance
  /// along it. Goes through the points once.
  ///
  /// From the point that was kept last it holds in which directions each point since then is passed near enough, and keeps
  /// a point when the next one lies in none of them (X. Lin et al.: One-Pass Trajectory Simplification Using the
  /// Synchronous Euclidean Distance, VLDB Journal 28, 2019; here the circles about the points are squares within them).
  static func corners(
    of count: Int, within tolerance: Double, _ point: (Int) -> (x: Double, y: Double, s: Double)
  ) -> [Int] {
    var kept = [0]
    var from = point(0)
    var before = from
    let side = tolerance / 2.0.squareRoot()
    let all = (least: -Double.infinity, most: Double.infinity)
    // Metres on the plane for each metre along the course.
    var (east, north) = (all, all)
    for index in 1..<count {
      let next = point(index)
      var way = next.s - from.s
      var (x, y) = ((next.x - from.x) / way, (next.y - from.y) / way)
      if x < east.least || x > east.most || y < north.least || y > north.most {
        kept.append(index - 1)
        from = before
        (east, north) = (all, all)
        way = next.s - from.s
        (x, y) = ((next.x - from.x) / way, (next.y - from.y) / way)
      }
      east = (max(east.least, x - side / way), min(east.most, x + side / way))
      north = (max(north.least, y - side / way), min(north.most, y + side / way))
      before = next
    }
    return kept + [count - 1]
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

  /// Cuts it so that no piece is longer.
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
