internal import Glibc

/// The processor time that this process has used. It is steadier than the time on the clock where other programs are at
/// work, or where a thread gives way to them.
public func processorTime() -> Duration {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}
