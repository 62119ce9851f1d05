public import Domain
internal import Glibc

/// Microseconds since the Unix epoch, by the system's clock.
@Sendable public func wallClock() -> Microseconds {
  var now = timespec()
  clock_gettime(CLOCK_REALTIME, &now)
  return Microseconds(now.tv_sec) * 1_000_000 + Microseconds(now.tv_nsec) / 1_000
}
