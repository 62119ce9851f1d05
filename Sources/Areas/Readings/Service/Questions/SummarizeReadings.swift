internal import Domain
internal import Log
internal import RPCRuntime
public import ServiceAPI
internal import ServiceKit
public import WireCodec

extension ReadingService {
  private static let maxSummaries = 20_000
  /// The longest interval for which boundaries of days or weeks are made: 200 years.
  private static let maxCalendarInterval: Microseconds = 200 * 366 * 86_400_000_000

  /// Of one metric of numbers, the oldest first. Days and weeks are those of the time zone. At most 20,000 on a
  /// page.
  /// - Throws: INVALID_ARGUMENT, also for days and weeks over more than 200 years; PERMISSION_DENIED.
  public func summarizeReadings(
    _ request: Trackme_Readings_V1_SummarizeReadingsRequest, context: CallContext
  ) async throws -> Trackme_Readings_V1_SummarizeReadingsResponse {
    let person = try person(request.personID, context)
    guard let metric = metrics.catalog[request.metric] else {
      throw RPCStatus.invalidArgument(field: "metric", problem: "is not a metric: see ListMetrics")
    }
    guard metric.kind == .scalar else {
      throw RPCStatus.invalidArgument(field: "metric", problem: "is not of kind SCALAR")
    }
    guard request.fromUs < request.toUs else {
      throw RPCStatus.invalidArgument(field: "to_us", problem: "must be after from_us")
    }
    guard request.pageSize >= 0 else {
      throw RPCStatus.invalidArgument(field: "page_size", problem: "must not be negative")
    }
    let limit = request.pageSize == 0 ? Self.maxSummaries : min(Int(request.pageSize), Self.maxSummaries)
    let time = (request.fromUs..<request.toUs).clamped(to: OutsideTimes.range)
    let arguments = PageToken.hash(
      "\(person)", request.metric, "\(time)", "\(request.resolution.rawValue)", request.timeZone,
      "\(request.pageSize)")
    let place = try PageToken.place(in: request.pageToken, arguments: arguments, seal)
    if request.resolution == .raw {
      return try await raw(person, metric.id, time, place, limit, arguments)
    }

    let rest = max(time.lowerBound, min(place?.time ?? time.lowerBound, time.upperBound))..<time.upperBound
    let buckets = try await buckets(of: request, covering: rest)
    let summaries = try await store.summaries(of: person, metric: metric.id, in: rest, by: buckets, limit: limit)
    return .init(
      summaries: summaries.wire(limit),
      nextPageToken: summaries.start.count > limit
        ? PageToken(
          arguments: arguments, place: ReadingPlace(time: summaries.start[limit], metric: metric.id, source: 0)
        ).text(seal) : "")
  }

  /// Each reading as a summary of its own.
  private func raw(
    _ person: PersonID, _ metric: MetricID, _ time: Range<Microseconds>, _ place: ReadingPlace?, _ limit: Int,
    _ arguments: UInt64
  ) async throws -> Trackme_Readings_V1_SummarizeReadingsResponse {
    let page = try await store.page(
      of: person, metrics: [metric], in: time, newestFirst: false, after: place, limit: limit)
    return .init(
      summaries: page.readings.map { reading in
        let value = reading.scalars.value[0]
        return .init(startUs: reading.scalars.time[0], count: 1, min: value, mean: value, max: value, last: value)
      },
      nextPageToken: page.next.map { PageToken(arguments: arguments, place: $0).text(seal) } ?? "")
  }

  private func buckets(
    of request: Trackme_Readings_V1_SummarizeReadingsRequest, covering time: Range<Microseconds>
  ) async throws -> SummaryBuckets {
    switch request.resolution {
    case .second: return .second
    case .minute: return .minute
    case .hour: return .hour
    case .day: return try await boundaries(.day, request, time)
    case .week: return try await boundaries(.week, request, time)
    case .unspecified, .raw, .unrecognized:
      throw RPCStatus.invalidArgument(field: "resolution", problem: "must be one of the known values")
    }
  }

  private func boundaries(
    _ unit: CalendarUnit, _ request: Trackme_Readings_V1_SummarizeReadingsRequest, _ time: Range<Microseconds>
  ) async throws -> SummaryBuckets {
    guard time.upperBound - time.lowerBound <= Self.maxCalendarInterval,
      abs(time.lowerBound / 2) <= Self.maxCalendarInterval
    else {
      throw RPCStatus.invalidArgument(
        field: "to_us", problem: "is too far from from_us, or from today, for days and weeks")
    }
    let zone = request.timeZone.isEmpty ? "UTC" : request.timeZone
    guard let boundaries = try await store.boundaries(unit, in: zone, covering: time) else {
      throw RPCStatus.invalidArgument(field: "time_zone", problem: "is not an IANA time zone")
    }
    return .boundaries(boundaries)
  }
}

extension SummaryColumns {
  fileprivate func wire(_ limit: Int) -> [Trackme_Readings_V1_ReadingSummary] {
    (0..<Swift.min(limit, start.count)).map { i in
      .init(startUs: start[i], count: count[i], min: min[i], mean: mean[i], max: max[i], last: last[i])
    }
  }
}
