internal import Domain
internal import Log
internal import RacesRules
internal import RPCRuntime
internal import ServiceAPI
internal import ServiceKit
internal import WireCodec

extension SubscriptionService {
  /// A part of a digest holds about this many bytes of readings.
  static let digestPartBytes = 256 << 10

  /// Sends the digests of a subscription and the changes of its grant, in the order of the log; waits where there are
  /// none. When the grant ends, nothing more is delivered but the change that ended it.
  ///
  /// - Parameters:
  ///   - position: where to go on; nil means now. Nothing of a subscription stands before its creation.
  ///   - frames: of a stream whose gate wakes its signal.
  func deliverDigests(
    of subscription: SubscriptionRecord, after position: LogPosition?, _ frames: SubscribeFrames,
    under granted: GrantedDelivery
  ) async throws {
    watch.streams.join(frames.signal, on: .subscription(subscription.id), .grant(subscription.grant))
    defer { watch.streams.leave(frames.signal) }
    var sent = max(position ?? hub.head, subscription.createdPosition)
    try await frames.beat(at: sent)
    try await frames.signal.pump { _ in
      try await frames.check(granted)
      // The head is read before the events are: what is committed between the two is signalled.
      let head = hub.head
      let events = try await hub.catchingUp.run { [sent] in
        try await subscriptions.events(of: subscription.id, grant: subscription.grant, after: sent)
      }
      for event in events {
        switch event {
        case .change(let change):
          try await frames.waitForRoom(sent: sent, granted)
          try await frames.tell(change.change, at: change.position)
        case .digest(let digest): try await send(digest, after: sent, frames, granted)
        }
        sent = event.position
      }
      if !events.isEmpty { return .more }
      sent = max(sent, head)
      return .nothing
    } beat: {
      try await frames.beat(at: sent)
    }
  }

  /// Sends a digest in parts. Those before the last carry the cursor before the digest: a stream that breaks off sends
  /// the digest again, as a whole.
  private func send(
    _ digest: DigestRecord, after sent: LogPosition, _ frames: SubscribeFrames, _ granted: GrantedDelivery
  ) async throws {
    let reader = DigestReader(
      pool: pool, person: granted.grant.person, metrics: digest.metrics, window: digest.window(in: granted.grant.scope))
    var summary = DigestSummary()
    var part: UInt32 = 1
    var unsent = ReadingColumns()
    var place: DigestReader.Place?
    repeat {
      try await frames.check(granted)
      let page = try await hub.catchingUp.run { [place] in
        try await reader.page(after: place, maxBytes: Self.digestPartBytes)
      }
      place = page.next
      for piece in page.columns.pieces(maxBytes: Self.digestPartBytes) {
        if !unsent.isEmpty, unsent.approximateBytes + piece.approximateBytes > Self.digestPartBytes {
          summary.add(unsent.scalars)
          try await frames.waitForRoom(sent: sent, granted)
          try await granted.note(unsent, after: sent, through: sent)
          try await frames.check(granted)
          try await send(unsent, of: digest, part: part, at: sent, frames)
          part += 1
          unsent = ReadingColumns()
        }
        unsent.append(contentsOf: piece)
      }
    } while place != nil
    summary.add(unsent.scalars)
    try await frames.waitForRoom(sent: sent, granted)
    try await granted.note(unsent, after: sent, through: digest.position)
    try await frames.check(granted)
    try await send(unsent, of: digest, part: part, at: digest.position, frames, summary)
  }

  /// - Parameter summary: of the whole digest, with its last part.
  private func send(
    _ columns: ReadingColumns, of digest: DigestRecord, part: UInt32, at position: LogPosition,
    _ frames: SubscribeFrames, _ summary: DigestSummary? = nil
  ) async throws {
    let names = try await sources.names(of: columns.sources)
    let catalog = metrics.catalog
    let summaries = (summary?.metrics ?? [:]).sorted { $0.key < $1.key }.map { metric, summary in
      Trackme_Sharing_V1_MetricSummary(
        metric: catalog[metric]?.name ?? "", count: summary.count, min: summary.min, mean: summary.mean,
        max: summary.max)
    }
    frames.outstanding.sending(position)
    try await frames.responses.send(
      .init(
        cursor: seal.cursor(.log, at: position),
        frame: .digest(
          .init(
            digestID: digest.position, periodStart: .init(digest.period.lowerBound),
            periodEnd: .init(digest.period.upperBound), part: part, isLast: summary != nil,
            readings: columns.isEmpty ? nil : .init(columns) { names[$0] ?? "" }, summaries: summaries))))
  }
}

extension SubscribeFrames {
  /// Ends the stream if the grant, where there is one, has ended or the server is ending.
  func check(_ granted: GrantedDelivery? = nil) async throws {
    if let end = granted?.gate.end { try await tell(end.change, at: end.position) }
    if signal.isDraining { throw RPCStatus.shuttingDown }
  }

  /// Waits until the client may be sent another frame.
  func waitForRoom(sent: LogPosition, _ granted: GrantedDelivery? = nil) async throws {
    try await check(granted)
    while !outstanding.hasRoom {
      if try await signal.turn().contains(.heartbeat) { try await beat(at: sent) }
      try await check(granted)
    }
  }
}

extension ReadingColumns {
  /// The readings in pieces of about `maxBytes`, in order.
  func pieces(maxBytes: Int) -> [ReadingColumns] {
    if approximateBytes <= maxBytes { return isEmpty ? [] : [self] }
    var pieces: [ReadingColumns] = []
    var indices: [Int32] = []
    var bytes = 0
    let firstWaveform = scalars.count + positions.count
    for index in 0..<count {
      let size =
        index < scalars.count
        ? 32 : index < firstWaveform ? 72 : 36 + 8 * Int(waveforms.sampleCount[index - firstWaveform])
      if bytes + size > maxBytes, !indices.isEmpty {
        var piece = ReadingColumns()
        piece.append(indices, of: self)
        pieces.append(piece)
        (indices, bytes) = ([], 0)
      }
      indices.append(Int32(index))
      bytes += size
    }
    var piece = ReadingColumns()
    piece.append(indices, of: self)
    return pieces + [piece]
  }
}
