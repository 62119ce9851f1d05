internal import Glibc

extension Measure {
  /// What the system knows of this process.
  package static let process = Measure([
    .processCPU, .processMemory, .processDescriptors, .processDescriptorLimit, .processStart,
  ]) {
    [
      (MetricFamily.processCPU, ProcessNumbers.cpuSeconds), (.processMemory, ProcessNumbers.residentBytes),
      (.processDescriptors, ProcessNumbers.openDescriptors), (.processDescriptorLimit, ProcessNumbers.descriptorLimit),
      (.processStart, ProcessNumbers.startTime),
    ].compactMap { family, number in number.map { MetricSample(family, [], $0) } }
  }
}

extension MetricFamily {
  fileprivate static let processCPU = MetricFamily(
    .counter, "trackme_process_cpu_seconds_total", "Processor time of the process, its threads together.")
  fileprivate static let processMemory = MetricFamily(
    .gauge, "trackme_process_resident_memory_bytes", "Memory of the process that is in RAM.")
  fileprivate static let processDescriptors = MetricFamily(
    .gauge, "trackme_process_open_fds", "File descriptors that are open.")
  fileprivate static let processDescriptorLimit = MetricFamily(
    .gauge, "trackme_process_max_fds", "File descriptors that may be open.")
  fileprivate static let processStart = MetricFamily(
    .gauge, "trackme_process_start_time_seconds", "When the process began, in seconds since the Unix epoch.")
}

/// Numbers of this process; nil where the system does not say. See proc(5) and getrusage(2).
private enum ProcessNumbers {
  static var cpuSeconds: Double? {
    var usage = rusage()
    guard getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage) == 0 else { return nil }
    func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1_000_000 }
    return seconds(usage.ru_utime) + seconds(usage.ru_stime)
  }

  static var residentBytes: Double? {
    let words = read("/proc/self/statm")?.split(separator: " ") ?? []
    guard words.count > 1, let pages = Double(words[1]) else { return nil }
    return pages * Double(sysconf(Int32(_SC_PAGESIZE)))
  }

  static var openDescriptors: Double? {
    guard let folder = opendir("/proc/self/fd") else { return nil }
    defer { closedir(folder) }
    // The folder itself, its parent, and the descriptor that reads it.
    var count = -3
    while Glibc.readdir(folder) != nil { count += 1 }
    return Double(count)
  }

  static var descriptorLimit: Double? {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return nil }
    return Double(limit.rlim_cur)
  }

  /// Does not change while the process lives.
  static let startTime: Double? = {
    // The second field is the program's name in brackets and may hold anything; of those behind it the twentieth counts.
    guard let fields = read("/proc/self/stat")?.split(separator: ")").last?.split(separator: " "), fields.count > 19,
      let ticks = Double(fields[19]),
      let boot = read("/proc/stat")?.split(separator: "\n").first(where: { $0.hasPrefix("btime ") })?.split(
        separator: " "
      ).last, let booted = Double(boot)
    else { return nil }
    return booted + ticks / Double(sysconf(Int32(_SC_CLK_TCK)))
  }()

  /// The beginning of a file of the system's.
  private static func read(_ path: String) -> String? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes: [UInt8] = []
    while bytes.count < 1 << 20 {
      let read = withUnsafeTemporaryAllocation(byteCount: 16_384, alignment: 1) { buffer in
        let count = Glibc.read(file, buffer.baseAddress, buffer.count)
        if count > 0 { bytes += buffer[..<count] }
        return count
      }
      if read <= 0 { break }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
