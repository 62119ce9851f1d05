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

  /// Looks every ten seconds, from now on, whether much has become free, and gives that back to the system. glibc itself
  /// gives back what lies at an arena's end, and so keeps what an attack took below one block that has stayed.
  package static func giveBackRegularly() {
    DedicatedThread.detached("memory", priority: .low) {
      // What was given back stays free in glibc's books: what counts is what has come to it.
      var free = mallinfo2().fordblks
      while true {
        sleep(UInt32(lookInterval.components.seconds))
        let before = mallinfo2().fordblks
        if before > free + worthwhileBytes { giveBack() }
        free = before > free + worthwhileBytes ? mallinfo2().fordblks : min(free, before)
      }
    }
  }

  /// Gives back what is free, in whole pages.
  package static func giveBack() { malloc_trim(0) }

  private static let lookInterval: Duration = .seconds(10)
  private static let worthwhileBytes = 32 << 20
}
