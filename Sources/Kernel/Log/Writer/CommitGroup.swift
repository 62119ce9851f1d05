internal import Domain

/// The batches that go into one row of the log, or one entry that has a row of its own.
struct OpenRow {
  /// The most readings of a row, unless a single batch holds more: a row is delivered in one frame.
  static let maxReadings = 16_384
  /// The same for the bytes of its readings, about.
  static let maxBytes = 512 << 10

  /// The batches of one session in this row.
  struct Share {
    let session: IngestSession
    var batches: Int
    var lastSequence: UInt64
    /// Those for whom the session had queued nothing before.
    var newPersons: ClientPersons
  }

  var columns = ReadingColumns()
  /// An entry; then there are no batches.
  var entry: PendingEntry?
  var shares: [Share] = []
  var bytes = 0
}

/// What waits for the next commit: rows of the log in the order in which their batches came.
struct CommitGroup {
  /// A name for the group that survives a lost connection: by it the writer finds out whether the commit happened.
  var id: Int64 = .random(in: .min ... .max)
  var rows: [OpenRow] = []
  var readings = 0
  var batches = 0
  var bytes = 0
  var entries = 0
  var isEmpty: Bool { rows.isEmpty }

  /// Whether a batch may join. An empty group takes any batch.
  func hasRoom(readings count: Int, bytes size: Int, _ limits: LogWriter.Limits) -> Bool {
    isEmpty || (readings + count <= limits.readings && bytes + size <= limits.bytes && batches < limits.batches)
  }

  /// Whether the row being filled takes another batch.
  private func isRoom(for count: Int, bytes size: Int) -> Bool {
    guard let last = rows.last, last.entry == nil else { return false }
    return last.columns.count + count <= OpenRow.maxReadings && last.bytes + size <= OpenRow.maxBytes
  }

  /// Adds a batch at the end; the caller has checked that there is room.
  mutating func append(
    _ columns: borrowing ReadingColumns, for persons: ClientPersons, bytes size: Int, sequence: UInt64,
    of session: IngestSession
  ) {
    let newPersons = session.persons.formUnion(persons)
    let count = columns.count
    if !isRoom(for: count, bytes: size) { rows.append(OpenRow()) }
    let row = rows.count - 1
    rows[row].columns.append(contentsOf: copy columns)
    rows[row].bytes += size
    readings += count
    batches += 1
    bytes += size
    // A session remembers its share of the row being filled, so that a row with many sessions needs no search.
    if session.shareGroup == id, session.shareRow == row {
      rows[row].shares[session.shareIndex].batches += 1
      rows[row].shares[session.shareIndex].lastSequence = sequence
      rows[row].shares[session.shareIndex].newPersons.formUnion(newPersons)
    } else {
      session.shareGroup = id
      session.shareRow = row
      session.shareIndex = rows[row].shares.count
      rows[row].shares.append(.init(session: session, batches: 1, lastSequence: sequence, newPersons: newPersons))
    }
  }

  /// Adds an entry at the end.
  mutating func append(_ entry: PendingEntry) {
    var row = OpenRow()
    row.entry = entry
    rows.append(row)
    entries += 1
  }
}
