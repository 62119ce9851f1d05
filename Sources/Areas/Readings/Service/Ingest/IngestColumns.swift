internal import Domain
internal import RPCRuntime
internal import ServiceKit
internal import WireCodec

extension IngestService {
  /// A batch after validation.
  struct Validated {
    var columns: ReadingColumns
    var rejections: [Rejection]
    /// Whether all of its sources have their registered numbers.
    var hasNumbers = true
    /// How far a large batch has been checked; nil if nothing of it is left.
    var unchecked: ReadingTaps.Progress?
  }

  /// Validates a batch and has it checked, before anything that may wait for storage: the first piece of a large one, the
  /// rest by `checkRest`. Most have no rest: what is called for each message is not async without need.
  ///
  /// - Throws: INVALID_ARGUMENT for columns that do not fit together or too many sources.
  func check(
    _ wire: Trackme_Readings_V1_ReadingColumns, from principal: Principal, by client: PushingClient, field: String,
    receivedAt: Microseconds, stream: StreamNumber
  ) throws -> Validated {
    guard wire.sources.count <= Trackme_Readings_V1_ReadingColumns.maxSources else {
      throw RPCStatus.invalidArgument(
        field: field + ".sources", problem: "has more than \(Trackme_Readings_V1_ReadingColumns.maxSources) entries")
    }
    let known = wire.sources.isEmpty ? [] : sources.knownNumbers(of: wire.sources)
    let numbers = known ?? passing.numbers(of: wire.sources)
    var columns = try columns(wire, numbers, defaultSource: client.source, field: field)
    let rejections = validate(&columns, by: principal)
    recognise(wire.sources, client.name, in: columns)
    var progress = ReadingTaps.Progress()
    let hasRest = taps.takePiece(columns, receivedAt: receivedAt, from: stream, &progress)
    return Validated(
      columns: columns, rejections: rejections, hasNumbers: known != nil && client.isRegistered,
      unchecked: hasRest ? progress : nil)
  }

  /// Has the rest of a large batch checked.
  func checkRest(
    _ columns: ReadingColumns, after progress: ReadingTaps.Progress, receivedAt: Microseconds, stream: StreamNumber
  ) async {
    await EventLoop.turn()
    await taps.take(columns, after: progress, receivedAt: receivedAt, from: stream)
  }

  /// The batch with registered numbers, when its sources are met for the first time: registering them asks the database.
  func registered(
    _ wire: Trackme_Readings_V1_ReadingColumns, from principal: Principal, by client: PushingClient, field: String
  ) async throws -> Validated {
    let numbers = try await sources.numbers(of: wire.sources, from: principal, within: Self.stallTime)
    var columns = try columns(wire, numbers, defaultSource: client.source, field: field)
    let rejections = validate(&columns, by: principal)
    rename(wire.sources, to: numbers, in: columns)
    return Validated(columns: columns, rejections: rejections)
  }

  /// Tells the taps that readings of sources which they judged for the time being come again, under registered numbers.
  func recognise(_ names: [String], _ client: String, in columns: ReadingColumns) {
    guard passing.isUsed else { return }
    let names = passing.remembered(among: names + [client])
    rename(names, to: names.map { sources.knownNumbers(of: [$0])?[0] ?? 0 }, in: columns)
  }

  /// Tells the taps the numbers of sources that they knew by others for the time being.
  func rename(_ names: [String], to numbers: [SourceID], in columns: ReadingColumns) {
    guard !taps.isIdle, !names.isEmpty else { return }
    let persons = Set(columns.scalars.person)
    for (name, number) in zip(names, numbers) where number > 0 {
      for person in persons { taps.rename(source: PassingSources.number(of: name), to: number, of: person) }
    }
  }

  private func columns(
    _ wire: Trackme_Readings_V1_ReadingColumns, _ numbers: [SourceID], defaultSource: SourceID, field: String
  ) throws -> ReadingColumns {
    do {
      return try wire.domainColumns(sourceNumbers: numbers, defaultSource: defaultSource)
    } catch {
      throw RPCStatus.invalidArgument(field: field + "." + error.field, problem: error.problem)
    }
  }

  /// The registered numbers of sources. A name that is met for the first time is registered in the database.
  func sourceNumbers(of names: [String], from principal: Principal) async throws -> [SourceID] {
    if let known = sources.knownNumbers(of: names) { return known }
    return try await sources.numbers(of: names, from: principal, within: Self.stallTime)
  }
}

/// Who pushes a stream: the source of readings that name none.
struct PushingClient: Sendable {
  let name: String
  let source: SourceID
  /// Whether the database has given the source its number.
  let isRegistered: Bool
}
