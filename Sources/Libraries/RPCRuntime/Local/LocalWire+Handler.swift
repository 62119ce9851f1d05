/// The handler's end: what its `ServerCall` starts.
///
/// Each operation is taken until that call knows of the end, and then answered behind it: so whoever waits for one is
/// told why, by a call that knows.
extension LocalWire {
  func startReceive() -> Bool {
    state.withLock { state in
      if state.isOver { return false }
      state.isReceiving = true
      if state.request != nil || state.starter != nil || state.isHalfClosed || state.status != nil { post(&state) }
      return true
    }
  }

  func startSend(_ message: RPCMessage?, initialMetadata: Metadata?) -> Bool {
    state.withLock { state in
      if state.isOver { return false }
      state.isSending = true
      if state.status == nil {
        if let initialMetadata { state.initialMetadata = initialMetadata }
        state.answer = message
      }
      if message == nil || state.reader != nil || state.status != nil { post(&state) }
      return true
    }
  }

  /// The last message waits for its reader; the call does not.
  func startStatus(
    _ status: RPCStatus, last: RPCMessage?, initialMetadata: Metadata?, trailingMetadata: Metadata
  ) -> Bool {
    state.withLock { state in
      if state.isOver { return false }
      state.isSending = true
      if state.status == nil {
        if let initialMetadata { state.initialMetadata = initialMetadata }
        state.trailingMetadata = trailingMetadata
        state.answer = last
        state.status = status
      }
      post(&state)
      return true
    }
  }
}
