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
}
