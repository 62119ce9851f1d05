import Glibc
import Postgres
import TestSupport

/// A connection to a fresh database of the process's shared cluster.
func freshConnection(_ name: String = #function) throws -> Connection {
  try Connection(try TemporaryCluster.shared().freshDatabase(name))
}

/// Polls a condition; the time limit, which grows with the patience of tests, only bounds a failing one.
func eventually(within limit: Duration = .seconds(10), _ condition: () throws -> Bool) rethrows -> Bool {
  let began = ContinuousClock.now
  while case let waited = began.duration(to: .now), waited < limit * patience {
    if try condition() { return true }
    usleep(UInt32(pause(after: waited) / .microseconds(1)))
  }
  return try condition()
}

/// As above, without holding a thread that the other side may need.
func eventually(within limit: Duration = .seconds(20), _ condition: () throws -> Bool) async throws -> Bool {
  let began = ContinuousClock.now
  while case let waited = began.duration(to: .now), waited < limit * patience {
    if try condition() { return true }
    try await Task.sleep(for: pause(after: waited))
  }
  return try condition()
}

/// The error a call throws, as a `PostgresError`.
func postgresError(_ body: () throws -> Void) -> PostgresError? {
  do {
    try body()
    return nil
  } catch {
    return error as? PostgresError
  }
}
