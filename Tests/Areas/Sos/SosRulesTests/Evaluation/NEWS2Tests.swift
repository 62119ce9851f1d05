import Testing

@testable import Domain
@testable import SosRules

/// NEWS2 against the chart of the Royal College of Physicians (2017): every band, both sides of every boundary.
@Suite struct NEWS2Tests {
  /// The bands of one parameter: from each value on, up to the next one, it scores so many points.
  struct Row: Sendable, CustomStringConvertible {
    let description: String
    let metric: MetricID
    var usesScale2 = false
    var onOxygen = false
    let lowest: Int
    let bands: [(from: Double, points: Int)]
  }

  static let chart: [Row] = [
    Row(
      description: "respirations: 8 or less 3, 9-11 1, 12-20 0, 21-24 2, 25 or more 3",
      metric: VitalSign.respiratoryRate, lowest: 3, bands: [(9, 1), (12, 0), (21, 2), (25, 3)]),
    Row(
      description: "oxygen, scale 1: 91 or less 3, 92-93 2, 94-95 1, 96 or more 0", metric: VitalSign.bloodOxygen,
      lowest: 3, bands: [(92, 2), (94, 1), (96, 0)]),
    Row(
      description: "oxygen, scale 1, on oxygen: the same", metric: VitalSign.bloodOxygen, onOxygen: true, lowest: 3,
      bands: [(92, 2), (94, 1), (96, 0)]),
    Row(
      description: "oxygen, scale 2, on air: 83 or less 3, 84-85 2, 86-87 1, more 0", metric: VitalSign.bloodOxygen,
      usesScale2: true, lowest: 3, bands: [(84, 2), (86, 1), (88, 0)]),
    Row(
      description: "oxygen, scale 2, on oxygen: 88-92 0, 93-94 1, 95-96 2, 97 or more 3",
      metric: VitalSign.bloodOxygen, usesScale2: true, onOxygen: true, lowest: 3,
      bands: [(84, 2), (86, 1), (88, 0), (93, 1), (95, 2), (97, 3)]),
    Row(
      description: "systolic pressure: 90 or less 3, 91-100 2, 101-110 1, 111-219 0, 220 or more 3",
      metric: VitalSign.systolicPressure, lowest: 3, bands: [(91, 2), (101, 1), (111, 0), (220, 3)]),
    Row(
      description: "pulse: 40 or less 3, 41-50 1, 51-90 0, 91-110 1, 111-130 2, 131 or more 3",
      metric: VitalSign.heartRate, lowest: 3, bands: [(41, 1), (51, 0), (91, 1), (111, 2), (131, 3)]),
    Row(
      description: "temperature: 35.0 or less 3, 35.1-36.0 1, 36.1-38.0 0, 38.1-39.0 1, 39.1 or more 2",
      metric: VitalSign.bodyTemperature, lowest: 3, bands: [(35.1, 1), (36.1, 0), (38.1, 1), (39.1, 2)]),
  ]

  @Test("every boundary of the chart, on both sides", arguments: chart) func boundaries(row: Row) {
    let points = { NEWS2.points(row.metric, $0, usesScale2: row.usesScale2, onOxygen: row.onOxygen) }
    var before = row.lowest
    #expect(points(0) == row.lowest)
    #expect(points(-.greatestFiniteMagnitude) == row.lowest)
    for (index, band) in row.bands.enumerated() {
      #expect(points(band.from.nextDown) == before, "just below \(band.from)")
      #expect(points(band.from) == band.points, "at \(band.from)")
      #expect(points(band.from.nextUp) == band.points, "just above \(band.from)")
      let end = index + 1 < row.bands.count ? row.bands[index + 1].from : band.from + 100
      #expect(points((band.from + end) / 2) == band.points, "within the band from \(band.from)")
      before = band.points
    }
    #expect(points(.greatestFiniteMagnitude) == before)
  }

  /// The whole numbers (tenths for temperature) of the chart itself, as it is printed.
  @Test func theChartAsItIsPrinted() {
    let rows: [(MetricID, [(ClosedRange<Int>, Int)], Double)] = [
      (7, [(0...8, 3), (9...11, 1), (12...20, 0), (21...24, 2), (25...60, 3)], 1),
      (6, [(0...91, 3), (92...93, 2), (94...95, 1), (96...100, 0)], 1),
      (2, [(0...90, 3), (91...100, 2), (101...110, 1), (111...219, 0), (220...300, 3)], 1),
      (1, [(0...40, 3), (41...50, 1), (51...90, 0), (91...110, 1), (111...130, 2), (131...300, 3)], 1),
      (5, [(300...350, 3), (351...360, 1), (361...380, 0), (381...390, 1), (391...430, 2)], 10),
    ]
    for (metric, bands, parts) in rows {
      for (range, points) in bands {
        for value in range {
          #expect(
            NEWS2.points(metric, Double(value) / parts, usesScale2: false, onOxygen: false) == points,
            "metric \(metric), \(Double(value) / parts)")
        }
      }
    }
  }

  @Test(
    "values between the printed bands belong to the band below",
    arguments: [
      (VitalSign.bodyTemperature, 35.05, 3), (VitalSign.bodyTemperature, 36.05, 1),
      (VitalSign.bodyTemperature, 38.05, 0), (VitalSign.bodyTemperature, 39.05, 1), (VitalSign.respiratoryRate, 8.5, 3),
      (VitalSign.respiratoryRate, 24.9, 2), (VitalSign.bloodOxygen, 91.5, 3), (VitalSign.heartRate, 40.5, 3),
      (VitalSign.heartRate, 130.9, 2), (VitalSign.systolicPressure, 90.5, 3), (VitalSign.systolicPressure, 219.5, 0),
    ]) func fractions(metric: MetricID, value: Double, points: Int)
  {
    #expect(NEWS2.points(metric, value, usesScale2: false, onOxygen: false) == points)
  }

  @Test func theAggregateAddsUpWhatIsKnown() {
    #expect(NEWS2.aggregate() == 0)
    #expect(NEWS2.aggregate(onOxygen: true) == 2)
    #expect(
      NEWS2.aggregate(respiratoryRate: 16, bloodOxygen: 98, systolicPressure: 120, pulse: 70, temperature: 37) == 0)
    #expect(NEWS2.aggregate(respiratoryRate: 22, bloodOxygen: 93, pulse: 112) == 6)
    #expect(NEWS2.aggregate(respiratoryRate: 22, bloodOxygen: 93, onOxygen: true, pulse: 112) == 8)
    #expect(
      NEWS2.aggregate(
        respiratoryRate: 25, bloodOxygen: 97, usesScale2: true, onOxygen: true, systolicPressure: 90, pulse: 131,
        temperature: 35) == 17)
    #expect(NEWS2.points(9, 12_000, usesScale2: false, onOxygen: false) == 0)
  }

  @Test func aDefaultLimitIsWhereOneParameterScoresThree() {
    for usesScale2 in [false, true] {
      let thresholds = DefaultThresholds.thresholds(age: 40, usesOxygenScale2: usesScale2)
      // Glucose is no parameter of the score.
      for (metric, threshold) in thresholds where metric != VitalSign.bloodGlucose {
        let points = { NEWS2.points(metric, $0, usesScale2: usesScale2, onOxygen: false) }
        if let low = threshold.rest?.low {
          #expect(points(low.nextDown) == 3)
          #expect(points(low) < 3)
        }
        if let high = threshold.rest?.high {
          #expect(points(high.nextDown) < 3)
          #expect(points(high) == 3)
        }
        #expect(threshold.rest?.hold == 3_000_000 && threshold.exertion?.hold == 3_000_000)
      }
      #expect(Set(thresholds.keys) == [1, 2, 4, 5, 6, 7])
    }
  }

  @Test func limitsForExertionFollowTheAge() {
    func high(_ age: Int?) -> Double? {
      DefaultThresholds.thresholds(age: age, usesOxygenScale2: false)[VitalSign.heartRate]?.exertion?.high
    }
    #expect(high(20) == 214)
    #expect(high(40) == 200)
    #expect(high(80) == 172)
    #expect(high(nil) == high(60))
    #expect(high(15) == nil)
    #expect(DefaultThresholds.thresholds(age: 15, usesOxygenScale2: false).keys.sorted() == [VitalSign.bloodGlucose])
    #expect(DefaultThresholds.scoreLimit(age: 15) == 0 && DefaultThresholds.scoreLimit(age: 16) == 7)
    #expect(DefaultThresholds.version(age: 30, thresholdsVersion: 0) == "news2-2017.2")
    #expect(DefaultThresholds.version(age: 30, thresholdsVersion: 4) == "news2-2017.2+own.4")
    #expect(DefaultThresholds.version(age: 9, thresholdsVersion: 0) == "glucose-2025.1")
    #expect(DefaultThresholds.version(age: 9, thresholdsVersion: 2) == "glucose-2025.1+own.2")
    #expect(DefaultThresholds.version(age: 0, thresholdsVersion: 2) == "own.2")
  }
}
