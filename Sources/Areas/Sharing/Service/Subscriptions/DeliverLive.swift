internal import Domain
internal import Log
internal import RPCRuntime
internal import ServiceKit
internal import WireCodec

extension SubscriptionService {
  /// Takes the next readings and sends them; waits where there are none.
  ///
  /// - Parameter granted: nil for readers who need no grant. Under a grant, everything up to its end is delivered in the
  ///   order of the log as long as that is at hand; a stream that is behind when the grant ends delivers nothing more.
  func deliver(
    _ filter: ReadingFilter, after position: LogPosition?, _ frames: SubscribeFrames,
    under granted: GrantedDelivery? = nil
  ) async throws {
    var follower = Follower(hub: hub, pool: pool, filter: filter, after: position, signal: frames.signal)
    // The first frame tells a client that begins with what is new where that is.
    var sent = follower.position
    try await frames.beat(at: sent)
    // Frames out of storage that are still to be sent, the next one last.
    var stored: [ArraySlice<CatchUpReader.Row>] = []
    // As `StreamSignal.pump` does, without a call for each frame.
    var woken = StreamSignal.Reasons.data
    while true {
      // A stream that always has something to send must end too.
      if frames.signal.isDraining { throw RPCStatus.shuttingDown }
      if let end = granted?.gate.end, !stored.isEmpty || !frames.outstanding.hasRoom {
        try await frames.tell(end.change, at: end.position)
      }
      if frames.outstanding.hasRoom {
        if let frame = stored.popLast() {
          let previous = sent
          sent = frame[frame.endIndex - 1].position
          try await send(frame, after: previous, through: sent, frames, granted)
          continue
        }
        switch try await follower.next() {
        case .live(let slice):
          let previous = sent
          sent = slice.through
          if let change = slice.change {
            try await frames.tell(change, at: sent)
            continue
          }
          try await granted?.note(slice.shown, after: previous, through: sent)
          frames.outstanding.sending(sent)
          try await frames.responses.sendEncoded(slice.message { encode($0, isGranted: granted != nil) })
          continue
        case .stored(let rows):
          stored = rows.frames(maxBytes: Feed.sliceBytes).reversed()
          continue
        case .upToDate:
          sent = follower.position
          // The grant ended before the stream began to follow it.
          if let end = granted?.gate.end, end.position <= sent { try await frames.tell(end.change, at: end.position) }
        }
      }
      if woken.contains(.heartbeat) { try await frames.beat(at: sent) }
      woken = try await frames.signal.turn()
    }
  }

  /// The frame of a slice. Its sources were registered by the batches that brought them in.
  private func encode(_ slice: FeedSlice, isGranted: Bool) -> RPCMessage {
    let columns = isGranted ? slice.shown : slice.columns
    let names = sources.namesAtHand(of: columns)
    return Trackme_Sharing_V1_SubscribeResponse(
      cursor: seal.cursor(.log, at: slice.through),
      frame: .delivery(.init(readings: .init(columns) { names[$0] ?? "" }))
    ).encodedMessage()
  }

  /// Sends a frame of what storage holds.
  private func send(
    _ rows: ArraySlice<CatchUpReader.Row>, after previous: LogPosition, through position: LogPosition,
    _ frames: SubscribeFrames, _ granted: GrantedDelivery?
  ) async throws {
    if let change = rows[rows.startIndex].change { return try await frames.tell(change, at: position) }
    var columns = ReadingColumns()
    for row in rows { columns.append(contentsOf: row.columns) }
    if let granted {
      columns = columns.shown(at: .second)
      try await granted.note(columns, after: previous, through: position)
      // The ledger may have been waited for.
      if let end = granted.gate.end { try await frames.tell(end.change, at: end.position) }
    }
    let names = try await sources.names(of: columns.sources)
    frames.outstanding.sending(position)
    try await frames.responses.send(
      .init(
        cursor: seal.cursor(.log, at: position),
        frame: .delivery(.init(readings: .init(columns) { names[$0] ?? "" }, catchingUp: true))))
  }
}
