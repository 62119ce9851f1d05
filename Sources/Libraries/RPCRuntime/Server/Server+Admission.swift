import Synchronization

/// Which calls are taken, as whose, and what their clients may do.
extension Server {
  /// Counts a new call; the status that refuses it, or nil.
  func admit(_ call: ServerCall) -> RPCStatus? {
    call.connection?.callStarted()
    totalCalls.add(1, ordering: .relaxed)
    let (standing, address) = (standing(of: call), call.client)
    let isAnonymous = standing == .stranger || standing == .check
    let isFromStranger =
      isAnonymous && call.connection?.endpoint.map { !trustedProxies.contains($0.number) } == true
    if isFromStranger { readings.strangerCalls.add(1, ordering: .relaxed) }
    // Refused here they take next to nothing, however many come.
    let isCrowded =
      standing == .stranger
      && readings.strangersWaiting.load(ordering: .relaxed) >= configuration.maxStrangersWaiting
    let entry = state.withLock { state -> CallRoom<ServerCall>.Entry in
      state.liveCalls += 1
      if isCrowded { return .refused("more calls without a token wait than the server has time for") }
      let entry = state.room.enter(call, as: standing, from: address)
      if case .taken(let place, _) = entry { call.place = place }
      return entry
    }
    switch entry {
    case .refused(let message): return refusal(message)
    case .taken(_, let oldest):
      call.connection?.admitted(isKnown: standing == .known || standing == .vital)
      call.isAnonymous = isAnonymous
      call.isStranger = standing == .stranger
      if let oldest {
        oldest.cutOff(with: RPCStatus(.resourceExhausted, "the server ended the call in favour of newer ones"))
        if isFromStranger { readings.strangerCalls.add(ReadingCounts.displacement - 1, ordering: .relaxed) }
      }
    }
    return nil
  }

  private func standing(of call: ServerCall) -> CallStanding {
    for interceptor in interceptors {
      if let standing = interceptor.standing(of: call) { return standing }
    }
    return .known
  }

  private func refusal(_ message: String) -> RPCStatus {
    refusedCalls.add(1, ordering: .relaxed)
    return RPCStatus(.resourceExhausted, message)
  }

  func vouch(for call: ServerCall, as standing: CallStanding) {
    state.withLock { state in
      guard var place = call.place else { return }
      if place.standing == .stranger || place.standing == .check { call.connection?.admitted(isKnown: true) }
      state.room.vouch(for: &place, as: standing)
      call.place = place
    }
  }

  /// How long a message of a call may be that came compressed.
  func maxDecompressedBytes(of call: ServerCall) -> Int {
    let max = call.limits.maxReceiveMessageBytes ?? maxMessageBytes
    switch state.withLock({ _ in call.place?.standing }) {
    case .known, .vital: return max
    case .stranger, .check, nil: return min(max, configuration.maxStrangerDecompressedBytes)
    }
  }

  /// A client for whom nobody vouched has sent its first message.
  func heard(_ call: ServerCall) {
    state.withLock { state in
      if let place = call.place { state.room.speak(place) }
    }
  }

  /// How long a call's client may take for its first message.
  /// - Parameter others: calls of the same loop that wait for theirs, and this one.
  func firstMessageTime(of call: ServerCall, among others: Int) -> Duration {
    let time =
      switch state.withLock({ _ in call.place?.standing }) {
      case .known, .vital: configuration.firstMessageTime
      case .stranger, .check, nil: configuration.strangerFirstMessageTime
      }
    return others > configuration.maxSilentCallsPerLoop ? min(time, configuration.crowdedFirstMessageTime) : time
  }
}
