/// A sign-in at an issuer that is under way, as the browser that began it keeps it: no other one can end it.
package struct OpenIDAttempt: Sendable, Hashable {
  /// What it is for.
  package enum Purpose: String, Sendable, CaseIterable {
    case signIn
    /// To link the account of whoever is signed in already.
    case link
  }

  package let purpose: Purpose
  /// Comes back with the issuer's answer.
  package let state: String
  /// Shows the issuer that whoever has its code began the sign-in (RFC 7636).
  package let verifier: String
  /// Comes back in the ID token.
  package let nonce: String
  /// Where the person wanted to go.
  package let next: LocalAddress

  package init(purpose: Purpose, state: String, verifier: String, nonce: String, next: LocalAddress) {
    self.purpose = purpose
    self.state = state
    self.verifier = verifier
    self.nonce = nonce
    self.next = next
  }

  /// - Parameter cookie: what the browser has sent: what `cookie` was, if nobody has changed it.
  package init?(cookie: String) {
    let parts = cookie.split(separator: ":", maxSplits: 4).map(String.init)
    guard parts.count == 5, let purpose = Purpose(rawValue: parts[3]), let next = LocalAddress(parts[4]) else {
      return nil
    }
    self.init(purpose: purpose, state: parts[0], verifier: parts[1], nonce: parts[2], next: next)
  }

  /// What the browser keeps.
  package var cookie: String { [state, verifier, nonce, purpose.rawValue, next.text].joined(separator: ":") }
}

/// What a person is told who comes back from an issuer without a session.
package enum OpenIDProblem: String, Sendable, CaseIterable {
  /// The sign-in was not begun in this browser, or too long ago, or it has ended before.
  case notBegun
  /// The issuer says no: mostly because the person does.
  case refused
  /// No account is linked with the sign-in.
  case notLinked
  /// What the issuer gave does not prove anything here and now.
  case invalid
  /// The issuer, or this server, can't be asked now.
  case unavailable
}
