internal import Synchronization

/// How many calls ended with which status.
final class CallCounts: Sendable {
  private let counts = Mutex([Int](repeating: 0, count: RPCCode.allCases.count))

  func add(_ code: RPCCode) { counts.withLock { $0[Int(code.rawValue)] += 1 } }

  /// Those that there were.
  var all: [(code: RPCCode, count: Int)] {
    zip(RPCCode.allCases, counts.withLock { $0 }).filter { $1 > 0 }.map { ($0, $1) }
  }
}

/// Calls of one method that ended with one status.
public struct EndedCalls: Sendable, Equatable {
  /// `/package.Service/Method`; nil: the method of none, whatever the client called it.
  public let path: String?
  public let code: RPCCode
  public let count: Int
}
