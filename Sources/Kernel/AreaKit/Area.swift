package import ArgumentParser
package import Domain
package import Log
package import Metering
package import RPCRuntime
package import ServiceKit
package import ServiceLifecycle

/// What an area of the product brings to a server, and nothing else knows. `Areas.swift` lists the areas, each after those
/// that it stands on; the kernel asks for nothing but this.
///
/// What one area offers to those above it is a property of its own, found by `House.subscript`: `NotificationsArea.notices`
/// takes kinds of notices and stamps of mails, `IdentityArea.additions` what a registration makes beside the account,
/// `ReadingsArea.taps` who looks at readings before they are committed, `PaymentsArea.store` what may be paid for.
/// Followers of the log observe `StorageSystem.tail`, and streams follow topics on `House.streams`.
package protocol Area: Sendable {
  /// What it reads of the environment, and what need not wait for the database.
  associatedtype Settings: Sendable = NoSettings

  /// Its tables, and what becomes of them when somebody leaves.
  static var tables: AreaTables { get }
  /// What `trackme serve --help` says of it; may be empty.
  static var help: String { get }
  /// Subcommands of `trackme`.
  static var commands: [any ParsableCommand.Type] { get }
  /// What it counts when it happens; the program has said where that goes before its settings are read.
  static var counted: [MetricFamily] { get }

  /// Reads the settings. Called once, before there is a database: whoever can work without one begins here.
  /// - Throws: `ValidationError` with the name of the variable that is at fault.
  static func settings(_ start: AreaStart) throws -> Settings

  /// Puts the area together, when there is a database and the areas below are there. No call and no reading comes before
  /// `begin` of all areas.
  init(_ house: House, _ settings: Settings) async throws

  /// Its RPCs.
  var methods: [RPCMethod] { get }
  /// What it answers over HTTP, until `lives` end.
  var routes: [HTTPRoute] { get }
  /// What it shows in pages beside its RPCs.
  var resources: [WebResource] { get }
  /// Its streams that are not on the house's board.
  var registers: [any StreamRegister] { get }
  /// Small work that is done again and again.
  var upkeep: [Upkeep] { get }
  /// What is looked at when somebody asks for metrics.
  var measures: [Measure] { get }
  /// What it does until the server has ended all calls; each returns when its task is cancelled.
  var tasks: [@Sendable () async -> Void] { get }
  /// What goes on until the areas above have ended.
  var lives: [any Service] { get }

  /// What has to be done before the first call and the first reading come.
  /// - Throws: then the server does not start.
  func begin() async throws

  /// Takes an account out of what it keeps outside of the database, and returns when the disk has it.
  /// - Throws: if that did not succeed; then it is called again.
  func forget(_ account: AccountID) async throws
}

/// Of an area that the environment says nothing about.
package struct NoSettings: Sendable {
  package init() {}
}

extension Area where Settings == NoSettings {
  package static func settings(_ start: AreaStart) -> NoSettings { NoSettings() }
}

extension Area {
  package static var help: String { "" }
  package static var commands: [any ParsableCommand.Type] { [] }
  package static var counted: [MetricFamily] { [] }
  package var methods: [RPCMethod] { [] }
  package var routes: [HTTPRoute] { [] }
  package var resources: [WebResource] { [] }
  package var registers: [any StreamRegister] { [] }
  package var upkeep: [Upkeep] { [] }
  package var measures: [Measure] { [] }
  package var tasks: [@Sendable () async -> Void] { [] }
  package var lives: [any Service] { [] }
  package func begin() async throws {}
  package func forget(_ account: AccountID) async throws {}
}

/// Small work that is done again and again while a server runs.
package struct Upkeep: Sendable {
  /// For the log.
  package let subject: String
  /// Between an end and the next beginning.
  package let pause: Duration
  /// May throw: the next time makes up for it.
  package let work: @Sendable () async throws -> Void

  package init(_ subject: String, every pause: Duration, _ work: @escaping @Sendable () async throws -> Void) {
    self.subject = subject
    self.pause = pause
    self.work = work
  }
}
