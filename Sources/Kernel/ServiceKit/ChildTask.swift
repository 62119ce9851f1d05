/// Runs the beginning of a stream in a task of its own, which is cancelled with the stream's.
///
/// A task keeps what it once took of memory until it ends. A stream is a task for hours, of which there are thousands: what
/// only its beginning needs goes with the child.
package nonisolated(nonsending) func inChildTask<Value: Sendable>(
  _ body: @escaping @Sendable () async throws -> Value
) async throws -> Value {
  try await withThrowingTaskGroup(of: Value.self) { group in
    group.addTask(operation: body)
    guard let value = try await group.next() else { preconditionFailure("a child ended without a value") }
    return value
  }
}
