package import Log
package import RPCRuntime

extension FairTurns {
  /// Runs the body when it is the asker's turn.
  /// - Throws: `refusal` where as many wait as may, here or for turns that the body takes; `CancellationError` if the
  ///   task is cancelled while it waits; what the body throws.
  package func run<T>(
    for asker: Asker = .current, orThrow refusal: @autoclosure () -> RPCStatus, _ body: () async throws -> T
  ) async throws -> T {
    do { return try await run(for: asker, body) } catch is Full { throw refusal() }
  }
}
