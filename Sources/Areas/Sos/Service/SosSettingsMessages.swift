internal import Domain
internal import IdentityRules
internal import ServiceAPI
internal import ServiceKit
internal import SosRules
internal import WireCodec

// Settings between the wire and the rules.

extension Trackme_Sos_V1_SosSettings {
  init(_ record: SosRecord) {
    let settings = record.settings
    func state(_ address: String?) -> Trackme_Sos_V1_ContactState {
      .init(rawValue: address.flatMap { record.answers[$0] }?.rawValue ?? 0)
    }
    self.init(
      enabled: settings.isEnabled, callbackNumber: settings.callbackNumber.map { "\($0)" } ?? "",
      contacts: settings.contacts.map { contact in
        .init(
          name: contact.name, phoneNumber: contact.phone.map { "\($0)" } ?? "", email: contact.email,
          phoneState: state(contact.phone.map { "\($0)" }),
          emailState: state(EmergencyContact.key(email: contact.email)))
      },
      silence: .init(
        notifyAfterMinutes: Int32(clamping: settings.silence?.notifyAfterMinutes ?? 0),
        callAfterMinutes: Int32(clamping: settings.silence?.callAfterMinutes ?? 0)),
      usesOxygenScale2: settings.usesOxygenScale2, usesSupplementalOxygen: settings.usesSupplementalOxygen)
  }
}

extension SosSettings {
  private static let minutes: ClosedRange<Int32> = 0...1_440

  /// Settings of a request; what is wrong with them is added to the violations.
  init(_ wire: Trackme_Sos_V1_SosSettings, _ violations: inout Violations) {
    self.init()
    isEnabled = wire.enabled
    callbackNumber = Self.number(wire.callbackNumber, "settings.callback_number", &violations)
    if wire.contacts.count > Self.maxContacts {
      violations.add("settings.contacts", "must be at most \(Self.maxContacts)")
    }
    contacts = wire.contacts.prefix(Self.maxContacts).enumerated().map { place, contact in
      let path = "settings.contacts[\(place)]"
      violations.add("\(path).name", PlainText.problem(contact.name, length: 1...100))
      if contact.phoneNumber.isEmpty, contact.email.isEmpty {
        violations.add(path, "must have a phone_number or an email")
      }
      if !contact.email.isEmpty { violations.add("\(path).email", EmailAddress.problem(contact.email)) }
      return EmergencyContact(
        name: contact.name, phone: Self.number(contact.phoneNumber, "\(path).phone_number", &violations),
        email: contact.email)
    }
    silence = Self.silence(wire.silence ?? .init(), &violations)
    usesOxygenScale2 = wire.usesOxygenScale2
    usesSupplementalOxygen = wire.usesSupplementalOxygen
  }

  private static func number(_ text: String, _ field: String, _ violations: inout Violations) -> PhoneNumber? {
    if text.isEmpty { return nil }
    let number = PhoneNumber(text)
    if number == nil { violations.add(field, "must be a number in E.164 form such as +393331234567") }
    return number
  }

  private static func silence(
    _ wire: Trackme_Sos_V1_SilenceSettings, _ violations: inout Violations
  ) -> SilenceRule? {
    let path = "settings.silence"
    if !minutes.contains(wire.notifyAfterMinutes) {
      violations.add("\(path).notify_after_minutes", "must be 0 to 1,440")
    }
    if !minutes.contains(wire.callAfterMinutes) {
      violations.add("\(path).call_after_minutes", "must be 0 to 1,440")
    } else if wire.callAfterMinutes > 0, wire.notifyAfterMinutes == 0 {
      violations.add("\(path).call_after_minutes", "must be 0 where nobody is notified before")
    }
    guard wire.notifyAfterMinutes > 0 else { return nil }
    return SilenceRule(
      notifyAfterMinutes: Int(wire.notifyAfterMinutes), callAfterMinutes: Int(wire.callAfterMinutes))
  }
}
