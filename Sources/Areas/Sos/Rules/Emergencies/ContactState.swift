/// Whether somebody has agreed to be told of a person's emergencies. The numbers are those of `trackme.sos.v1.ContactState`.
public enum ContactState: Int32, Sendable {
  /// The question has not been sent.
  case waiting = 1
  /// There is no answer.
  case asked
  case confirmed
  /// For good.
  case refused
}

extension EmergencyContact {
  /// An e-mail address as contacts are told apart by it: case does not count.
  public static func key(email: String) -> String { email.lowercased() }
}
