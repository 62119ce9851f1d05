internal import ArgumentParser

/// Where browsers find the pages: a scheme and a host, without anything behind it.
package struct PageOrigin: Sendable, Hashable {
  /// "https://trackme.example", "http://127.0.0.1:8080".
  package let text: String

  /// - Returns: nil for anything else, and for http that leaves this machine.
  package init?(_ text: String) {
    guard let scheme = ["https://", "http://"].first(where: text.hasPrefix) else { return nil }
    let authority = text.dropFirst(scheme.count)
    let host = authority.hasPrefix("[") ? authority.prefix { $0 != "]" } + "]" : authority.prefix { $0 != ":" }
    let port = authority.dropFirst(host.count)
    guard !host.isEmpty, host.utf8.allSatisfy(Self.isHost), Self.isPort(port) else { return nil }
    guard scheme == "https://" || ["127.0.0.1", "[::1]", "localhost"].contains(String(host)) else { return nil }
    self.text = text
  }

  private static func isHost(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
      UInt8(ascii: "."), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: ":"):
      true
    default: false
    }
  }

  private static func isPort(_ text: Substring) -> Bool {
    guard let first = text.first else { return true }
    return first == ":" && UInt16(text.dropFirst()).map { $0 > 0 } ?? false
  }
}

extension AreaStart {
  /// Where browsers find the pages; nil where nobody has said so.
  /// - Throws: `ValidationError` with the name of the variable.
  package func pageOrigin() throws -> PageOrigin? {
    guard let text = environment["TRACKME_WEB_ORIGIN"] else { return nil }
    guard let origin = PageOrigin(text) else {
      throw ValidationError(
        "TRACKME_WEB_ORIGIN must be https://HOST or https://HOST:PORT, or http of this machine: nothing behind it")
    }
    return origin
  }
}
