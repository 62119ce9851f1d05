// What an account may be called and how it may be protected. Each rule says what is wrong, to be read after the field's
// name, or nil.

/// The name under which an account logs in.
public enum Username {
  /// 3 to 64 letters, digits, dots, dashes and underscores: ASCII, so that no two look alike, and no "@", so that none
  /// can be taken for an e-mail address.
  public static func problem(_ name: String) -> String? {
    let isRight = 3...64 ~= name.utf8.count && name.utf8.allSatisfy { isLetterOrDigit($0) || "._-".utf8.contains($0) }
    return isRight ? nil : "must be 3 to 64 letters (A to Z), digits, dots, dashes and underscores"
  }
}

/// An address to which mail can be sent.
public enum EmailAddress {
  /// Whether the address has the form that mail servers in general take: "dot-atom" before the "@" and a domain name of
  /// two labels or more behind it (RFC 5321, RFC 5322), at most 254 characters, ASCII. Whether somebody reads it is known
  /// when the confirmation has arrived.
  public static func problem(_ address: String) -> String? {
    guard address.utf8.count <= 254 else { return "must be at most 254 characters" }
    let parts = address.utf8.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
    guard parts.count == 2, isLocalPart(parts[0]), isDomain(parts[1]) else {
      return "must be an e-mail address such as name@example.org"
    }
    return nil
  }

  private static func isLocalPart(_ text: Substring.UTF8View) -> Bool {
    guard 1...64 ~= text.count else { return false }
    return text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy { atom in
      !atom.isEmpty && atom.allSatisfy { isLetterOrDigit($0) || "!#$%&'*+/=?^_`{|}~-".utf8.contains($0) }
    }
  }

  private static func isDomain(_ text: Substring.UTF8View) -> Bool {
    let dash = UInt8(ascii: "-")
    let labels = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return labels.count >= 2
      && labels.allSatisfy { label in
        1...63 ~= label.count && label.first != dash && label.last != dash
          && label.allSatisfy { isLetterOrDigit($0) || $0 == dash }
      }
  }
}

/// A password before it is hashed.
public enum Password {
  /// 10 to 128 characters, at least five different ones, and neither the account's own name nor one of the passwords
  /// that everyone tries first. What characters it is made of is the owner's choice (NIST SP 800-63B, 5.1.1.2).
  public static func problem(_ password: String, username: String = "", email: String = "") -> String? {
    guard 10...128 ~= password.unicodeScalars.count else { return "must be 10 to 128 characters" }
    guard Set(password.unicodeScalars).count >= 5 else { return "must have at least five different characters" }
    let lowered = password.lowercased()
    let isOwn = lowered == username.lowercased() || lowered == email.lowercased()
    return isOwn || common.contains(lowered) ? "is too easy to guess" : nil
  }

  /// Those of the most common passwords that are long enough.
  private static let common: Set<String> = [
    "1234567890", "0123456789", "0987654321", "12345678910", "123456789a", "1q2w3e4r5t", "1qaz2wsx3edc", "qwertyuiop",
    "qwerty12345", "qwerty123456", "password12", "password123", "password1234", "passw0rd123", "administrator",
    "iloveyou12", "abcdefghij", "abcd123456", "letmein123", "welcome123", "changeme123", "football123",
  ]
}

private func isLetterOrDigit(_ byte: UInt8) -> Bool {
  (UInt8(ascii: "a")...UInt8(ascii: "z")) ~= byte || (UInt8(ascii: "A")...UInt8(ascii: "Z")) ~= byte
    || (UInt8(ascii: "0")...UInt8(ascii: "9")) ~= byte
}
