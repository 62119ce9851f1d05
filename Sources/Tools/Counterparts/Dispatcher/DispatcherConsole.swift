internal import Log
internal import Console
internal import Glibc
internal import SosRules
internal import WireCodec

/// What a dispatcher prints: for people, or a line of JSON an event.
struct DispatcherConsole: Sendable {
  let isJSON: Bool
  let isQuiet: Bool

  typealias Notice = Trackme_Sos_V1_HandleEmergenciesResponse
  typealias Emergency = Trackme_Sos_V1_Emergency

  func connected() {
    event("connected", [])
    say("connected; waiting for calls")
  }

  func disconnected(_ reason: String) {
    event("disconnected", [("reason", .string(reason))])
    say("disconnected (\(reason)); connecting again")
  }

  func vanished() {
    event("vanished", [])
    say("gone without an answer")
  }

  func call(_ notice: Notice, number: Int, isNew: Bool) {
    guard let emergency = notice.emergency else { return }
    tell("call", emergency, [("is_new", .bool(isNew)), ("text", .string(notice.text))])
    let times = Waiting(emergency)
    say(
      """
      CALL    incident \(number)\(isNew ? "" : ", again") \(emergency.emergencyID)
              \(emergency.status.label), call \(emergency.emergencyNumber)\(emergency.country.isEmpty ? "" : " in \(emergency.country)")
              \(emergency.crossings.map(\.text).joined(separator: "\n        "))
              vitals: \(emergency.recentVitals.map(\.text).joined(separator: ", "))
              \(emergency.positionText)
              \(emergency.personText)
              \(times.text)
      """)
  }

  func notice(_ notice: Notice, number: Int) {
    guard let emergency = notice.emergency else { return }
    let name: String
    switch notice.kind {
    case .update: name = "update"
    case .cancel: name = "cancel"
    case .taken: name = "taken"
    default: name = "notice \(notice.kind.rawValue)"
    }
    tell(name, emergency, [])
    let last = emergency.transitions.last
    let word: String
    switch notice.kind {
    case .cancel:
      word =
        "CANCEL  incident \(number): a false alarm, says the \(last?.actor ?? "person")\(last.map { $0.note.isEmpty ? "" : ": \($0.note)" } ?? "")"
    case .taken: word = "TAKEN   incident \(number): another dispatcher has it"
    default:
      word =
        "UPDATE  incident \(number): \(emergency.crossings.last?.text ?? ""); \(emergency.positionText)"
    }
    say(word)
  }

  func answered(_ kind: Trackme_Sos_V1_AnswerKind, _ emergency: Emergency, number: Int) {
    tell("answer", emergency, [("answer", .string(kind.label))])
    let when = kind == .accepted ? ": \(Waiting(emergency).text)" : ""
    say("\(kind.label) incident \(number)\(when)")
  }

  // MARK: Printing

  private func say(_ text: String) {
    if !isQuiet, !isJSON { print(text + "\n") }
  }

  private func event(_ name: String, _ members: [(String, JSONValue)]) {
    guard isJSON else { return }
    let head = "{\"event\": \(JSONValue.string(name).text), \"at_us\": \(wallClock())"
    print(head + members.map { ", \(JSONValue.string($0.0).text): \($0.1.text)" }.joined() + "}\n")
  }

  private func tell(_ name: String, _ emergency: Emergency, _ more: [(String, JSONValue)]) {
    guard isJSON else { return }
    let times = Waiting(emergency)
    var members: [(String, JSONValue)] = [
      ("emergency_id", .string(emergency.emergencyID)), ("person_id", .number(Double(emergency.personID))),
      ("status", .string(emergency.status.label)), ("state", .string("\(emergency.state)")),
      ("number", .string(emergency.emergencyNumber)), ("country", .string(emergency.country)),
      ("callback_number", .string(emergency.callbackNumber)),
      ("latitude", emergency.position.map { .number($0.latitude) } ?? .null),
      ("longitude", emergency.position.map { .number($0.longitude) } ?? .null),
      ("crossings", .array(emergency.crossings.map { .string($0.text) })),
      ("since_first_ms", .measured(times.first * 1_000)), ("since_completed_ms", .measured(times.completed * 1_000)),
      ("since_decision_ms", .measured(times.decision * 1_000)),
    ]
    members += more
    event(name, members)
  }

  /// Whole at once, so that lines of several tasks do not mix, and at once, for whoever reads along.
  private func print(_ text: String) {
    var text = text
    text.withUTF8 { bytes in
      var rest = UnsafeRawBufferPointer(bytes)[...]
      while !rest.isEmpty {
        let written = write(STDOUT_FILENO, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
        if written < 0 { return }
        rest = rest.dropFirst(written)
      }
    }
  }
}

/// Seconds until now, by the clocks of this machine and the server.
private struct Waiting {
  /// Since the first value beyond a limit was taken.
  let first: Double
  /// Since the crossing was complete.
  let completed: Double
  /// Since the server decided.
  let decision: Double

  init(_ emergency: Trackme_Sos_V1_Emergency) {
    let now = wallClock()
    func seconds(since time: Int64?) -> Double { Double(now - (time ?? now)) / 1e6 }
    first = seconds(since: emergency.crossings.first?.beganUs)
    completed = seconds(since: emergency.crossings.first?.completedUs)
    decision = seconds(since: emergency.detectedUs)
  }

  var text: String {
    "\(first.rounded(to: 3)) s after the first value beyond the limit, \(completed.rounded(to: 3)) s after the crossing "
      + "was complete, \(decision.rounded(to: 3)) s after the decision"
  }
}
