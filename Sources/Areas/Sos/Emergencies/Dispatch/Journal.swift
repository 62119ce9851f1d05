internal import Domain
internal import Logging
internal import SosRules
internal import Threads

/// Keeps emergencies through every crash, in a file beside the database.
///
/// Entries are gathered while the disk is busy with earlier ones, and become safe together. What waits is bounded by the
/// emergencies: of each only the newest state waits. When the disk fails, calls go out all the same, and it is tried again
/// until it works.
final class Journal: Sendable {
  /// What a journal held when it was opened.
  struct Contents: Sendable {
    /// The newest state of each, oldest first.
    var emergencies: [Emergency] = []
    /// `changed` of what the archive has.
    var recorded: [EmergencyID: Microseconds] = [:]
    /// Of the newest transition.
    var last: Microseconds = 0
    /// Lines that were not whole. The last one is when a crash interrupted it.
    var brokenLines = 0
  }

  private struct Pending: Sendable {
    var emergencies: [EmergencyID: Emergency] = [:]
    /// In the order in which they first changed.
    var order: [EmergencyID] = []
    var recorded: [EmergencyID: Microseconds] = [:]
    var retired: Set<EmergencyID> = []
    /// Nil: nobody is to be forgotten.
    var forgotten: Set<EmergencyID>?
    /// Of the newest entry.
    var sequence = 0
    var isClosed = false

    var isEmpty: Bool { order.isEmpty && recorded.isEmpty && retired.isEmpty && forgotten == nil }
  }

  /// Above this size, and twice the size of what counts, the file is written anew.
  static let largeBytes = 8 << 20

  private let pending = Monitored(Pending())

  // MARK: - Who writes

  /// Adds an emergency as it stands; never waits.
  func append(_ emergency: Emergency, sequence: Int) {
    pending.change { pending in
      if pending.emergencies.updateValue(emergency, forKey: emergency.id) == nil { pending.order.append(emergency.id) }
      pending.retired.remove(emergency.id)
      pending.sequence = sequence
    }
  }

  /// The archive has an emergency as it was.
  func recorded(_ id: EmergencyID, changed: Microseconds) {
    pending.change { $0.recorded[id] = changed }
  }

  /// An emergency need not be kept any longer.
  func retire(_ id: EmergencyID) {
    pending.change { _ = $0.retired.insert(id) }
  }

  /// Takes emergencies out of the file now, and with them everything that counts no more: of a person there may be lines
  /// left of emergencies that were over long ago.
  func forget(_ ids: Set<EmergencyID>, sequence: Int) {
    pending.change { pending in
      pending.forgotten = (pending.forgotten ?? []).union(ids)
      pending.sequence = sequence
    }
  }

  /// Writes what waits; then the thread ends.
  func close() {
    pending.change { $0.isClosed = true }
  }

  // MARK: - The thread

  /// Starts the thread that writes.
  ///
  /// - Parameter onSafe: is called with the number of the newest entry that is safe.
  func start(
    _ book: JournalBook, logger: Logger, onSafe: @escaping @Sendable (Int) -> Void
  ) -> DedicatedThread {
    let holder = Holder(book)
    return DedicatedThread("sos-journal") { [pending] in
      let book = holder.book
      var isFailing = false
      while true {
        let group = pending.wait { pending -> Pending? in
          if pending.isEmpty { return pending.isClosed ? pending : nil }
          defer {
            pending.emergencies = [:]
            pending.order = []
            pending.recorded = [:]
            pending.retired = []
            pending.forgotten = nil
          }
          return pending
        }
        guard let group, !group.isEmpty else { return }
        book.take(
          group.order.compactMap { group.emergencies[$0] }, recorded: group.recorded, retired: group.retired,
          forgotten: group.forgotten)
        while true {
          do throws(JournalError) {
            try book.write()
            if isFailing { logger.notice("the journal of emergencies is written again") }
            isFailing = false
            break
          } catch {
            if !isFailing {
              logger.critical("the journal of emergencies can't be written", metadata: ["error": "\(error)"])
            }
            isFailing = true
            // Entries that came meanwhile wait for the next attempt; a server that ends does not.
            let isClosed = pending.wait(until: .now + .seconds(1)) { $0.isClosed ? true : nil } ?? false
            if isClosed { return }
          }
        }
        onSafe(group.sequence)
      }
    }
  }

  /// Carries a book over to its thread.
  // @unchecked: whoever opened the book gives it to the thread and keeps nothing.
  private final class Holder: @unchecked Sendable {
    let book: JournalBook
    init(_ book: JournalBook) { self.book = book }
  }
}
