internal import Domain
internal import Log
internal import ServiceAPI
internal import ServiceKit
internal import Synchronization

/// What the Italian regions spend on health: each RPC has its own file.
package final class ExpenditureService: Sendable {
  let storage: StorageSystem
  let clock: @Sendable () -> Microseconds
  /// Whether files are coming in, or are read: one import at a time.
  let importing = Atomic(false)

  /// - Parameter clock: the time of day.
  init(_ storage: StorageSystem, clock: @escaping @Sendable () -> Microseconds) {
    self.storage = storage
    self.clock = clock
  }
}

extension ExpenditureService: ExpenditureServiceHandler {}
