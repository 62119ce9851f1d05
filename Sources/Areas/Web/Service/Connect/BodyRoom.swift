internal import Synchronization

/// The memory that bodies have together until they are messages of calls.
///
/// A body comes as slowly as its client likes, and a call whose caller nobody knows takes one as well. So all of them have
/// one room: where it is full, the longest one ends. Whoever signs in sends some hundred bytes, and is never the longest
/// while somebody fills the room.
final class BodyRoom: Sendable {
  /// What all bodies may take that have not come as a whole.
  static let bytesMax = 256 << 20

  private struct Entry {
    var bytes = 0
    let end: @Sendable () -> Void
  }

  private struct State {
    var entries: [UInt64: Entry] = [:]
    var bytes = 0
    var last: UInt64 = 0
  }

  private let bytesMax: Int
  private let state = Mutex(State())

  init(bytesMax: Int = BodyRoom.bytesMax) { self.bytesMax = bytesMax }

  /// What bodies take now.
  var bytes: Int { state.withLock(\.bytes) }

  /// Lets a body in, for the length of `body`.
  /// - Parameters:
  ///   - end: called, on any task, if its place goes to others.
  ///   - body: is given what says how many bytes it takes now.
  nonisolated(nonsending) func with<Value>(
    end: @escaping @Sendable () -> Void,
    _ body: nonisolated(nonsending) (@escaping @Sendable (_ bytes: Int) -> Void) async throws -> Value
  ) async rethrows -> Value {
    let number = state.withLock { state in
      state.last += 1
      state.entries[state.last] = Entry(end: end)
      return state.last
    }
    defer { state.withLock { $0.bytes -= $0.entries.removeValue(forKey: number)?.bytes ?? 0 } }
    return try await body { bytes in self.grow(number, to: bytes) }
  }

  private func grow(_ number: UInt64, to bytes: Int) {
    let ends = state.withLock { state -> [@Sendable () -> Void] in
      guard let before = state.entries[number]?.bytes else { return [] }
      state.entries[number]?.bytes = bytes
      state.bytes += bytes - before
      var ends: [@Sendable () -> Void] = []
      while state.bytes > bytesMax, let longest = state.entries.max(by: { $0.value.bytes < $1.value.bytes }) {
        state.entries[longest.key] = nil
        state.bytes -= longest.value.bytes
        ends.append(longest.value.end)
      }
      return ends
    }
    for end in ends { end() }
  }
}
