import Domain
import Testing

@testable import Readings

/// B-R.D2/3, A-R27: readings as FHIR, without a server.
@Suite struct ObservationTests {
  private static let pressure = (systolic: MetricID(2), diastolic: MetricID(3))

  private func reading(_ metric: MetricID, _ source: SourceID, at time: Microseconds) -> ScalarReading {
    ScalarReading(metric: metric, source: source, time: time, value: Double(metric) * 40)
  }

  /// What becomes of readings that come one after the other.
  private func observed(_ readings: [ScalarReading], waitingMax: Int = 1_000) -> [ObservedScalar] {
    var pairs = BloodPressurePairs(
      systolic: Self.pressure.systolic, diastolic: Self.pressure.diastolic, waitingMax: waitingMax)
    return readings.flatMap { pairs.take($0) } + pairs.end()
  }

  @Test func pressuresOfOneMomentAndSourceAreAPairWhicheverComesFirst() {
    let (systolic, diastolic) = (reading(2, 5, at: 9), reading(3, 5, at: 9))
    for order in [[systolic, diastolic], [diastolic, systolic]] {
      #expect(observed(order) == [.bloodPressure(systolic: systolic, diastolic: diastolic)])
    }
    let pulse = reading(1, 5, at: 9)
    #expect(
      observed([pulse, systolic, diastolic]) == [
        .single(pulse), .bloodPressure(systolic: systolic, diastolic: diastolic),
      ])
  }

  @Test func pressuresOfOtherMomentsAndSourcesAreNoPair() {
    let readings = [reading(2, 5, at: 9), reading(3, 6, at: 9), reading(3, 5, at: 10), reading(2, 5, at: 11)]
    #expect(
      observed(readings) == [
        .bloodPressure(systolic: readings[0], diastolic: nil), .bloodPressure(systolic: nil, diastolic: readings[1]),
        .bloodPressure(systolic: nil, diastolic: readings[2]), .bloodPressure(systolic: readings[3], diastolic: nil),
      ])
  }

  @Test func whatDoesNotWaitIsNeitherLostNorCalledWithoutItsOtherHalf() {
    let (systolic, diastolic) = ((1...4).map { reading(2, $0, at: 9) }, (1...4).map { reading(3, $0, at: 9) })
    let expected: [ObservedScalar] = [
      .single(systolic[2]), .single(systolic[3]),
      .bloodPressure(systolic: systolic[0], diastolic: diastolic[0]),
      .bloodPressure(systolic: systolic[1], diastolic: diastolic[1]),
      .single(diastolic[2]), .single(diastolic[3]),
    ]
    #expect(observed(systolic + diastolic, waitingMax: 2) == expected)
    // The next moment begins anew.
    let (next, other) = (reading(2, 3, at: 10), reading(3, 3, at: 10))
    #expect(
      observed(systolic + diastolic + [next, other], waitingMax: 2)
        == expected + [.bloodPressure(systolic: next, diastolic: other)])
  }

  @Test(arguments: [
    (0.0, "0"), (72, "72"), (-99.9, "-99.9"), (0.1 + 0.2, "0.30000000000000004"), (0.00001, "0.00001"),
    (-1.25e-9, "-0.00000000125"), (1e-10, "1e-10"), (.leastNonzeroMagnitude, "5e-324"), (1e15, "1000000000000000"),
    (1e308, "1e+308"),
  ])
  func samplesReadBackAsTheSameNumbers(number: Double, text: String) {
    #expect(FHIRText.decimal(number) == text)
    #expect(Double(text) == number)
  }

  @Test(arguments: [
    ("watch", "watch"), ("a\"\\b", "a\"\\b"), ("a\nb\u{0}", "a\u{FFFD}b\u{FFFD}"), ("\u{2028}x", "\u{FFFD}x"),
    (" ", "\u{FFFD}"), (" x ", " x "), ("e\u{301}🏃", "e\u{301}🏃"), ("\r\n", "\u{FFFD}\u{FFFD}"),
  ])
  func aNameIsAStringOfFHIR(name: String, text: String) {
    #expect(FHIRText.string(name).map { Array($0.unicodeScalars) } == Array(text.unicodeScalars))
  }

  @Test func noNameIsNoString() { #expect(FHIRText.string("") == nil) }

  @Test func idsDifferByEverythingThatTellsReadingsApart() {
    let ids = ResourceIDs(key: Array(repeating: 7, count: 32))
    let others = [
      ids.observation(of: 1, 2, 3, at: 4, nil), ids.observation(of: 2, 2, 3, at: 4, nil),
      ids.observation(of: 1, 3, 3, at: 4, nil), ids.observation(of: 1, nil, 3, at: 4, nil),
      ids.observation(of: 1, 2, 4, at: 4, nil), ids.observation(of: 1, 2, 3, at: 5, nil),
      ids.observation(of: 1, 2, 3, at: 4, .second), ids.observation(of: 1, 2, 3, at: 4, .minute),
      ResourceIDs(key: Array(repeating: 8, count: 32)).observation(of: 1, 2, 3, at: 4, nil),
    ]
    #expect(Set(others).count == others.count)
    #expect(others[0] == ids.observation(of: 1, 2, 3, at: 4, nil))
    #expect(others.allSatisfy { $0.utf8.count == 32 && $0.allSatisfy(\.isHexDigit) })
  }
}
