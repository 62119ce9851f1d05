import CGRPC
import CGRPCSupport
import DequeModule
import Glibc
import Synchronization
import Threads

/// One thread that waits for gRPC and runs the tasks which prefer it.
///
/// A task with this loop as its executor preference runs on the loop's thread between two completions, so a
/// completion that resumes a task costs no change of thread. Nothing on a loop may block: what would take more than
/// about 100 µs of CPU belongs elsewhere.
// @unchecked: `ready`, `turning`, `due`, `silentCalls` and `deadlines` are touched by the loop's own thread only, `thread`
// by who makes the loop; the rest is locked.
public final class EventLoop: TaskExecutor, @unchecked Sendable {
  /// Jobs run between two looks at the completion queue: enough to amortise the look, few enough that one task that
  /// keeps making jobs does not starve the network.
  private static let jobsInARow = 256

  let queue: OpaquePointer
  private let kickChannel: OpaquePointer
  private let kickCall: OpaquePointer
  private let kickTag: UnsafeMutablePointer<tmrpc_tag>
  private let inbox = Mutex(Inbox())
  // Threads between deciding to kick and having kicked: the kick call must outlive them.
  private let kickers = Atomic<Int>(0)
  // Jobs made on this thread, run in order. Behind a pointer, which spares every job two exclusivity checks.
  private let ready: UnsafeMutablePointer<Deque<UnownedJob>>
  // Tasks that let others go first. Behind a pointer for the same reason.
  private let turning: UnsafeMutablePointer<Deque<UnsafeContinuation<Void, Never>>>
  // Calls within the process that have something to do here. Behind a pointer for the same reason.
  private let due: UnsafeMutablePointer<Deque<LocalWire>>
  /// Server calls that wait for their first messages. Touched by the loop's own thread only.
  var silentCalls = SilentCalls()
  /// When calls within the process have to end. Touched by the loop's own thread only.
  var deadlines = Deadlines()
  private let liveCallCount = Atomic<Int>(0)
  private let liveBatchCount = Atomic<Int>(0)
  private var thread: DedicatedThread?

  /// What comes from other threads, and whether the loop has been woken for it.
  private struct Inbox {
    var jobs: [UnownedJob] = []
    var wires: [LocalWire] = []
    var isKicked = false
    var isClosing = false
  }

  /// The loop's number within its group, from 0.
  public let index: Int

  private let name: String

  private let priority: DedicatedThread.Priority

  init(index: Int, name: String, priority: DedicatedThread.Priority) {
    GRPCLibrary.start()
    self.index = index
    self.name = name
    self.priority = priority
    queue = grpc_completion_queue_create_for_next(nil)
    kickChannel = grpc_lame_client_channel_create("loop", GRPC_STATUS_UNAVAILABLE, "wakes the loop")
    kickCall = grpc_channel_create_call(
      kickChannel, nil, 0, queue, grpc_slice_from_static_string("/loop/kick"), nil,
      gpr_inf_future(GPR_CLOCK_MONOTONIC), nil)
    ready = .allocate(capacity: 1)
    ready.initialize(to: Deque(minimumCapacity: 64))
    turning = .allocate(capacity: 1)
    turning.initialize(to: Deque())
    due = .allocate(capacity: 1)
    due.initialize(to: Deque())
    kickTag = .allocate(capacity: 1)
    kickTag.initialize(to: tmrpc_tag(owner: nil, kind: UInt32(TMRPC_KICK)))
  }

  deinit {
    kickTag.deallocate()
    ready.deinitialize(count: 1)
    ready.deallocate()
    turning.deinitialize(count: 1)
    turning.deallocate()
    due.deinitialize(count: 1)
    due.deallocate()
  }

  /// Starts the thread, which keeps the loop alive until it ends.
  func start() {
    thread = DedicatedThread("\(name)-\(index)", priority: priority) { [self] in run() }
  }

  /// Whether the calling thread is the loop's own.
  // Unmanaged: an address to compare with, nothing else.
  public var isCurrent: Bool { tmrpc_current_loop() == Unmanaged.passUnretained(self).toOpaque() }

  /// The loop that runs the calling thread, or nil.
  static var current: EventLoop? {
    // Unmanaged: the thread's body holds the loop, and takes the pointer away before it ends.
    tmrpc_current_loop().map { Unmanaged<EventLoop>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Calls bound to the loop that have not ended.
  var liveCalls: Int { liveCallCount.load(ordering: .relaxed) }
  /// Operations of those calls that have not come back.
  var liveBatches: Int { liveBatchCount.load(ordering: .relaxed) }

  func batchStarted() { liveBatchCount.add(1, ordering: .relaxed) }
  func batchEnded() { liveBatchCount.subtract(1, ordering: .relaxed) }

  // MARK: Jobs

  /// Runs `job` on the loop's thread. Safe from any thread; after the loop has ended the job runs on the concurrent
  /// pool.
  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    if isCurrent {
      ready.pointee.append(job)
      return
    }
    var isClosed = false
    let kicks = inbox.withLock { inbox in
      if inbox.isClosing {
        isClosed = true
        return false
      }
      inbox.jobs.append(job)
      return claimKick(&inbox)
    }
    if isClosed { return globalConcurrentExecutor.enqueue(job) }
    if kicks { kick() }
  }

  /// Gives a call within the process its turn. Safe from any thread as long as the call has not ended, which keeps the
  /// loop going.
  func post(_ wire: LocalWire) {
    if isCurrent {
      due.pointee.append(wire)
      return
    }
    let kicks = inbox.withLock { inbox in
      inbox.wires.append(wire)
      return claimKick(&inbox)
    }
    if kicks { kick() }
  }

  private func claimKick(_ inbox: inout Inbox) -> Bool {
    if inbox.isKicked { return false }
    inbox.isKicked = true
    kickers.add(1, ordering: .relaxed)
    return true
  }

  /// An empty batch completes at once, and wakes the thread out of its wait.
  private func kick() {
    let error = grpc_call_start_batch(kickCall, nil, 0, kickTag, nil)
    precondition(error == GRPC_CALL_OK, "an event loop could not be woken")
    kickers.subtract(1, ordering: .releasing)
  }

  /// Lets the loop look at the network and at other tasks before the calling task goes on: for work that is done in
  /// pieces of at most about 100 µs. One such task goes on after each look. Off a loop it only yields.
  public static func turn() async {
    guard let current else { return await Task.yield() }
    await withUnsafeContinuation { current.turning.pointee.append($0) }
  }

  // MARK: Life of calls

  /// Counts a call that starts on this loop; false when the loop no longer takes calls.
  func callStarted() -> Bool {
    inbox.withLock { inbox in
      if inbox.isClosing { return false }
      liveCallCount.add(1, ordering: .relaxed)
      return true
    }
  }

  /// A call has ended. Loop thread only: a loop that is closing looks at the count after each completion.
  func callEnded() { liveCallCount.subtract(1, ordering: .releasing) }

  // MARK: The thread

  private func run() {
    // Unmanaged: valid as long as this runs, because the thread's body holds the loop; `close` takes it away.
    tmrpc_set_current_loop(Unmanaged.passUnretained(self).toOpaque())
    let forever = gpr_inf_future(GPR_CLOCK_MONOTONIC)
    let now = gpr_inf_past(GPR_CLOCK_MONOTONIC)
    var isClosing = false
    while !isClosing || liveCallCount.load(ordering: .acquiring) > 0 {
      var whenIdle = silentCalls.isEmpty ? forever : silentCalls.nextLook
      if let deadline = deadlines.next { whenIdle = gpr_time_min(whenIdle, deadline) }
      let event = grpc_completion_queue_next(queue, isIdle ? whenIdle : now, nil)
      tmrpc_gate_pass()
      if event.type == GRPC_OP_COMPLETE, complete(event) { isClosing = true }
      if !silentCalls.isEmpty { silentCalls.look() }
      if !deadlines.isEmpty { deadlines.look() }
      turning.pointee.popFirst()?.resume()
      runJobs()
    }
    close(now: now, forever: forever)
  }

  private var isIdle: Bool { ready.pointee.isEmpty && turning.pointee.isEmpty && due.pointee.isEmpty }

  private func runJobs() {
    let executor = asUnownedTaskExecutor()
    var budget = Self.jobsInARow
    while budget > 0 {
      // In turns, so that neither keeps the other waiting.
      let wire = due.pointee.popFirst()
      wire?.turn()
      let job = ready.pointee.popFirst()
      job?.runSynchronously(on: executor)
      if wire == nil, job == nil { break }
      budget -= 1
    }
  }

  /// Takes the inbox; true when the loop is asked to end.
  private func kicked() -> Bool {
    let (jobs, wires, isClosing) = inbox.withLock { inbox in
      defer {
        inbox.jobs.removeAll(keepingCapacity: true)
        inbox.wires.removeAll(keepingCapacity: true)
      }
      inbox.isKicked = false
      return (inbox.jobs, inbox.wires, inbox.isClosing)
    }
    ready.pointee.append(contentsOf: jobs)
    due.pointee.append(contentsOf: wires)
    return isClosing
  }

  /// Hands a completion to its owner; true when the loop is asked to end.
  private func complete(_ event: grpc_event) -> Bool {
    let tag = event.tag.assumingMemoryBound(to: tmrpc_tag.self).pointee
    let success = event.success != 0
    switch Int(tag.kind) {
    case TMRPC_SERVER_RECEIVE: owner(tag, ServerCall.self).grpcReceiveCompleted(success)
    case TMRPC_SERVER_SEND: owner(tag, ServerCall.self).grpcSendCompleted(success)
    case TMRPC_SERVER_END: owner(tag, ServerCall.self).endCompleted()
    case TMRPC_CLIENT_RECEIVE: owner(tag, ClientCallCore.self).receiveCompleted(success)
    case TMRPC_CLIENT_SEND: owner(tag, ClientCallCore.self).sendCompleted(success)
    case TMRPC_CLIENT_END: owner(tag, ClientCallCore.self).endCompleted()
    case TMRPC_CLIENT_HEAD: owner(tag, ClientCallCore.self).headCompleted(success)
    case TMRPC_REQUEST: owner(tag, CallRequest.self).completed(success)
    case TMRPC_SHUTDOWN: owner(tag, Server.self).shutdownCompleted()
    case TMRPC_CONNECTIVITY: owner(tag, ConnectivityWatch.self).completed(success)
    default: return kicked()
    }
    return false
  }

  // Unmanaged: an owner is kept alive until the last of its tags is back, by itself or, as a client's call, by its
  // channel; this reference covers the call into it, in which it may be let go.
  @inline(__always)
  private func owner<Owner: AnyObject>(_ tag: tmrpc_tag, _: Owner.Type) -> Owner {
    Unmanaged<Owner>.fromOpaque(tag.owner).takeUnretainedValue()
  }

  // MARK: End

  /// Asks the loop to end once its calls have ended. Safe from any thread, and more than once.
  func beginClose() {
    let kicks = inbox.withLock { inbox in
      if inbox.isClosing { return false }
      inbox.isClosing = true
      return claimKick(&inbox)
    }
    if kicks { kick() }
  }

  /// Waits for the thread to end. Never from the loop's own thread.
  func join() {
    precondition(!isCurrent, "an event loop cannot wait for itself")
    thread?.join()
  }

  /// In this order: no thread inside the kick call, no call, no queue. A start after the queue's shutdown would abort
  /// the process; `isClosing` and `callStarted()` keep every start out.
  private func close(now: gpr_timespec, forever: gpr_timespec) {
    while kickers.load(ordering: .acquiring) > 0 { sched_yield() }
    grpc_call_unref(kickCall)
    grpc_channel_destroy(kickChannel)
    grpc_completion_queue_shutdown(queue)
    while true {
      turning.pointee.popFirst()?.resume()
      runJobs()
      let event = grpc_completion_queue_next(queue, isIdle ? forever : now, nil)
      if event.type == GRPC_QUEUE_SHUTDOWN, isIdle { break }
      if event.type == GRPC_OP_COMPLETE { _ = complete(event) }
    }
    tmrpc_set_current_loop(nil)
    grpc_completion_queue_destroy(queue)
  }
}
