public import Domain

/// The limits of persons who have set none of their own.
///
/// At rest: the values that score 3 points, the most of a single parameter, in NEWS2 (source: see `NEWS2`). There a
/// single extreme value is already "an urgent response"; temperature has no such value above. Children under 16 have none
/// of these: NEWS2 is not for them.
///
/// Blood glucose is no parameter of NEWS2 and scores nothing. Its limits are in mg/dL and hold for adults and children, at
/// rest and in exertion, which makes neither value a healthy one; infants under 1 have none, because a newborn's glucose is
/// lower than that:
/// - below 54 mg/dL (3.0 mmol/L): level 2 hypoglycaemia, which "requires immediate action", in American Diabetes
///   Association, "6. Glycemic Goals and Hypoglycemia: Standards of Care in Diabetes - 2025", Diabetes Care 48 (2025)
///   S128-S145; the same value for children and adolescents in the section on them;
/// - from 484 mg/dL (26.9 mmol/L): the mean limit from which clinicians are called at once, in Kost, "Critical limits for
///   urgent clinician notification at US medical centers", JAMA 263 (1990) 704-707. Common sensors can still show it; the
///   600 mg/dL of the hyperosmolar state (Umpierrez et al., Diabetes Care 47 (2024) 1257-1275) lie beyond what they show.
///
/// A sensor of glucose says a value every one to five minutes: it is not older than `PersonMonitor.freshness` when it
/// comes, nothing contradicts it within the hold time, and so one value beyond a limit calls.
///
/// In a declared exertion, limits that healthy exertion does not reach:
/// - heart rate from 208 - 0.7 · age + 20: the age-predicted maximum of Tanaka, Monahan and Seals, "Age-predicted maximal
///   heart rate revisited", J Am Coll Cardiol 37 (2001) 153-156, and two of its standard deviations of about 10;
/// - systolic pressure from 250 mmHg: the criterion to stop of ACSM's Guidelines for Exercise Testing and Prescription;
/// - blood oxygen below 80 %: the criterion to stop of the ATS statement on the six-minute walk test, Am J Respir Crit
///   Care Med 166 (2002) 111-117;
/// - respiratory rate from 60 /min: more than trained persons reach at their maximum;
/// - temperature from 40.5 °C: exertional heat illness, ACSM position stand, Med Sci Sports Exerc 39 (2007) 556-572.
///
/// The hysteresis of each metric is more than its usual noise from one reading to the next and less than the step to the
/// next band of NEWS2, so a value that wavers about its limit is one crossing and a real recovery ends it.
public enum DefaultThresholds {
  /// The version of all of this; a change of any number makes a new one.
  public static let version = "news2-2017.2"
  /// The version of what children have, whose only defaults are those of glucose.
  public static let childrensVersion = "glucose-2025.1"
  /// The youngest age, in whole years, for which the limits of glucose are meant.
  static let glucoseMinimumAge = 1
  /// The age that counts for limits of exertion where none is known: the limits are then low rather than high.
  static let unknownAge = 60
  /// A score is over below the chart's 5 points, the trigger of an urgent response.
  public static let scoreHysteresis = 2

  /// Whether a person has the limits of NEWS2, and a score.
  private static func hasScore(_ age: Int?) -> Bool { age.map { $0 >= NEWS2.minimumAge } ?? true }

  /// Whether a person has the limits of glucose.
  private static func hasGlucose(_ age: Int?) -> Bool { age.map { $0 >= glucoseMinimumAge } ?? true }

  /// The default limits by metric; of glucose alone for persons under 16, empty for those under 1.
  ///
  /// - Parameters:
  ///   - age: whole years; nil: not known, which counts as adult.
  ///   - usesOxygenScale2: whether NEWS2's scale 2 counts for blood oxygen.
  public static func thresholds(age: Int?, usesOxygenScale2: Bool) -> [MetricID: Threshold] {
    guard hasGlucose(age) else { return [:] }
    guard hasScore(age) else { return [VitalSign.bloodGlucose: glucose] }
    let years = Double(min(max(age ?? unknownAge, NEWS2.minimumAge), 120))
    return [
      VitalSign.bloodGlucose: glucose,
      // Beats of the sinus rhythm vary by some 5 a minute with breathing alone.
      VitalSign.heartRate: Threshold(
        rest: Limits(low: 41, high: 131, hysteresis: 5),
        exertion: Limits(low: 41, high: 208 - 0.7 * years + 20, hysteresis: 5)),
      // Oscillometric cuffs differ by 5 to 8 mmHg from one measurement to the next.
      VitalSign.systolicPressure: Threshold(
        rest: Limits(low: 91, high: 220, hysteresis: 9), exertion: Limits(low: 91, high: 250, hysteresis: 9)),
      VitalSign.bodyTemperature: Threshold(
        rest: Limits(low: 35.1, hysteresis: 0.3), exertion: Limits(low: 35.1, high: 40.5, hysteresis: 0.3)),
      // Pulse oximeters are accurate to 2 %.
      VitalSign.bloodOxygen: Threshold(
        rest: Limits(low: usesOxygenScale2 ? 84 : 92, hysteresis: 2), exertion: Limits(low: 80, hysteresis: 2)),
      VitalSign.respiratoryRate: Threshold(
        rest: Limits(low: 9, high: 25, hysteresis: 2), exertion: Limits(low: 9, high: 60, hysteresis: 2)),
    ]
  }

  /// The same at rest and in exertion. Meters of glucose are accurate to 15 mg/dL where it is low (ISO 15197:2013), and
  /// from 70 mg/dL on, 16 above the low limit, no hypoglycaemia is left.
  private static let glucose = Threshold(
    rest: Limits(low: 54, high: 484, hysteresis: 15), exertion: Limits(low: 54, high: 484, hysteresis: 15))

  /// The aggregate NEWS2 score that calls, in points; 0 if no score is computed.
  public static func scoreLimit(age: Int?) -> Int { hasScore(age) ? NEWS2.emergencyScore : 0 }

  /// The version of a person's rules.
  ///
  /// - Parameters:
  ///   - age: whole years; nil: not known.
  ///   - thresholdsVersion: counts the changes of the person's own limits; 0: none.
  public static func version(age: Int?, thresholdsVersion: Int64) -> String {
    guard hasGlucose(age) else { return "own.\(thresholdsVersion)" }
    let defaults = hasScore(age) ? version : childrensVersion
    return thresholdsVersion == 0 ? defaults : "\(defaults)+own.\(thresholdsVersion)"
  }
}
