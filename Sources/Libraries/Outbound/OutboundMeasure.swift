package import Metering

extension Measure {
  /// Calls to others that wait for a thread.
  ///
  /// - Parameters:
  ///   - name: a constant, such as "outbound_mail".
  ///   - all: added up; without any there is no such queue.
  package static func queue(_ name: String, of all: [OutboundThreads]) -> Measure {
    if all.isEmpty { return Measure([.queueLength, .queueLimit]) { [] } }
    return .queue(name, limit: all.reduce(0) { $0 + $1.waitingMax }) { all.reduce(0) { $0 + $1.waitingCount } }
  }
}
