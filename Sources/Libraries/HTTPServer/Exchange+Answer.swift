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

  // MARK: Streams

  /// - Returns: false if nobody takes it.
  func write(_ bytes: [UInt8]) async -> Bool {
    while true {
      let isTaken: Bool? = state.withLock { state in
        guard state.phase != .over, !state.isAborted else { return false }
        guard !bytes.isEmpty else { return true }
        guard state.frame == nil else { return nil }
        state.frame = bytes
        state.frameSent = 0
        state.await(.taking, service.limits.takingTime)
        resume(&state)
        return true
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

  /// Fills libmicrohttpd's buffer, on its thread.
  /// - Returns: how many bytes there are now; 0 if the connection was suspended until there are some.
  func fill(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
    let (count, writer) = state.withLock { state -> (Int, CheckedContinuation<Void, Never>?) in
      guard !state.isAborted else { return (tmhttpd_failed, nil) }
      guard let frame = state.frame else {
        if state.hasWrittenAll {
          state.await(.taking, service.limits.takingTime)
          return (tmhttpd_end, nil)
        }
        if service.isAborting { return (tmhttpd_failed, nil) }
        // Nobody has to take anything now.
        state.awaited = nil
        suspend(&state)
        return (0, nil)
      }
      let count = min(buffer.count, frame.count - state.frameSent)
      frame.withUnsafeBytes { buffer.copyMemory(from: .init(rebasing: $0[state.frameSent..<state.frameSent + count])) }
      state.frameSent += count
      state.await(.taking, service.limits.takingTime)
      guard state.frameSent == frame.count else { return (count, nil) }
      state.frame = nil
      defer { state.writer = nil }
      return (count, state.writer)
    }
    writer?.resume()
    return count
  }
}
