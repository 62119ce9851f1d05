internal import Console
internal import RPCRuntime
internal import ServiceAPI
internal import SosRules
internal import Synchronization
internal import WireCodec

/// The one who sits at a dispatcher's desk: sees calls, answers as the flags say.
final class DispatcherDesk: Sendable {
  typealias Stream = ClientStream<Trackme_Sos_V1_HandleEmergenciesRequest, Trackme_Sos_V1_HandleEmergenciesResponse>
  typealias Emergency = Trackme_Sos_V1_Emergency

  enum End { case ended, vanished }

  private struct State {
    var calls = 0
    /// Incidents about which nothing is left to say.
    var closed: Set<String> = []
    var isEnRoute: Set<String> = []
    /// In the order in which they came, for people.
    var numbers: [String: Int] = [:]
  }

  private let behaviour: DispatcherBehaviour
  private let incidents: IncidentFile
  private let console: DispatcherConsole
  private let state = Mutex(State())

  init(behaviour: DispatcherBehaviour, incidents: IncidentFile, console: DispatcherConsole) {
    self.behaviour = behaviour
    self.incidents = incidents
    self.console = console
  }

  /// Says hello and takes calls until the stream ends.
  /// - Throws: `RPCStatus` if it ends otherwise than with OK; `IncidentFileError`.
  func serve(_ stream: Stream) async throws -> End {
    try await stream.send(.init(frame: .hello(.init(system: "trackme dispatcher"))))
    guard try await stream.next() != nil else { return .ended }
    console.connected()
    // One task sends; answers that wait for their time are tasks of their own, as many as there are incidents.
    let (answers, outbox) = AsyncStream.makeStream(of: Trackme_Sos_V1_DispatcherAnswer.self)
    return try await withThrowingTaskGroup(of: End?.self) { group in
      group.addTask {
        for await answer in answers { try await stream.send(.init(frame: .answer(answer))) }
        return nil
      }
      group.addTask {
        try await withThrowingDiscardingTaskGroup { replies in
          while let notice = try await stream.next() {
            guard let emergency = notice.emergency else { continue }
            let number = self.number(of: emergency.emergencyID)
            guard notice.kind == .call else {
              if notice.kind != .update { self.close(emergency.emergencyID) }
              self.console.notice(notice, number: number)
              continue
            }
            let call = self.state.withLock { state in
              state.calls += 1
              return state.calls
            }
            if call == self.behaviour.vanishAt {
              self.console.call(notice, number: number, isNew: false)
              self.console.vanished()
              stream.call.cancel()
              return
            }
            replies.addTask { try await self.reply(to: notice, call, number, outbox) }
          }
          replies.cancelAll()
        }
        return self.state.withLock { $0.calls } == self.behaviour.vanishAt ? .vanished : .ended
      }
      defer { group.cancelAll() }
      while let end = try await group.next() { if let end { return end } }
      return .ended
    }
  }

  /// Shows a call, and answers it in time.
  private func reply(
    to notice: Trackme_Sos_V1_HandleEmergenciesResponse, _ call: Int, _ number: Int,
    _ outbox: AsyncStream<Trackme_Sos_V1_DispatcherAnswer>.Continuation
  ) async throws {
    guard let emergency = notice.emergency else { return }
    let id = emergency.emergencyID
    func say(_ kind: Trackme_Sos_V1_AnswerKind) {
      outbox.yield(.init(emergencyID: id, kind: kind, note: "incident \(number)"))
      console.answered(kind, emergency, number: number)
    }
    if call <= behaviour.refusals {
      console.call(notice, number: number, isNew: false)
      guard (try? await Task.sleep(for: behaviour.delay)) != nil else { return }
      return say(.refused)
    }
    console.call(notice, number: number, isNew: try incidents.meet(id))
    guard (try? await Task.sleep(for: behaviour.delay)) != nil else { return }
    if state.withLock({ $0.closed.contains(id) }) { return }
    say(.accepted)
    let accepted = ContinuousClock.now
    let steps: [(Duration?, Trackme_Sos_V1_AnswerKind)] = [
      (behaviour.enRouteAfter, .enRoute),
      (behaviour.closeAfter, behaviour.closesAsFalseAlarm ? .falseAlarm : .resolved),
    ]
    for case (let pause?, let kind) in steps.sorted(by: { $0.0 ?? .zero < $1.0 ?? .zero }) {
      guard (try? await Task.sleep(until: accepted + pause)) != nil, isDue(kind, id) else { continue }
      say(kind)
    }
  }

  /// Whether a step is still to be told: it is told once, and nothing after the end.
  private func isDue(_ kind: Trackme_Sos_V1_AnswerKind, _ id: String) -> Bool {
    state.withLock { state in
      if state.closed.contains(id) { return false }
      if kind == .enRoute { return state.isEnRoute.insert(id).inserted }
      return state.closed.insert(id).inserted
    }
  }

  private func close(_ id: String) { state.withLock { _ = $0.closed.insert(id) } }

  private func number(of id: String) -> Int {
    state.withLock { state in
      if let number = state.numbers[id] { return number }
      state.numbers[id] = state.numbers.count + 1
      return state.numbers.count
    }
  }
}
