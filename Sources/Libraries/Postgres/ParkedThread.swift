import Glibc
import Threads

/// Starts child processes from a thread that never ends.
///
/// A child that asked for a signal at its parent's death gets it when the *thread* that started it ends, and threads of
/// Swift's pool come and go.
enum ParkedThread {
  private struct State {
    var request: ChildProcess.Request?
    var outcome: Swift.Result<pid_t, PostgresError>?
    var isBusy = false
  }

  private static let state = Monitored(State())
  private static let thread = DedicatedThread("pg-spawn") {
    while true {
      guard let request = state.wait({ state in state.request }) else { continue }
      let outcome: Swift.Result<pid_t, PostgresError>
      do throws(PostgresError) { outcome = .success(try ChildProcess.spawn(request)) } catch {
        outcome = .failure(error)
      }
      state.change(wakingAll: true) { state in
        state.request = nil
        state.outcome = outcome
      }
    }
  }

  static func spawn(_ request: ChildProcess.Request) throws(PostgresError) -> pid_t {
    _ = thread
    state.wait { state -> Void? in
      if state.isBusy { return nil }
      state.isBusy = true
      return ()
    }
    state.change(wakingAll: true) { $0.request = request }
    let outcome = state.wait { $0.outcome }
    state.change(wakingAll: true) { state in
      state.outcome = nil
      state.isBusy = false
    }
    guard let outcome else { throw PostgresError(.cluster, "the thread that starts processes gave no answer") }
    return try outcome.get()
  }
}
