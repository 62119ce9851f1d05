public import Domain

/// How often those whom persons have named as contacts are asked, and what an answer is worth (docs/sos.md).
public enum ContactRules {
  /// A number or an address is asked once in this time, whoever names it.
  public static let pause: Microseconds = 24 * 3_600 * 1_000_000
  /// Questions to the contacts of a person in `pause`.
  public static let questionsOfPersonMax = 10
  /// Questions of one person to a number or an address in all.
  public static let questionsMax = 3
  /// How long the code in a question can confirm; it can refuse for ever.
  public static let answerTime: Microseconds = 30 * 86_400 * 1_000_000
  /// How long a number or an address is remembered that was asked, has not answered and is named no more.
  public static let memory: Microseconds = 90 * 86_400 * 1_000_000
}
