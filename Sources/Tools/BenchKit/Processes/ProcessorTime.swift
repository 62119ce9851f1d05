internal import Console
package import Glibc

/// How much processor time processes have taken, in microseconds of user and system time together.
package enum ProcessorTime {
  /// A process with all its threads, those that have ended included. 0 if there is no such process.
  package static func of(_ process: pid_t) -> Double {
    var clock = clockid_t()
    var time = timespec()
    guard clock_getcpuclockid(process, &clock) == 0, clock_gettime(clock, &time) == 0 else { return 0 }
    return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) / 1e3
  }

  /// A process, all its living descendants, and those that ended and were waited for.
  package static func ofTree(_ root: pid_t) -> Double {
    let statistics = processNumbers().compactMap(ProcessStatistics.init(process:))
    var children: [pid_t: [ProcessStatistics]] = [:]
    for process in statistics { children[process.parent, default: []].append(process) }
    var open = statistics.filter { $0.process == root }
    var total = 0.0
    while let process = open.popLast() {
      total += of(process.process) + process.endedChildren
      open += children[process.process] ?? []
    }
    return total
  }

  private static func processNumbers() -> [pid_t] {
    guard let directory = opendir("/proc") else { return [] }
    defer { closedir(directory) }
    var numbers: [pid_t] = []
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if let number = pid_t(name) { numbers.append(number) }
    }
    return numbers
  }
}

/// What /proc tells about a process.
package struct ProcessStatistics {
  package let process: pid_t
  package let parent: pid_t
  /// Processor time of children that have ended, in microseconds.
  package let endedChildren: Double

  package init?(process: pid_t) {
    guard let text = readFile("/proc/\(process)/stat"), let name = text.lastIndex(of: ")") else { return nil }
    let fields = text[text.index(after: name)...].split(separator: " ")
    guard fields.count > 14, let parent = pid_t(fields[1]), let user = Double(fields[13]),
      let system = Double(fields[14])
    else { return nil }
    self.process = process
    self.parent = parent
    endedChildren = (user + system) * 1e6 / Double(sysconf(Int32(_SC_CLK_TCK)))
  }

  /// A line of /proc/PID/status in KiB, such as `VmHWM`, the most memory the process has had.
  package static func kibibytes(_ key: String, of process: pid_t) -> Double {
    let lines = (readFile("/proc/\(process)/status") ?? "").split(separator: "\n")
    let line = lines.first { $0.hasPrefix(key + ":") } ?? ""
    return line.split(whereSeparator: { " \t".contains($0) }).dropFirst().first.flatMap { Double($0) } ?? 0
  }
}
