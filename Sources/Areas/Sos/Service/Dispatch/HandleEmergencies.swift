internal import Domain
internal import Emergencies
internal import RPCRuntime
public import ServiceAPI
internal import ServiceKit
internal import SosRules
public import WireCodec

extension DispatchService: DispatchServiceHandler {
  private static let maxSystem = 100
  static let maxNote = 500

  /// The dispatcher is called for as long as the stream is open. An answer is judged by the desk, not here: one that
  /// comes too late is no error. When either side ends, what was given out and not accepted goes to the next
  /// dispatcher.
  /// - Throws: INVALID_ARGUMENT for a frame that can't be; `CancellationError`.
  public func handleEmergencies(
    requests: RequestStream<Trackme_Sos_V1_HandleEmergenciesRequest>,
    responses: ResponseWriter<Trackme_Sos_V1_HandleEmergenciesResponse>,
    context: CallContext
  ) async throws {
    let account = try context.account()
    guard case .hello(let hello) = try await requests.next()?.frame else {
      throw RPCStatus.invalidArgument(field: "hello", problem: "must be the first frame")
    }
    if let problem = PlainText.problem(hello.system, length: 0...Self.maxSystem) {
      throw RPCStatus.invalidArgument(field: "hello.system", problem: problem)
    }
    let stream = DispatcherStream(account: account, priority: try await priority(of: account), call: context.call)
    // Ahead of every call: the dispatcher knows that it is connected.
    try await responses.send(.init())
    connected(account, hello.system)
    join(stream)
    defer { leave(stream) }
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await self.receiveAnswers(requests, of: stream) }
      group.addTask { try await stream.send(on: responses, encode: self.message) }
      // A dispatcher that can't answer any more is gone: the end of either side ends the call.
      _ = try await group.next()
      group.cancelAll()
    }
  }

  /// The frame of a notice. Names come out of memory: a call does not wait for the database.
  private func message(of notice: DispatcherNotice) -> Trackme_Sos_V1_HandleEmergenciesResponse {
    let names = EmergencyNames(
      catalog: metrics.catalog, sources: sources.namesAtHand(of: notice.emergency.sources))
    return .init(
      kind: .init(rawValue: notice.kind.rawValue), emergency: .init(notice.emergency, names), text: notice.text)
  }

  private func receiveAnswers(
    _ requests: RequestStream<Trackme_Sos_V1_HandleEmergenciesRequest>, of stream: DispatcherStream
  ) async throws {
    while let request = try await requests.next() {
      guard case .answer(let message) = request.frame else {
        throw RPCStatus.invalidArgument(field: "answer", problem: "must be in every frame after the first")
      }
      var violations = Violations()
      let id = EmergencyID(message.emergencyID)
      if id == nil { violations.add("answer.emergency_id", "must be the emergency_id of a call") }
      let kind = DispatcherAnswer(rawValue: message.kind.rawValue)
      if kind == nil { violations.add("answer.kind", "must be a known value other than unspecified") }
      violations.add("answer.note", PlainText.problem(message.note, length: 0...Self.maxNote, isParagraph: true))
      try violations.check()
      if let id, let kind { answer(id, kind, note: message.note, from: stream) }
    }
  }
}
