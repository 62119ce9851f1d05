internal import Glibc
internal import Synchronization

/// Says on standard error what a long command is at: a line when each step begins, and one every few seconds while it lasts.
/// Results go to standard output, so who reads those is not disturbed.
public final class StepLines: Sendable {
  private struct State {
    var step = ""
    var began = ContinuousClock.now
    var ticker: Task<Void, Never>?
  }

  private let state = Mutex(State())
  private let pause: Duration
  private let write: @Sendable (String) -> Void

  /// - Parameters:
  ///   - pause: between two lines about the same step.
  ///   - write: takes a line; standard error unless it is given.
  public init(
    every pause: Duration = .seconds(5), write: @escaping @Sendable (String) -> Void = StepLines.toStandardError
  ) {
    self.pause = pause
    self.write = write
  }

  /// A step begins; the one before is over.
  public func begin(_ step: String) {
    write(step)
    let ticker = Task { [self] in
      while (try? await Task.sleep(for: pause)) != nil { repeatStep() }
    }
    state.withLock { state in
      state.ticker?.cancel()
      (state.step, state.began, state.ticker) = (step, .now, ticker)
    }
  }

  /// The last step is over.
  public func end() {
    state.withLock { state in
      state.ticker?.cancel()
      (state.step, state.ticker) = ("", nil)
    }
  }

  private func repeatStep() {
    let line = state.withLock { state in
      state.step.isEmpty ? nil : "\(state.step) (\((ContinuousClock.now - state.began).components.seconds) s)"
    }
    if let line { write(line) }
  }

  /// Writes a line at once.
  public static func toStandardError(_ line: String) {
    let text = line + "\n"
    _ = Glibc.write(STDERR_FILENO, text, text.utf8.count)
  }
}
