package import Metering
internal import Postgres

extension StorageSystem {
  /// What is looked at of the log and of the connections to its database: all of it in memory.
  package var measures: [Measure] {
    let (writer, tail, pools) = (writer, tail, pools)
    func queue(_ name: String, of pool: Pool) -> Measure {
      .queue(name, limit: pool.waitingMax) { pool.waitingCount }
    }
    return [
      .waiting(for: writer),
      .queue("commit_readings", limit: writer.limits.readings) { writer.waiting.readings },
      .queue("commit_batches", limit: writer.limits.batches) { writer.waiting.batches },
      queue("pool_urgent", of: pools.urgent), queue("pool_general", of: pools.general),
      queue("pool_heavy", of: pools.heavy), queue("pool_brief", of: pools.brief),
      queue("pool_upkeep", of: pools.upkeep),
      questions.measure("questions"), briefQuestions.measure("brief_questions"),
      .follower("compaction", of: tail) { tail.compactedHead },
      Measure(.compactionBacklog) { Double(tail.lag(after: tail.compactedHead).positions) },
    ]
  }
}

extension FairTurns {
  /// Who waits for a turn.
  /// - Parameter name: a constant.
  package func measure(_ name: String) -> Measure {
    .queue(name, limit: waitingMax == .max ? nil : waitingMax) { self.waitingCount }
  }
}

extension LogWriter {
  /// What waits for a commit beside what is being committed, and for how long the log has made no progress.
  struct Waiting {
    let readings: Int
    let batches: Int
    let bytes: Int
    let time: Duration
  }

  var waiting: Waiting {
    monitor.withLock { state in
      let since = state.committingSince ?? state.openSince
      return Waiting(
        readings: state.open.readings, batches: state.open.batches, bytes: state.open.bytes,
        time: since.map { .now - $0 } ?? .zero)
    }
  }
}

extension Measure {
  fileprivate static func waiting(for writer: LogWriter) -> Measure {
    Measure([.waitingBytes, .waitingBytesLimit, .commitAge]) {
      let waiting = writer.waiting
      return [
        MetricSample(.waitingBytes, [], Double(waiting.bytes)),
        MetricSample(.waitingBytesLimit, [], Double(writer.limits.bytes)),
        MetricSample(.commitAge, [], waiting.time.seconds),
      ]
    }
  }
}

extension MetricFamily {
  fileprivate static let waitingBytes = MetricFamily(
    .gauge, "trackme_commit_waiting_bytes", "Bytes of readings that wait for the next commit, about.")
  fileprivate static let waitingBytesLimit = MetricFamily(
    .gauge, "trackme_commit_waiting_bytes_limit", "How many may wait; then clients wait.")
  fileprivate static let commitAge = MetricFamily(
    .gauge, "trackme_commit_age_seconds", "How long the commit that goes on, or what waits for one, has taken so far.")
  fileprivate static let compactionBacklog = MetricFamily(
    .gauge, "trackme_compaction_backlog_rows", "Rows of the log that are not in chunks yet.")
}
