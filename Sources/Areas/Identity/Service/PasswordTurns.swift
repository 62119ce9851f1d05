internal import Log
internal import Metering
internal import RPCRuntime
internal import ServiceKit

/// Whoever has a password checked or hashed takes turns here: networks in turn, and of a network its addresses in turn,
/// however many calls one of them brings. Everything that a password costs is done within a turn, the database's work
/// too, so that nobody's random names keep others from logging in.
final class PasswordTurns: Sendable {
  /// Enough that the hasher's thread has work while others are at the database.
  static let places = 4
  static let waitingPerAddress = 16
  static let waitingPerNetwork = 128
  /// About six seconds of work. One more takes the place of the newest of whoever has most waiting.
  static let waiting = 256

  /// Each address has one call among those of its network.
  private let addresses = FairTurns(
    places: .max, perAsker: 1, waitingPerAsker: waitingPerAddress, waiting: waiting)
  private let networks = FairTurns(
    places: places, perAsker: places, waitingPerAsker: waitingPerNetwork, waiting: waiting)

  /// Who waits: of each address all but one, and those whose network has a turn to wait for.
  var measures: [Measure] { [addresses.measure("password_addresses"), networks.measure("password_networks")] }

  /// How many wait.
  var waitingCount: Int { addresses.waitingCount + networks.waitingCount }

  /// Runs the body when it is the client's turn. Programs of this machine are one client, which may bring as many as a
  /// network.
  /// - Throws: RESOURCE_EXHAUSTED with reason TOO_BUSY; `CancellationError`; what the body throws.
  func run<T>(for client: ClientAddress, _ body: () async throws -> T) async throws -> T {
    let network = Asker.client(client.network.key)
    if client.isThisMachine { return try await networks.run(for: network, orThrow: .tooBusy, body) }
    return try await addresses.run(for: .client(client.key), orThrow: .tooBusy) {
      try await networks.run(for: network, body)
    }
  }
}
