package import ArgumentParser

/// For development and tests: small counterparts of services that TrackMe calls and that can't be reached from there.
package enum Counterparts {
  /// Subcommands of `trackme`.
  package static let commands: [any ParsableCommand.Type] = [DispatcherCommand.self, PaymentProviderCommand.self]
}
