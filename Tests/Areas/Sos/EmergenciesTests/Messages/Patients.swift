import Domain
import SosRules

/// An emergency as tests want it.
enum Patients {
  static let now: Microseconds = 1_790_000_000_000_000
  static let catalog = MetricCatalog([
    Metric(
      id: 1, name: "heart_rate", displayName: "Heart rate", kind: .scalar, unit: "/min", loincCode: "8867-4",
      minimum: 0,
      maximum: 400),
    Metric(
      id: 5, name: "body_temperature", displayName: "Body temperature", kind: .scalar, unit: "Cel", loincCode: "8310-5",
      minimum: 10, maximum: 50),
    Metric(
      id: 6, name: "blood_oxygen", displayName: "Blood oxygen saturation", kind: .scalar, unit: "%",
      loincCode: "59408-5", minimum: 0, maximum: 100),
  ])

  static func emergency(
    status: DispatchStatus = .exercise, crossings: [Crossing] = [heartRate], position: LastPosition? = milan,
    callback: String? = "+393331234567"
  ) -> Emergency {
    Emergency(
      id: EmergencyID(person: 7, metric: 1, began: now - 4_000_000), person: 7, status: status, detected: now,
      crossings: crossings,
      vitals: [
        Vital(metric: 1, source: 0, time: now - 1_000_000, value: 178),
        Vital(metric: 6, source: 0, time: now - 200_000_000, value: 88.5),
      ], position: position, age: 67, sex: .female, callbackNumber: callback.flatMap { PhoneNumber($0) }, contacts: [],
      number: "112", country: "IT",
      transitions: [EmergencyTransition(state: .detected, at: now, actor: "evaluator")])
  }

  static let heartRate = Crossing(
    kind: .high, metric: 1, limit: 131, value: 178, began: now - 4_000_000, completed: now, hold: 3_000_000,
    ruleVersion: "news2-2017.1", readings: [])
  static let milan = LastPosition(latitude: 45.464_21, longitude: 9.189_51, accuracy: 8, time: now - 12_000_000)
}
