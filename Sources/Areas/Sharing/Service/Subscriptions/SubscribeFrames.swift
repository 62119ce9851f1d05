package import Domain
internal import Log
package import RPCRuntime
internal import ServiceAPI
internal import ServiceKit
internal import WireCodec

/// The sending side of one Subscribe stream.
struct SubscribeFrames: Sendable {
  let responses: ResponseWriter<Trackme_Sharing_V1_SubscribeResponse>
  /// What the client has not acknowledged.
  let outstanding: OutstandingFrames
  let seal: Seal
  /// What the stream waits for.
  let signal: StreamSignal

  /// Says that nothing is missing up to a position.
  func beat(at position: LogPosition) async throws {
    outstanding.beating(position)
    try await responses.send(.init(cursor: seal.cursor(.log, at: position), frame: .heartbeat(.init())))
  }

  /// Tells of a change of the grant. One that ends it is the last frame.
  /// - Throws: PERMISSION_DENIED with reason ACCESS_ENDED after one that ends the grant.
  func tell(_ change: AccessChange, at position: LogPosition) async throws {
    outstanding.sending(position)
    try await responses.send(
      .init(cursor: seal.cursor(.log, at: position), frame: .accessChange(.init(change, at: position))))
    if change.state.isFinal { throw RPCStatus.accessEnded(change.state, at: position) }
  }
}

extension RPCStatus {
  /// The grant under which readings were delivered has ended.
  package static func accessEnded(_ state: AccessState, at position: LogPosition) -> RPCStatus {
    failure(
      .permissionDenied, reason: "ACCESS_ENDED", message: "the grant is \(state) from position \(position) on",
      metadata: ["state": "\(state)", "position": "\(position)"])
  }
}
