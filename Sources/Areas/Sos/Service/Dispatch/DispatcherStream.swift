internal import DequeModule
internal import Domain
internal import Emergencies
internal import RPCRuntime
internal import ServiceAPI
internal import ServiceKit
internal import SosRules
internal import Synchronization
internal import WireCodec

/// One open stream of a dispatcher's system: what it is still to be told.
final class DispatcherStream: ConnectedDispatcher {
  /// The most emergencies that may wait for a dispatcher that does not read: then its stream ends, and others are asked.
  static let maxWaiting = 10_000

  private struct State {
    /// The newest notice of each emergency that has not been sent.
    var notices: [EmergencyID: DispatcherNotice] = [:]
    /// In the order in which they came; each one in `notices` once.
    var order: Deque<EmergencyID> = []
  }

  let account: AccountID
  let priority: Int32
  let signal = StreamSignal()
  private let call: ServerCall
  private let state = Mutex(State())

  init(account: AccountID, priority: Int32, call: ServerCall) {
    self.account = account
    self.priority = priority
    self.call = call
  }

  func tell(_ notice: DispatcherNotice) {
    let id = notice.emergency.id
    let isTold = state.withLock { state in
      if let waiting = state.notices[id] {
        state.notices[id] = notice.following(waiting)
        return true
      }
      guard state.order.count < Self.maxWaiting else { return false }
      state.notices[id] = notice
      state.order.append(id)
      return true
    }
    if isTold { signal.signal(.data) } else { end(with: .tooSlow) }
  }

  /// Ends the stream, also one whose client does not read: what waits is not sent any more. The first reason counts.
  func end(with status: RPCStatus) { call.end(with: status) }

  /// The next notice, oldest emergency first; nil if there is none.
  private func next() -> DispatcherNotice? {
    state.withLock { state in state.order.popFirst().flatMap { state.notices.removeValue(forKey: $0) } }
  }

  /// Sends notices until the stream ends, and heartbeats where there are none.
  /// - Throws: `CancellationError` when the call is gone or ended; UNAVAILABLE when the server is ending.
  func send(
    on responses: ResponseWriter<Trackme_Sos_V1_HandleEmergenciesResponse>,
    encode: (DispatcherNotice) -> Trackme_Sos_V1_HandleEmergenciesResponse
  ) async throws {
    try await signal.pump { _ in
      guard let notice = next() else { return .nothing }
      try await responses.send(encode(notice))
      return .more
    } beat: {
      try await responses.send(.init())
    }
  }
}

extension DispatcherNotice {
  /// What is told in place of a notice that was not sent. News about a call that the dispatcher has not seen are a call.
  fileprivate func following(_ unsent: DispatcherNotice) -> DispatcherNotice {
    guard kind == .update, unsent.kind == .call else { return self }
    return DispatcherNotice(kind: .call, emergency: emergency, text: text)
  }
}

extension RPCStatus {
  fileprivate static let tooSlow = failure(
    .resourceExhausted, reason: "TOO_SLOW",
    message: "more than \(DispatcherStream.maxWaiting) emergencies wait for this stream to be read; connect again")
}
