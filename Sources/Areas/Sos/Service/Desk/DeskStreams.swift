internal import Domain
internal import Log
internal import ServiceKit
internal import Synchronization

/// The open streams of people at desks. Nothing is queued for them: each keeps its position, and is woken.
final class DeskStreams: Sendable {
  private let open: Board<LogTopic>
  private let desk: (any StaffDesk)?
  private let streams = Mutex(Members<AccountID, StreamSignal>())

  /// - Parameter open: where streams hear of heartbeats and of the server's end.
  init(open: Board<LogTopic>, desk: (any StaffDesk)?) {
    self.open = open
    self.desk = desk
    desk?.observeDesks { [weak self] in self?.wake($0) }
  }

  /// The stream is woken by every change at the dispatcher's desk from now on, and calls go to the dispatcher.
  func join(_ signal: StreamSignal, of dispatcher: AccountID, priority: Int32) {
    streams.withLock { $0.add(signal, to: dispatcher) }
    open.join(signal)
    desk?.join(deskOf: dispatcher, priority: priority)
  }

  func leave(_ signal: StreamSignal, of dispatcher: AccountID) {
    desk?.leave(deskOf: dispatcher)
    open.leave(signal)
    streams.withLock { $0.remove(signal, from: dispatcher) }
  }

  private func wake(_ dispatcher: AccountID) {
    for signal in streams.withLock({ $0[dispatcher] }) ?? [] { signal.signal(.data) }
  }

  /// How many there are.
  var count: Int { streams.withLock(\.count) }
}
