internal import Console

/// A process that loads a server: it prepares everything, says READY, waits for GO, and answers with its measurements.
/// It runs apart from the server, so that each one's processor time is its own.
package final class LoadProcess {
  private let process: ChildProcess

  /// Starts a hidden subcommand of this program and waits until it is ready.
  ///
  /// - Parameter token: the operator's token, which must not show in a list of processes.
  package init(_ arguments: [String], token: String = "") throws {
    guard let program = Program.own else { throw BenchError("cannot find this program's file") }
    process = try ChildProcess([program] + arguments, environment: ["TRACKME_OPERATOR_TOKEN": token])
    let answer = try process.answer(within: .seconds(120))
    try check(answer == "READY", "a load process answers \(answer)")
  }

  /// Processor time that the load itself has taken so far, in microseconds.
  package var processorTime: Double { ProcessorTime.of(process.processID) }

  /// Starts the clock and waits for the measurements.
  package func go(within limit: Duration = .seconds(300)) throws -> Measurements {
    try measure("GO", within: limit)
  }

  /// Has one of several things measured that a process measures in turn.
  package func measure(_ command: String, within limit: Duration = .seconds(300)) throws -> Measurements {
    try process.tell(command)
    return try Measurements(text: process.answer(within: limit))
  }
}

/// Numbers by name, as a load process hands them over: `DONE name=number name=number`.
package struct Measurements {
  private(set) var numbers: [String: Double]

  package init(_ numbers: [String: Double]) { self.numbers = numbers }

  package init(text: String) throws {
    var words = text.split(separator: " ")
    try check(words.first == "DONE", "a load process answers \(text)")
    words.removeFirst()
    numbers = [:]
    for word in words {
      let parts = word.split(separator: "=")
      guard parts.count == 2, let number = Double(parts[1]) else { throw BenchError("a load process answers \(text)") }
      numbers[String(parts[0])] = number
    }
  }

  package var text: String {
    (["DONE"] + numbers.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }).joined(separator: " ")
  }

  package subscript(name: String) -> Double {
    get throws {
      guard let number = numbers[name] else { throw BenchError("a load process did not measure \(name)") }
      return number
    }
  }
}

/// The load process's side of the conversation.
package enum LoadConversation {
  /// Says that everything is prepared.
  package static func sayReady() { say("READY") }

  /// Hands over measurements.
  package static func answer(_ numbers: [String: Double]) { say(Measurements(numbers).text) }

  /// Says that everything is prepared, and waits for the clock to start.
  package static func ready() throws {
    sayReady()
    guard readLine(strippingNewline: true) == "GO" else { throw BenchError("nobody said GO") }
  }

  /// Hands over the measurements, and stays until the bench has read this process's and the server's numbers.
  package static func done(_ numbers: [String: Double]) {
    answer(numbers)
    _ = readLine()
  }
}
