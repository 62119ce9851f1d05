internal import Synchronization

/// The body of a request, from libmicrohttpd's buffer to who reads it. One part waits at most.
extension Exchange {
  private enum Look {
    case found(Result<[UInt8]?, HTTPBodyError>)
    case nothingYet
  }

  var announcedBytes: Int? { state.withLock(\.announcedBytes) }

  /// Bytes of the body have come. On libmicrohttpd's thread; they are its own until this returns.
  func receive(_ bytes: UnsafeRawBufferPointer) -> Step {
    let (step, reader, result) = state.withLock { state -> (Step, Reader?, Result<[UInt8]?, HTTPBodyError>) in
      state.receivedBytes += bytes.count
      let reader = state.reader
      guard !state.isAborted, state.receivedBytes <= service.limits.bodyBytes else {
        state.reader = nil
        state.failure = state.failure ?? .tooLarge
        return (.end, reader, .failure(.tooLarge))
      }
      // The answer is made: nobody reads what is left.
      if state.isAnswered { return (.goOn, nil, .success(nil)) }
      if reader != nil {
        service.table.isBusy(connection)
        state.reader = nil
        state.bodyTimeLeft = ContinuousClock.now.duration(to: state.deadline)
        state.await(.answer, service.limits.answerTime)
        return (.goOn, reader, .success(Array(bytes)))
      }
      if service.isAborting { return (.end, nil, .success(nil)) }
      state.part = Array(bytes)
      suspend(&state)
      return (.goOn, nil, .success(nil))
    }
    reader?.resume(returning: result)
    return step
  }

  func nextPart() async throws(HTTPBodyError) -> [UInt8]? {
    let first = state.withLock { state in look(&state) }
    if case .found(let result) = first { return try result.get() }
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { (continuation: Reader) in
        let found = state.withLock { state in
          let found = look(&state)
          guard case .nothingYet = found else { return found }
          precondition(state.reader == nil, "two tasks read one body")
          state.reader = continuation
          state.await(.body, state.bodyTimeLeft)
          state.isWanted = true
          // With the lock held, so that it is not said behind the part that comes.
          service.table.isSending(connection)
          resume(&state)
          return found
        }
        if case .found(let result) = found { continuation.resume(returning: result) }
      }
    } onCancel: {
      stopReading()
    }
    return try result.get()
  }

  func stopReading() {
    let reader = state.withLock { state in
      state.failure = state.failure ?? .cancelled
      if state.reader != nil {
        service.table.isBusy(connection)
        state.await(.answer, service.limits.answerTime)
      }
      defer { state.reader = nil }
      return state.reader
    }
    reader?.resume(returning: .failure(.cancelled))
  }

  private func look(_ state: inout State) -> Look {
    if let failure = state.failure, !state.hasWholeBody { return .found(.failure(failure)) }
    if let part = state.part {
      state.part = nil
      state.await(.answer, service.limits.answerTime)
      resume(&state)
      return .found(.success(part))
    }
    if state.hasWholeBody { return .found(.success(nil)) }
    return .nothingYet
  }
}
