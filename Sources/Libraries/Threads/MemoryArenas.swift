internal import CThreads
internal import Glibc

/// The parts that glibc divides memory into, so that threads do not wait for each other.
package enum MemoryArenas {
  /// Has one for each processor, and two at least, instead of eight for each: what one has been given back is of no use to
  /// the others, and so an attack that comes in waves took 1,080 MiB where this takes 675. To be called before threads
  /// start.
  package static func limit() {
    _ = mallopt(M_ARENA_MAX, max(2, Int32(clamping: sysconf(Int32(_SC_NPROCESSORS_ONLN)))))
  }

  /// Looks every ten seconds, from now on, whether there is much to give back to the system, and does it. glibc itself
  /// gives back what lies at an arena's end, and so keeps what an attack took below one block that has stayed.
  package static func giveBackRegularly() {
    DedicatedThread.detached("memory", priority: .low) {
      var last = MemoryLook.now
      while true {
        sleep(UInt32(lookInterval.components.seconds))
        var look = MemoryLook.now
        if look.isWorthGivingBack(after: last) {
          giveBack()
          last = .now
        } else {
          look.lower(to: last)
          last = look
        }
      }
    }
  }

  /// Gives back what is free, in whole pages.
  package static func giveBack() { malloc_trim(0) }

  private static let lookInterval: Duration = .seconds(10)
}

/// The memory of this process at a moment.
struct MemoryLook {
  private static let worthwhileBytes = 32 << 20

  /// In glibc's books, what was given back included.
  var freeBytes: Int
  var residentBytes: Int

  static var now: MemoryLook { MemoryLook(freeBytes: mallinfo2().fordblks, residentBytes: resident()) }

  /// Whether much has become free since, or may have: an attack that ends between two looks uses what was given back, and
  /// leaves as much free as it found. Then only what is resident has grown.
  func isWorthGivingBack(after last: MemoryLook) -> Bool {
    freeBytes > last.freeBytes + Self.worthwhileBytes || residentBytes > last.residentBytes + Self.worthwhileBytes
  }

  /// What counts is what has come to the least that there was.
  mutating func lower(to other: MemoryLook) {
    freeBytes = min(freeBytes, other.freeBytes)
    residentBytes = min(residentBytes, other.residentBytes)
  }

  /// 0 if the system does not tell.
  private static func resident() -> Int {
    let file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return 0 }
    defer { close(file) }
    var text = [UInt8](repeating: 0, count: 128)
    let count = read(file, &text, text.count)
    let pages = text.prefix(max(0, count)).split(separator: UInt8(ascii: " ")).dropFirst().first
    return pages.flatMap { Int(String(decoding: $0, as: UTF8.self)) }.map { $0 * sysconf(Int32(_SC_PAGESIZE)) } ?? 0
  }
}
