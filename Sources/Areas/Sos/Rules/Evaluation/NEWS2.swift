public import Domain

/// The National Early Warning Score 2.
///
/// Source: Royal College of Physicians. "National Early Warning Score (NEWS) 2: Standardising the assessment of
/// acute-illness severity in the NHS". Updated report of a working party. London: RCP, 2017, chart 1.
///
/// The chart has bands of whole numbers (35.1 to 36.0 °C). Devices say 36.05: here each band reaches up to, not
/// including, the beginning of the next one, so that no value falls between two. For adults of 16 and over; not for
/// children and not in pregnancy.
public enum NEWS2 {
  /// The youngest age for which the score is meant.
  public static let minimumAge = 16
  /// An aggregate of so much is the chart's trigger for an emergency response.
  public static let emergencyScore = 7
  /// The points of breathing supplemental oxygen.
  public static let supplementalOxygenPoints = 2

  /// Breaths a minute.
  public static func respiratoryRate(_ value: Double) -> Int {
    if value < 9 { return 3 }
    if value < 12 { return 1 }
    if value < 21 { return 0 }
    return value < 25 ? 2 : 3
  }

  /// Saturation in percent by scale 1.
  public static func bloodOxygen(_ value: Double) -> Int {
    if value < 92 { return 3 }
    if value < 94 { return 2 }
    return value < 96 ? 1 : 0
  }

  /// Saturation in percent by scale 2, for hypercapnic respiratory failure with a target of 88 to 92 %: on oxygen a high
  /// saturation scores as well.
  public static func bloodOxygenScale2(_ value: Double, onOxygen: Bool) -> Int {
    if value < 84 { return 3 }
    if value < 86 { return 2 }
    if value < 88 { return 1 }
    if !onOxygen || value < 93 { return 0 }
    if value < 95 { return 1 }
    return value < 97 ? 2 : 3
  }

  /// Systolic pressure in mmHg.
  public static func systolicPressure(_ value: Double) -> Int {
    if value < 91 { return 3 }
    if value < 101 { return 2 }
    if value < 111 { return 1 }
    return value < 220 ? 0 : 3
  }

  /// Beats a minute.
  public static func pulse(_ value: Double) -> Int {
    if value < 41 { return 3 }
    if value < 51 { return 1 }
    if value < 91 { return 0 }
    if value < 111 { return 1 }
    return value < 131 ? 2 : 3
  }

  /// Degrees Celsius.
  public static func temperature(_ value: Double) -> Int {
    if value < 35.1 { return 3 }
    if value < 36.1 { return 1 }
    if value < 38.1 { return 0 }
    return value < 39.1 ? 1 : 2
  }

  /// The points of one parameter; 0 for a metric that is none.
  ///
  /// - Parameters:
  ///   - usesScale2: whether blood oxygen is scored by scale 2.
  ///   - onOxygen: whether the person breathes supplemental oxygen; its own 2 points are not in the result.
  public static func points(_ metric: MetricID, _ value: Double, usesScale2: Bool, onOxygen: Bool) -> Int {
    switch metric {
    case VitalSign.heartRate: pulse(value)
    case VitalSign.bloodOxygen: usesScale2 ? bloodOxygenScale2(value, onOxygen: onOxygen) : bloodOxygen(value)
    case VitalSign.respiratoryRate: respiratoryRate(value)
    case VitalSign.systolicPressure: systolicPressure(value)
    case VitalSign.bodyTemperature: temperature(value)
    default: 0
    }
  }

  /// The aggregate score: the points of every parameter that is given. A missing one counts 0, consciousness (which no
  /// wearable measures) counts as alert.
  public static func aggregate(
    respiratoryRate: Double? = nil, bloodOxygen: Double? = nil, usesScale2: Bool = false, onOxygen: Bool = false,
    systolicPressure: Double? = nil, pulse: Double? = nil, temperature: Double? = nil
  ) -> Int {
    let oxygen = bloodOxygen.map { points(VitalSign.bloodOxygen, $0, usesScale2: usesScale2, onOxygen: onOxygen) }
    let parts = [
      respiratoryRate.map(Self.respiratoryRate), oxygen, systolicPressure.map(Self.systolicPressure),
      pulse.map(Self.pulse), temperature.map(Self.temperature), onOxygen ? supplementalOxygenPoints : nil,
    ]
    return parts.reduce(0) { $0 + ($1 ?? 0) }
  }
}
