internal import Domain
internal import SosRules

/// The file of a journal and where in it the newest line of each emergency stands. Used from one thread.
final class JournalBook {
  private var file: JournalFile
  private var places: [EmergencyID: Range<Int>] = [:]
  private var recorded: [EmergencyID: Microseconds] = [:]
  private var last: Microseconds = 0
  /// Lines that have still to be written, by emergency, and in their order.
  private var lines: [(id: EmergencyID, line: [UInt8])] = []
  private var marks: [UInt8] = []
  /// What need not be kept once the disk has their last lines: an older line left alone would open them again.
  private var leaving: Set<EmergencyID> = []
  /// Whether the file has to be written anew: it holds what must be gone, or an attempt to add to it has failed.
  private var isStale = false

  /// Opens the journal of a directory and writes it anew without what counts no more.
  static func open(directory: String) throws(JournalError) -> (book: JournalBook, contents: Journal.Contents) {
    let book = JournalBook(file: try JournalFile(directory: directory))
    let contents = try book.load()
    book.isStale = true
    try book.write()
    return (book, contents)
  }

  init(file: consuming JournalFile) { self.file = file }

  /// Reads the file as far as it is whole; once, before anything is written.
  func load() throws(JournalError) -> Journal.Contents {
    let bytes = try file.bytes(0..<file.count)
    var contents = Journal.Contents()
    var emergencies: [EmergencyID: Emergency] = [:]
    var start = 0
    while start < bytes.count {
      let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
      // A line without its end may lack what follows in it, too.
      if end < bytes.count, let line = JournalLine(bytes[start..<end]) {
        if let emergency = line.emergency {
          emergencies[emergency.id] = emergency
          places[emergency.id] = start..<end + 1
        }
        if let mark = line.recorded { recorded[mark.id] = mark.changed }
        contents.last = max(contents.last, line.last ?? 0, line.emergency?.changed ?? 0)
      } else {
        contents.brokenLines += 1
      }
      start = end + 1
    }
    last = contents.last
    for (id, emergency) in emergencies where emergency.state.isFinal && (recorded[id] ?? .min) >= emergency.changed {
      places[id] = nil
    }
    contents.emergencies = emergencies.values.sorted { $0.detected < $1.detected }
    recorded = recorded.filter { emergencies[$0.key] != nil }
    contents.recorded = recorded
    return contents
  }

  /// Takes note of what is to be written.
  /// - Parameter forgotten: must not be found in the file any more, nor what counts no more; nil: nobody is forgotten.
  func take(
    _ emergencies: [Emergency], recorded: [EmergencyID: Microseconds], retired: Set<EmergencyID>,
    forgotten: Set<EmergencyID>? = nil
  ) {
    for emergency in emergencies where forgotten?.contains(emergency.id) != true {
      leaving.remove(emergency.id)
      // Values are finite: readings that are not are refused when they come.
      guard let line = try? JournalLine(emergency: emergency).encoded() else { continue }
      lines.append((emergency.id, line))
      last = max(last, emergency.changed)
    }
    let waiting = Set(lines.map(\.id))
    for (id, changed) in recorded where places[id] != nil || waiting.contains(id) {
      self.recorded[id] = changed
      marks += (try? JournalLine(recorded: .init(id: id, changed: changed)).encoded()) ?? []
    }
    leaving.formUnion(retired)
    if let forgotten {
      for id in forgotten { drop(id) }
      lines.removeAll { forgotten.contains($0.id) }
      isStale = true
    }
  }

  private func drop(_ id: EmergencyID) {
    places[id] = nil
    recorded[id] = nil
  }

  /// Writes what was taken note of; when it returns, the disk has it. After an error everything is still to be written.
  func write() throws(JournalError) {
    if !isStale, file.count > Journal.largeBytes, file.count > 2 * places.values.reduce(0, { $0 + $1.count }) {
      isStale = true
    }
    do throws(JournalError) {
      if isStale { try rewrite() } else { try append() }
    } catch {
      isStale = true
      throw error
    }
    for id in leaving { drop(id) }
    leaving = []
    lines = []
    marks = []
    isStale = false
  }

  private func append() throws(JournalError) {
    var bytes: [UInt8] = []
    var added: [(EmergencyID, Range<Int>)] = []
    for (id, line) in lines {
      let start = file.count + bytes.count
      added.append((id, start..<start + line.count))
      bytes += line
    }
    bytes += marks
    if bytes.isEmpty { return }
    try file.append(bytes)
    for (id, place) in added { places[id] = place }
  }

  private func rewrite() throws(JournalError) {
    var bytes = (try? JournalLine(last: last).encoded()) ?? []
    var next: [EmergencyID: Range<Int>] = [:]
    let left = leaving.union(lines.map(\.id))
    for (id, place) in places where !left.contains(id) {
      next[id] = bytes.count..<bytes.count + place.count
      bytes += try file.bytes(place)
    }
    for (id, line) in lines where !leaving.contains(id) {
      next[id] = bytes.count..<bytes.count + line.count
      bytes += line
    }
    recorded = recorded.filter { next[$0.key] != nil }
    for (id, changed) in recorded {
      bytes += (try? JournalLine(recorded: .init(id: id, changed: changed)).encoded()) ?? []
    }
    try file.replace(with: bytes)
    places = next
  }
}
