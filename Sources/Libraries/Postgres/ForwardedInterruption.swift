import Glibc

/// Where a signal comes that would end this process, first ends a program that works for it, so that it is not left
/// behind; then does what the signal does.
///
/// For a time in which nobody else handles these signals: a server that is just starting. One at a time.
struct ForwardedInterruption {
  private static let signals = [SIGINT, SIGTERM, SIGHUP]
  private let before: [sigaction]

  /// From now on these signals are noted, and end nothing. Those that are ignored stay so.
  init() {
    interruptedBy = 0
    programToEnd = 0
    var action = sigaction()
    action.__sigaction_handler.sa_handler = { number in
      interruptedBy = number
      if programToEnd > 0 { kill(programToEnd, SIGTERM) }
    }
    before = Self.signals.map { number in
      var old = sigaction()
      sigaction(number, &action, &old)
      // nohup, for one. unsafeBitCast: C has SIG_IGN as the number 1 in place of a function.
      let isIgnored = unsafeBitCast(old.__sigaction_handler.sa_handler, to: Int.self) == 1
      if isIgnored { sigaction(number, &old, nil) }
      return old
    }
  }

  /// The program that gets SIGTERM for each of them, also for one that came before it was there. Not the signal itself:
  /// initdb runs parts of its work with system(), which ignores SIGINT meanwhile.
  func forward(to program: pid_t) {
    programToEnd = program
    if interruptedBy != 0 { kill(program, SIGTERM) }
  }

  /// The program has ended. Everything is as before, and a signal that came does what it does then, which normally ends
  /// this process.
  func end() {
    programToEnd = 0
    for (number, var old) in zip(Self.signals, before) { sigaction(number, &old, nil) }
    let number = interruptedBy
    interruptedBy = 0
    guard number != 0 else { return }
    // Threads of Swift's pool block signals.
    var old = sigset_t()
    var these = sigset_t()
    sigemptyset(&these)
    sigaddset(&these, number)
    pthread_sigmask(SIG_UNBLOCK, &these, &old)
    raise(number)
    pthread_sigmask(SIG_SETMASK, &old, nil)
  }
}

// nonisolated(unsafe): what a signal handler may touch is plain memory, under no lock. Each is a word that is written
// as a whole, and there is one `ForwardedInterruption` at a time.
nonisolated(unsafe) private var interruptedBy: Int32 = 0
nonisolated(unsafe) private var programToEnd: pid_t = 0
