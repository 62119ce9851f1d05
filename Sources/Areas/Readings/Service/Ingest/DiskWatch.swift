import Glibc
import Logging
import Synchronization

/// Watches the room on a disk: PostgreSQL that finds none stops as a whole, so readings are refused before.
final class DiskWatch: Sendable {
  /// What is kept free unless it is set: the log of changes of a few minutes at full load, and time to act.
  static let reserveMiB = 1_024

  private let directory: String
  private let reserveMiB: Int
  private let hadRoom = Mutex(true)
  private let logger: Logger

  /// - Parameters:
  ///   - directory: on the disk.
  ///   - reserveMiB: with less than this available the disk is nearly full, until a quarter more is.
  init(directory: String, reserveMiB: Int, logger: Logger) {
    self.directory = directory
    self.reserveMiB = reserveMiB
    self.logger = logger
  }

  /// Looks, and logs a change.
  /// - Returns: whether there is room, if that has changed.
  func look() -> Bool? {
    var status = statvfs()
    guard statvfs(directory, &status) == 0 else { return nil }
    let availableMiB = Int(clamping: (UInt64(status.f_bavail) * UInt64(status.f_frsize)) >> 20)
    let change = hadRoom.withLock { hadRoom -> Bool? in
      let hasRoom = availableMiB >= (hadRoom ? reserveMiB : reserveMiB + reserveMiB / 4)
      defer { hadRoom = hasRoom }
      return hasRoom == hadRoom ? nil : hasRoom
    }
    let figures: Logger.Metadata = ["available_mib": "\(availableMiB)", "reserve_mib": "\(reserveMiB)"]
    switch change {
    case false?: logger.error("the disk is nearly full: readings are checked and not kept", metadata: figures)
    case true?: logger.notice("the disk has room again", metadata: figures)
    case nil: break
    }
    return change
  }
}
