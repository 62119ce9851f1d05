internal import CMicroHTTPDSupport
internal import Synchronization

/// The answer, from who makes it to libmicrohttpd's buffer. One write waits at most.
extension Exchange {
  /// The handler has answered.
  /// - Returns: what is to write the body, where somebody is there to take it.
  func made(_ response: HTTPResponse) -> (@Sendable (HTTPBodyWriter) async -> Void)? {
    let isTooLong = response.headerBytes > Service.answerHeaderBytes
    return state.withLock { state in
      guard state.phase != .over, !state.isAnswered else { return nil }
      answer(isTooLong ? .plain(500) : response, &state)
      guard !isTooLong, !state.hidesBody, response.status != 204, response.status != 304,
        case .stream(let write) = response.body
      else { return nil }
      return write
    }
  }

  /// With the lock held.
  func answer(_ response: HTTPResponse, _ state: inout State) {
    state.response = response
    state.isAnswered = true
    state.part = nil
    if case .whole(let bytes) = response.body, bytes.count > Service.copiedBytes {
      state.frame = bytes
      state.hasWrittenAll = true
    }
    // What is left of a body has to come first: libmicrohttpd answers before it or behind it.
    if state.phase == .receiving {
      state.await(.body, min(state.bodyTimeLeft, service.limits.leftoverTime))
    } else {
      state.await(.taking, service.limits.takingTime)
    }
    resume(&state)
  }

  /// Fills libmicrohttpd's buffer with what is next of a long body that is there, on its thread.
  func fill(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
    state.withLock { state in
      guard !state.isAborted, let frame = state.frame else { return tmhttpd_failed }
      let count = min(buffer.count, frame.count - state.frameSent)
      frame.withUnsafeBytes { buffer.copyMemory(from: .init(rebasing: $0[state.frameSent..<state.frameSent + count])) }
      state.frameSent += count
      state.await(.taking, service.limits.takingTime)
      return count
    }
  }

  // MARK: Streams
  //
  // libmicrohttpd sends the head and the end of a stream. In between the connection is suspended, and who writes sends: so a
  // frame for thousands is not copied, and costs no other thread's turn.

  /// - Returns: false if nobody takes it.
  func write(_ bytes: [UInt8]) async -> Bool {
    while true {
      let isTaken: Bool? = state.withLock { state in
        guard state.phase != .over, !state.isAborted else { return false }
        guard !bytes.isEmpty else { return true }
        guard state.frame == nil else { return nil }
        state.frame = bytes
        state.await(.taking, service.limits.takingTime)
        // Until the head is out, libmicrohttpd has the connection, and comes for the frame.
        if state.isSuspended { _ = push(&state) }
        return !state.isAborted
      }
      if let isTaken { return isTaken }
      await roomForFrame()
      if Task.isCancelled { return false }
    }
  }

  private func roomForFrame() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isThere = state.withLock { state in
          precondition(state.writer == nil, "two tasks write one answer")
          guard state.phase != .over, !state.isAborted, !state.isWriterCancelled, state.frame != nil else {
            return true
          }
          state.writer = continuation
          return false
        }
        if isThere { continuation.resume() }
      }
    } onCancel: {
      let writer = state.withLock { state in
        state.isWriterCancelled = true
        defer { state.writer = nil }
        return state.writer
      }
      writer?.resume()
    }
  }

  /// There will be nothing more.
  func endWriting() {
    state.withLock { state in
      guard state.phase != .over else { return }
      state.hasWrittenAll = true
      state.await(.taking, service.limits.takingTime)
      resume(&state)
    }
  }

  /// libmicrohttpd wants something of the body, on its thread: it gets the end, or is suspended.
  /// - Returns: 0 once the connection is suspended.
  func pump() -> Int {
    let (result, writer) = state.withLock { state -> (Int, CheckedContinuation<Void, Never>?) in
      let writer = push(&state)
      if state.isAborted { return (tmhttpd_failed, writer) }
      if state.frame == nil, state.hasWrittenAll {
        state.await(.taking, service.limits.takingTime)
        return (tmhttpd_end, writer)
      }
      if service.isAborting { return (tmhttpd_failed, writer) }
      suspend(&state)
      return (0, writer)
    }
    writer?.resume()
    return result
  }

  /// The client takes more than it did.
  func goOn() {
    let writer = state.withLock { state -> CheckedContinuation<Void, Never>? in
      guard state.phase != .over, !state.isAborted, state.isSuspended else { return nil }
      let writer = push(&state)
      if state.frame == nil, state.hasWrittenAll { resume(&state) }
      return writer
    }
    writer?.resume()
  }

  /// Sends what waits, as far as the system takes it. With the lock held, while libmicrohttpd does nothing with the
  /// connection: on its thread, or because it is suspended.
  /// - Returns: who waits to write, if there is room now.
  private func push(_ state: inout State) -> CheckedContinuation<Void, Never>? {
    guard let frame = state.frame, !state.isAborted else {
      // Nobody has to take anything now.
      if !state.hasWrittenAll { state.awaited = nil }
      return nil
    }
    let before = state.frameSent
    switch tmhttpd_send(connection.file, frame, frame.count, state.isOld ? 0 : 1, &state.frameSent) {
    case TMHTTPD_SENT:
      state.frame = nil
      state.frameSent = 0
      if !state.hasWrittenAll { state.awaited = nil }
    case TMHTTPD_FULL:
      if state.frameSent > before { state.await(.taking, service.limits.takingTime) }
      state.isWaitedFor = true
      service.fullSockets.wait(for: self)
      return nil
    default:
      state.isAborted = true
      resume(&state)
    }
    defer { state.writer = nil }
    return state.writer
  }
}
