internal import ArgumentParser
internal import Console
internal import Outbound

/// Where mail goes: to the server of `TRACKME_SMTP_URL`, or into a folder where there is none.
struct MailSettings: Sendable {
  static let senderDefault = "trackme@localhost"

  let server: SMTPServer?
  /// PEM file of the authorities to trust in connections to others; nil: the system's.
  let certificateAuthority: String?
  /// The address that mails come from.
  let sender: String

  /// - Throws: `ValidationError` with the name of the variable.
  init(_ environment: Environment) throws {
    certificateAuthority = environment["TRACKME_OUTBOUND_CA"]
    let from = environment["TRACKME_MAIL_FROM"]
    sender = from ?? Self.senderDefault
    guard SMTPClient.isAddress(sender) else { throw ValidationError("TRACKME_MAIL_FROM must be an e-mail address") }
    guard let text = environment["TRACKME_SMTP_URL"] else {
      server = nil
      return
    }
    guard let url = OutboundURL(text, schemes: ["smtp", "smtps"]) else {
      throw ValidationError("TRACKME_SMTP_URL must be smtp://host:port or smtps://host:port, without user and password")
    }
    guard from != nil else { throw ValidationError("TRACKME_SMTP_URL needs TRACKME_MAIL_FROM") }
    let security = try Self.security(environment)
    let credentials = try Self.credentials(environment)
    guard security == .required || credentials == nil || url.isLoopback else {
      throw ValidationError("TRACKME_SMTP_TLS=none would send the password of TRACKME_SMTP_USERNAME in the clear")
    }
    server = SMTPServer(url: url, security: security, credentials: credentials)
  }

  private static func security(_ environment: Environment) throws -> SMTPServer.Security {
    switch environment["TRACKME_SMTP_TLS"] ?? "required" {
    case "required": .required
    case "none": .none
    default: throw ValidationError("TRACKME_SMTP_TLS must be required or none")
    }
  }

  private static func credentials(_ environment: Environment) throws -> (user: String, password: String)? {
    guard let user = environment["TRACKME_SMTP_USERNAME"] else { return nil }
    guard let path = environment["TRACKME_SMTP_PASSWORD_FILE"] else {
      throw ValidationError("TRACKME_SMTP_USERNAME needs TRACKME_SMTP_PASSWORD_FILE")
    }
    guard let password = readFile(path)?.split(whereSeparator: \.isNewline).first else {
      throw ValidationError("TRACKME_SMTP_PASSWORD_FILE: cannot read a password from \(path)")
    }
    return (user, String(password))
  }
}
