import CThreads
import Glibc

/// A thread of our own, for work that blocks or computes long: it must not occupy Swift's cooperative threads or an
/// event loop.
package struct DedicatedThread: Sendable {
  /// How much of the processors a thread gets where there is more work than they do.
  package enum Priority: Sendable {
    case normal
    /// For work that takes long and may wait: about a tenth of what a normal thread gets, so that a server that has too
    /// much to do still takes readings and calls for help.
    case low

    /// What is added to the niceness (sched(7)): 10 is a weight of 110 against 1,024.
    fileprivate var niceness: Int32 { self == .low ? 10 : 0 }

    /// Gives another process of this machine the priority, if this one may: it may not give more than it has.
    package func give(to process: Int32) {
      _ = setpriority(Int32(bitPattern: PRIO_PROCESS.rawValue), id_t(process), niceness)
    }
  }

  private final class Start {
    let name: String
    let priority: Priority
    let body: @Sendable () -> Void
    init(_ name: String, _ priority: Priority, _ body: @escaping @Sendable () -> Void) {
      self.name = name
      self.priority = priority
      self.body = body
    }
  }

  private let thread: pthread_t

  /// Starts a thread that is joined once.
  ///
  /// - Parameter name: shown by `ps -L` and debuggers; at most 15 bytes.
  package init(_ name: String, priority: Priority = .normal, _ body: @escaping @Sendable () -> Void) {
    thread = Self.start(Start(name, priority, body), nil)
  }

  /// Starts a thread that nobody joins.
  ///
  /// - Parameter name: as above.
  package static func detached(
    _ name: String, priority: Priority = .normal, _ body: @escaping @Sendable () -> Void
  ) {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    _ = start(Start(name, priority, body), &attributes)
    pthread_attr_destroy(&attributes)
  }

  private static func start(_ start: Start, _ attributes: UnsafePointer<pthread_attr_t>?) -> pthread_t {
    var thread = pthread_t()
    // Unmanaged: the C entry point takes one pointer; the new thread takes the reference over, once.
    let context = Unmanaged.passRetained(start).toOpaque()
    let status = pthread_create(
      &thread, attributes,
      { context in
        // Unmanaged: the reference that was passed, which goes when this returns.
        let start = Unmanaged<Start>.fromOpaque(context!).takeRetainedValue()
        pthread_setname_np(pthread_self(), start.name)
        // On Linux niceness belongs to the thread (setpriority(2), "C library/kernel differences").
        if start.priority != .normal { _ = nice(start.priority.niceness) }
        start.body()
        return nil
      }, context)
    // Without threads the process cannot do its work at all.
    precondition(status == 0, "pthread_create failed with error \(status)")
    return thread
  }

  /// Waits for the thread's body to return; once, and not from the thread itself.
  package func join() { pthread_join(thread, nil) }
}
