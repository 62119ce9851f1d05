package import ExpenditureRules
package import Log
internal import Postgres
internal import Synchronization

/// Editions of published releases, in memory as long as they are asked for.
package final class EditionStore: Sendable {
  /// The most that are kept: the one that nobody has asked for the longest goes.
  static let editionsMax = 4
  /// A newly published release is seen after at most this; at once by whoever asks for its number.
  static let newestAge: Duration = .seconds(1)

  private struct State {
    /// Numbers of the published releases. One that is published stays so.
    var published: (numbers: Set<Int>, readAt: ContinuousClock.Instant)?
    var loads: [Int: (load: Task<Edition, any Error>, uses: Int)] = [:]
    var uses = 0
  }

  private let pool: Pool
  private let state = Mutex(State())

  init(pool: Pool) { self.pool = pool }

  /// Callers that ask for the same one wait for the same loading of it.
  /// - Parameter release: 0: the newest published one.
  /// - Returns: nil where no such release is published.
  /// - Throws: `PostgresError`, `EditionBuilder.Fault`.
  package func edition(_ release: Int64) async throws -> Edition? {
    guard let release = try await number(release) else { return nil }
    let load = state.withLock { state in
      state.uses += 1
      let load = state.loads[release]?.load ?? begin(release)
      state.loads[release] = (load, state.uses)
      while state.loads.count > Self.editionsMax, let oldest = state.loads.min(by: { $0.value.uses < $1.value.uses }) {
        state.loads[oldest.key] = nil
      }
      return load
    }
    do {
      return try await load.value
    } catch {
      // What could not be read is asked for again.
      state.withLock { if $0.loads[release]?.load == load { $0.loads[release] = nil } }
      throw error
    }
  }

  /// It ends by itself: whoever gives up waiting must not take it from the others.
  private func begin(_ release: Int) -> Task<Edition, any Error> {
    Task.detached { [pool] in
      try await pool.withConnection(deadline: .seconds(30)) { connection in
        try EditionReader.edition(release, connection)
      }
    }
  }

  /// The number of the published release that is asked for. Made-up numbers end here: nothing is loaded for them, so that
  /// they push no edition out.
  private func number(_ asked: Int64) async throws -> Int? {
    guard let asked = Int(exactly: asked), asked >= 0 else { return nil }
    let known = state.withLock { $0.published }
    if asked != 0, known?.numbers.contains(asked) == true { return asked }
    if asked == 0, let known, known.readAt.duration(to: .now) < Self.newestAge { return known.numbers.max() }
    let readAt = ContinuousClock.now
    let numbers = try await pool.withConnection { connection in
      let rows = try connection.query("SELECT number FROM expenditure_release WHERE published_at IS NOT NULL")
      return Set(try (0..<rows.rowCount).map { Int(try rows.int32($0, 0)) })
    }
    state.withLock { if !numbers.isEmpty { $0.published = (numbers, readAt) } }
    return asked == 0 ? numbers.max() : numbers.contains(asked) ? asked : nil
  }
}

extension StorageSystem {
  /// What published releases say of Italy and its regions.
  package var editions: EditionStore { store { EditionStore(pool: $0.pool) } }
}
