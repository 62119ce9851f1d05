/// The noise of group answers: whole numbers, each with a probability in proportion to exp(-n² / (2 · variance)).
///
/// Sampled exactly, with whole numbers alone, as in Canonne, Kamath and Steinke, "The Discrete Gaussian for Differential
/// Privacy" (2020), algorithms 1 to 3: noise made of floating-point numbers betrays what it is added to in its last bits
/// (Mironov, "On Significance of the Least Significant Bits for Differential Privacy", 2012).
package struct DiscreteGaussian: Sendable {
  /// Of the continuous Gaussian that it stands for; its own is at most that.
  package let variance: Int64
  /// Of the Laplace distribution that is sampled first: the nearest whole number above the standard deviation.
  private let scale: Int64

  /// - Parameter variance: 1 to 2^48.
  package init(variance: Int64) {
    precondition((1...Self.varianceMax).contains(variance), "a variance of 1 to 2^48")
    self.variance = variance
    // Rounding of the root changes how often a sample is thrown away, and not what is sampled.
    scale = Int64(Double(variance).squareRoot()) + 1
  }

  /// Above it the products below would not fit into 128 bits.
  package static let varianceMax: Int64 = 1 << 48

  /// - Parameter generator: of a cryptographic generator, or what is added can be taken off again.
  package func sample(using generator: inout some RandomNumberGenerator) -> Int64 {
    while true {
      let candidate = laplace(using: &generator)
      // exp(-(|n| - variance / scale)² / (2 · variance)), as a fraction of whole numbers.
      let distance = UInt128(magnitude(Int128(candidate.magnitude) * Int128(scale) - Int128(variance)))
      let denominator = 2 * UInt128(variance) * UInt128(scale) * UInt128(scale)
      if happens(exp: distance * distance, over: denominator, using: &generator) { return candidate }
    }
  }

  /// A whole number with a probability in proportion to exp(-|n| / scale).
  private func laplace(using generator: inout some RandomNumberGenerator) -> Int64 {
    while true {
      let rest = Int64.random(in: 0..<scale, using: &generator)
      guard happens(exp: UInt128(rest), over: UInt128(scale), using: &generator) else { continue }
      var whole: Int64 = 0
      while happens(exp: 1, over: 1, using: &generator) { whole += 1 }
      let magnitude = rest + scale * whole
      let isNegative = Bool.random(using: &generator)
      // Zero has one sign, or it would come twice as often as it should.
      if isNegative, magnitude == 0 { continue }
      return isNegative ? -magnitude : magnitude
    }
  }

  /// True with probability exp(-numerator / denominator).
  private func happens(
    exp numerator: UInt128, over denominator: UInt128, using generator: inout some RandomNumberGenerator
  ) -> Bool {
    var rest = numerator
    while rest > denominator {
      guard happensWithin(exp: 1, over: 1, using: &generator) else { return false }
      rest -= denominator
    }
    return happensWithin(exp: rest, over: denominator, using: &generator)
  }

  /// The same for a numerator that is at most the denominator: the terms of the exponential series, one coin for each.
  private func happensWithin(
    exp numerator: UInt128, over denominator: UInt128, using generator: inout some RandomNumberGenerator
  ) -> Bool {
    var term: UInt128 = 1
    while uniform(below: denominator * term, using: &generator) < numerator { term += 1 }
    return term % 2 == 1
  }

  /// Most bounds fit into 64 bits, which are many times as fast.
  private func uniform(below bound: UInt128, using generator: inout some RandomNumberGenerator) -> UInt128 {
    if let bound = UInt64(exactly: bound) { return UInt128(UInt64.random(in: 0..<bound, using: &generator)) }
    return UInt128.random(in: 0..<bound, using: &generator)
  }

  private func magnitude(_ number: Int128) -> UInt128 { number.magnitude }
}
