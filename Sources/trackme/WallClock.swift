import Domain
import Glibc

/// The time of day: microseconds since the Unix epoch.
@Sendable func wallClock() -> Microseconds {
  var now = timespec()
  clock_gettime(CLOCK_REALTIME, &now)
  return Microseconds(now.tv_sec) * 1_000_000 + Microseconds(now.tv_nsec) / 1_000
}
