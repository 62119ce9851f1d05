/// A cookie that only the server reads, for one host and over TLS alone (RFC 6265bis).
///
/// Browsers take a name that begins with `__Host-` only from the host itself, with `Secure` and for the whole of it: a
/// neighbour under the same domain can't set it.
package struct SessionCookie: Sendable, Hashable {
  /// From where a browser sends a cookie along.
  package enum Sites: String, Sendable {
    /// From the pages of the host alone.
    case strict = "Strict"
    /// Also where another site leads there by an address: for the way back from an issuer of identities.
    case lax = "Lax"
  }

  package let name: String
  private let sites: Sites

  /// - Parameter name: letters, without the prefix.
  package init(_ name: String, sites: Sites = .strict) {
    self.name = "__Host-" + name
    self.sites = sites
  }

  /// The header that sets it.
  /// - Parameters:
  ///   - value: printable ASCII without spaces, quotes, commas, semicolons and backslashes (RFC 6265, 4.1.1).
  ///   - seconds: how long the browser keeps it; at least 1.
  package func set(to value: String, for seconds: Int64) -> String {
    "\(name)=\(value); Path=/; Max-Age=\(max(1, seconds)); Secure; HttpOnly; SameSite=\(sites.rawValue)"
  }

  /// The header that takes it away.
  package var removal: String { "\(name)=; Path=/; Max-Age=0; Secure; HttpOnly; SameSite=\(sites.rawValue)" }

  /// What a browser sent; nil where it is not there. Of two cookies of this name neither counts.
  /// - Parameter headers: the values of `Cookie`.
  package func value(in headers: [String]) -> String? {
    let values = headers.flatMap { $0.split(separator: ";") }.compactMap { pair -> String? in
      let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return halves.count == 2 && halves[0].trimmed == name ? halves[1].trimmed : nil
    }
    return values.count == 1 && !values[0].isEmpty ? values[0] : nil
  }
}
