internal import Synchronization

/// A request and its answer, between libmicrohttpd's thread and the task of who answers.
///
/// While there is nothing for libmicrohttpd to do, the connection is suspended. It is suspended on libmicrohttpd's thread,
/// within a callback, and resumed by whoever has something for it: both with the lock held, so that each suspension is
/// ended once, and none begins when the server has ended all of them.
final class Exchange: HTTPBodySource {
  enum Phase {
    /// libmicrohttpd reads the fields.
    case head
    /// They are there; nobody has asked for the body, and the connection is suspended.
    case held
    /// libmicrohttpd reads the body.
    case receiving
    /// There is nothing more to come.
    case received
    /// libmicrohttpd has the answer.
    case answering
    case over
  }

  /// What takes too long at the deadline.
  enum Awaited {
    case head
    case body
    case answer
    case taking
  }

  typealias Reader = CheckedContinuation<Result<[UInt8]?, HTTPBodyError>, Never>

  struct State {
    var phase = Phase.head
    var isSuspended = false
    var awaited: Awaited? = .head
    var deadline: ContinuousClock.Instant
    var task: Task<Void, Never>?
    /// Until the task has taken it.
    var request: HTTPRequest?
    /// What was asked for, as it came, until the head has come.
    var target: [UInt8]

    // The body.
    var announcedBytes: Int?
    var isWanted = false
    var hasWholeBody = false
    var part: [UInt8]?
    var reader: Reader?
    var failure: HTTPBodyError?
    var receivedBytes = 0
    var bodyTimeLeft: Duration

    // The answer.
    var response: HTTPResponse?
    var isAnswered = false
    var hidesBody = false
    var isOld = false
    var isLast = false
    var isAborted = false

    // The body of the answer.
    var frame: [UInt8]?
    /// Of the frame, and of what stands around it on the wire.
    var frameSent = 0
    /// `FullSockets` knows the exchange.
    var isWaitedFor = false
    var writer: CheckedContinuation<Void, Never>?
    var isWriterCancelled = false
    var hasWrittenAll = false

    mutating func await(_ awaited: Awaited, _ time: Duration) {
      self.awaited = awaited
      deadline = .now + time
    }
  }

  /// What libmicrohttpd is to do.
  enum Step {
    case goOn
    case end
    case answer(HTTPResponse, isLast: Bool)
  }

  let connection: Connection
  let service: Service
  /// Where libmicrohttpd has what was asked for.
  private let targetAddress: UInt
  let state: Mutex<State>

  /// On libmicrohttpd's thread.
  init(_ connection: Connection, _ service: Service, target: (bytes: [UInt8], address: UInt)) {
    self.connection = connection
    self.service = service
    targetAddress = target.address
    state = Mutex(State(deadline: .now, target: target.bytes, bodyTimeLeft: service.limits.bodyTime))
    let deadline = connection.begin(self, headTime: service.limits.headTime)
    state.withLock { $0.deadline = deadline }
  }

  // MARK: On libmicrohttpd's thread

  /// The head has come.
  /// - Parameters:
  ///   - head: from the method on; libmicrohttpd's, until this returns.
  ///   - valueCount: of fields, parts of the query and cookies.
  func begin(_ head: UnsafeRawBufferPointer, versionAddress: UInt, valueCount: Int) -> Step {
    service.table.isBusy(connection)
    let start = UInt(bitPattern: head.baseAddress)
    let target = state.withLock { state in
      defer { state.target = [] }
      return state.target
    }
    let request: RequestHead
    do throws(RequestHead.Refusal) {
      guard head.count <= service.limits.headerBytes,
        service.hasRoom(headBytes: head.count, valueCount: valueCount)
      else { throw .init(status: 431) }
      request = try RequestHead(
        head, target: target, targetOffset: Int(targetAddress &- start),
        versionOffset: Int(versionAddress &- start))
      if case .length(let count) = request.framing, count > service.limits.bodyBytes { throw .init(status: 413) }
    } catch {
      return refuse(error.status)
    }
    guard service.takeTurn() else { return refuse(503) }
    let isEnding = state.withLock { state in
      state.hidesBody = request.method == "HEAD"
      state.isOld = request.isOld
      // Whoever reads chunks otherwise than libmicrohttpd, which is lenient, must not find another request behind them.
      state.isLast = request.isOld || request.framing == .chunked
      if case .length(let count) = request.framing { state.announcedBytes = count }
      state.await(.answer, service.limits.answerTime)
      guard !service.isEnding else { return true }
      if request.framing == .none {
        state.announcedBytes = 0
        state.hasWholeBody = true
        state.phase = .received
      } else {
        state.phase = .held
        suspend(&state)
      }
      return false
    }
    if isEnding {
      service.giveTurn()
      return .end
    }
    let handed = HTTPRequest(request, peer: connection.peer.text, body: self)
    state.withLock { $0.request = handed }
    startTask()
    return .goOn
  }

  private func refuse(_ status: Int) -> Step {
    state.withLock { state in
      state.phase = .answering
      state.isAnswered = true
      state.await(.taking, service.limits.takingTime)
    }
    return .answer(.plain(status), isLast: true)
  }

  private func startTask() {
    let executor = service.executor?()
    run(on: executor) { [self] in
      guard let write = await made(handled()) else { return }
      // A task keeps the memory that it once took on: a stream, which may be long, has one of its own.
      run(on: executor) { [self] in
        await write(HTTPBodyWriter(self))
        endWriting()
      }
    }
  }

  private func run(on executor: (any TaskExecutor)?, _ body: @escaping @Sendable () async -> Void) {
    service.taskBegins()
    let task = state.withLock { state in
      // With the lock held: what the task begins comes behind it.
      let task = Task(executorPreference: executor) { [service] in
        await body()
        service.taskEnds()
      }
      state.task = task
      return state.phase == .over || state.isAborted ? task : nil
    }
    task?.cancel()
  }

  private func handled() async -> HTTPResponse {
    let request = state.withLock { state in
      defer { state.request = nil }
      return state.request
    }
    defer { service.giveTurn() }
    guard let request else { return .plain(500) }
    return await service.handler(request)
  }

  /// libmicrohttpd has been resumed, or has all of the request.
  func step() -> Step {
    let (step, reader) = state.withLock { state -> (Step, Reader?) in
      var reader: Reader?
      if state.phase == .receiving {
        state.phase = .received
        state.hasWholeBody = true
        reader = state.reader
        if reader != nil { service.table.isBusy(connection) }
        state.reader = nil
        if state.response == nil { state.await(.answer, service.limits.answerTime) }
      }
      if state.isAborted { return (.end, reader) }
      if state.phase == .held, state.response == nil, state.isWanted {
        state.phase = .receiving
        return (.goOn, reader)
      }
      if let response = state.response {
        if state.phase == .held {
          // The answer does not wait for a body that nobody wants; with it, the connection ends.
          state.isLast = true
          connection.linger()
        }
        state.response = nil
        state.phase = .answering
        state.await(.taking, service.limits.takingTime)
        return (.answer(response, isLast: state.isLast || service.isEnding), reader)
      }
      // Whoever ends the server has looked at this exchange before that was said: nobody would resume it.
      if service.isAborting { return (.end, reader) }
      suspend(&state)
      return (.goOn, reader)
    }
    reader?.resume(returning: .success(nil))
    return step
  }

  /// The request and its answer have ended.
  func completed(isWhole: Bool) {
    let (reader, writer, task, isWaitedFor) = state.withLock { state in
      state.phase = .over
      state.awaited = nil
      state.failure = state.failure ?? .gone
      state.part = nil
      state.frame = nil
      state.response = nil
      defer {
        state.reader = nil
        state.writer = nil
        state.task = nil
      }
      return (state.reader, state.writer, state.task, state.isWaitedFor)
    }
    if isWaitedFor { service.fullSockets.forget(self) }
    if !isWhole { task?.cancel() }
    reader?.resume(returning: .failure(.gone))
    writer?.resume()
    connection.end(until: .now + service.limits.idleTime)
    service.table.isIdle(connection)
  }

  /// With the lock held.
  func suspend(_ state: inout State) {
    state.isSuspended = true
    service.waker.suspend(connection.handle)
  }

  /// Whether the head has not been looked at.
  var isAtHead: Bool { state.withLock { $0.phase == .head } }

  /// Whether the client speaks HTTP/1.0, and knows no chunks.
  var isOld: Bool { state.withLock(\.isOld) }

  /// Whether it is HEAD.
  var hidesBody: Bool { state.withLock(\.hidesBody) }

  // MARK: On any thread

  /// With the lock held. A suspended connection is there: libmicrohttpd frees none.
  func resume(_ state: inout State) {
    guard state.isSuspended else { return }
    state.isSuspended = false
    service.waker.resume(connection.handle)
  }

  /// Ends what has taken too long.
  func expire(_ now: ContinuousClock.Instant) {
    let (reader, task, isCut) = state.withLock { state -> (Reader?, Task<Void, Never>?, Bool) in
      guard let awaited = state.awaited, state.deadline <= now else { return (nil, nil, false) }
      state.awaited = nil
      guard awaited != .answer else {
        answer(.plain(503), &state)
        return (nil, state.task, false)
      }
      defer { state.reader = nil }
      if awaited == .body { state.failure = .tooSlow }
      state.isAborted = true
      resume(&state)
      return (state.reader, awaited == .taking ? state.task : nil, true)
    }
    reader?.resume(returning: .failure(.tooSlow))
    task?.cancel()
    if isCut { connection.cut() }
  }

  /// Ends it, whatever it is at.
  func abort() {
    let (reader, writer, task) = state.withLock { state in
      state.isAborted = true
      state.failure = state.failure ?? .gone
      resume(&state)
      defer {
        state.reader = nil
        state.writer = nil
      }
      return (state.reader, state.writer, state.task)
    }
    reader?.resume(returning: .failure(.gone))
    writer?.resume()
    task?.cancel()
    connection.cut()
  }
}
