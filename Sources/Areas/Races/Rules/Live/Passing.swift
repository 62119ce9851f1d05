/// When a runner passed a point: a straight line through the positions about it.
///
/// Positions are averaged over 5 s. From the point outwards they are taken in as long as they lie where a runner of even
/// speed would be, so a stop before or after the point does not bend the line. What is known of the runner's pace counts
/// as much as some positions do.
struct Passing {
  private struct Bin {
    var count = 0.0
    /// Seconds and metres from the point, summed up at first and then averaged.
    var time = 0.0
    var place = 0.0
  }

  private struct Line {
    var count = 0.0
    /// The middle of the positions taken in.
    var time = 0.0
    var place = 0.0
    var slope: Double
    /// The variance of the slope.
    var variance: Double
  }

  /// Weighted sums over the bins taken in.
  private struct Sums {
    var count = 0.0
    var weight = 0.0
    var time = 0.0
    var place = 0.0
    var timeTime = 0.0
    var timePlace = 0.0
  }

  /// Seconds, and the bins on each side.
  private static let width = 5.0
  private static let side = 9
  /// How much speeds differ from the pace, as a share of it.
  private static let strays = 0.25
  /// Residuals that are still those of even speed, in standard deviations.
  private static let limit = 3.0

  private var bins = InlineArray<18, Bin>(repeating: Bin())
  private var sums = Sums()
  private let pace: Double
  private let sigma: Double
  /// Seconds to both sides; the worse the positions, the more of them.
  private let reach: Double

  /// - Parameters:
  ///   - pace: the runner's, in m/s.
  ///   - sigma: the standard deviation of positions in one direction, in metres.
  init(pace: Double, sigma: Double) {
    self.pace = pace
    self.sigma = sigma
    reach = min(45, 20 + 2.5 * sigma)
  }

  /// - Parameters:
  ///   - time: seconds from where the passing is presumed.
  ///   - place: metres along the course from the point.
  @inline(__always) mutating func add(_ time: Double, _ place: Double) {
    guard abs(time) < reach else { return }
    let index = Int((time + Double(Self.side) * Self.width) / Self.width)
    bins[index].count += 1
    bins[index].time += time
    bins[index].place += place
  }

  /// Seconds from where the passing was presumed; nil if there is no line.
  /// - Parameters:
  ///   - isStart: people wait before the start, so only what comes after it counts.
  ///   - isArrival: people stop after the arrival, so only what comes before it counts.
  mutating func solve(isStart: Bool, isArrival: Bool) -> Double? {
    for index in bins.indices where bins[index].count > 0 {
      bins[index].time /= bins[index].count
      bins[index].place /= bins[index].count
    }
    var (first, end) = (Self.side, Self.side)
    if !isStart {
      first -= 1
      take(bins[first])
    }
    if !isArrival {
      take(bins[end])
      end += 1
    }
    var (growsBack, growsOn) = (!isStart, !isArrival)
    while growsBack || growsOn {
      let line = fit()
      if growsOn {
        growsOn = end < bins.count && continues(line, bins[end])
        if growsOn {
          take(bins[end])
          end += 1
        }
      }
      if growsBack {
        growsBack = first > 0 && continues(line, bins[first - 1])
        if growsBack {
          first -= 1
          take(bins[first])
        }
      }
    }
    let line = fit()
    guard line.count >= 3, line.slope > 0.3 else { return nil }
    return line.time - line.place / line.slope
  }

  private mutating func take(_ bin: Bin) {
    guard bin.count > 0 else { return }
    let weight = bin.count * max(0.02, 1 - bin.time * bin.time / (reach * reach))
    sums.count += bin.count
    sums.weight += weight
    sums.time += weight * bin.time
    sums.place += weight * bin.place
    sums.timeTime += weight * bin.time * bin.time
    sums.timePlace += weight * bin.time * bin.place
  }

  private func fit() -> Line {
    let prior = Self.strays * pace
    // Errors that last make positions worth less than their number.
    let unit = 4 * sigma * sigma
    guard sums.weight > 0 else { return Line(slope: pace, variance: prior * prior) }
    let (time, place) = (sums.time / sums.weight, sums.place / sums.weight)
    let precision = (sums.timeTime - sums.time * time) / unit + 1 / (prior * prior)
    let slope = ((sums.timePlace - sums.time * place) / unit + pace / (prior * prior)) / precision
    return Line(count: sums.count, time: time, place: place, slope: slope, variance: 1 / precision)
  }

  private func continues(_ line: Line, _ bin: Bin) -> Bool {
    guard line.count > 0, bin.count > 0 else { return true }
    let apart = bin.time - line.time
    let residual = bin.place - line.place - line.slope * apart
    let own = sigma * sigma * (0.4 + 0.6 / bin.count)
    let others = sigma * sigma * (0.3 + 0.6 / line.count)
    return residual * residual < Self.limit * Self.limit * (own + others + line.variance * apart * apart)
  }
}
