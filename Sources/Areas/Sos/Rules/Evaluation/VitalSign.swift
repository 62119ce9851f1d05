public import Domain

/// Numbers of the metrics that evaluation knows by name; the registry's first migration gives them.
public enum VitalSign {
  public static let heartRate: MetricID = 1
  public static let systolicPressure: MetricID = 2
  /// In mg/dL.
  public static let bloodGlucose: MetricID = 4
  public static let bodyTemperature: MetricID = 5
  public static let bloodOxygen: MetricID = 6
  public static let respiratoryRate: MetricID = 7
  /// The metrics whose newest value an emergency tells of: the five of NEWS2, diastolic pressure and glucose.
  public static let all: ClosedRange<MetricID> = 1...7

  /// The metric's place in an `EmergencyID` of a score, and of a silence.
  public static let scoreCode: UInt16 = 0
  public static let silenceCode: UInt16 = 4_095
}
