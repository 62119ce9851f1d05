internal import ArgumentParser
package import Console
package import Logging
package import RPCRuntime

/// Where and how a server starts, before there is a database.
package struct AreaStart: Sendable {
  package let environment: Environment
  /// Where a server keeps what is not in the database.
  package let dataDirectory: String
  /// Whether others may reach the server unencrypted, because a proxy encrypts.
  package let isInsecure: Bool
  /// Whose word about who is behind them counts.
  package let proxies: TrustedProxies
  package let logger: Logger
  private var read: [ObjectIdentifier: any Sendable] = [:]

  package init(
    environment: Environment = Environment(), dataDirectory: String, isInsecure: Bool,
    proxies: TrustedProxies = TrustedProxies(), logger: Logger
  ) {
    self.environment = environment
    self.dataDirectory = dataDirectory
    self.isInsecure = isInsecure
    self.proxies = proxies
    self.logger = logger
  }

  /// Reads the settings of an area, after those of the areas that it stands on.
  /// - Throws: `ValidationError` with the name of the variable that is at fault.
  package mutating func settings<A: Area>(of area: A.Type) throws -> A.Settings {
    let settings = try A.settings(self)
    read[ObjectIdentifier(area)] = settings
    return settings
  }

  /// What an area that another one stands on has read.
  package subscript<A: Area>(_ area: A.Type) -> A.Settings {
    guard let settings = read[ObjectIdentifier(area)] as? A.Settings else {
      preconditionFailure("the settings of \(area) have to be read before those of whoever stands on it")
    }
    return settings
  }
}

extension Environment {
  /// A whole number.
  /// - Throws: `ValidationError` for anything else, and for one out of the range.
  package func number(_ name: String, _ range: ClosedRange<Int>) throws -> Int? {
    guard let text = self[name] else { return nil }
    guard let number = Int(text), range.contains(number) else {
      throw ValidationError("\(name) must be a number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  /// The first line of the file that a variable names.
  /// - Throws: `ValidationError` where there is none, or it has a space.
  package func secret(_ name: String) throws -> String? {
    guard let path = self[name] else { return nil }
    guard let line = readFile(path)?.split(whereSeparator: \.isNewline).first,
      line.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7f })
    else { throw ValidationError("\(name): cannot read a secret, without spaces, from \(path)") }
    return String(line)
  }
}
