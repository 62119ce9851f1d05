internal import Domain
internal import ServiceAPI
internal import WebRules
internal import WireCodec

/// Readings as the lines of a table. Numbers are the shortest decimals that read back as the same ones, times are UTC.
enum ReadingLines {
  static let head = CSV.line([
    "time", "metric", "source", "value", "latitude", "longitude", "altitude", "accuracy", "speed", "course", "rate_hz",
    "samples",
  ])

  /// A line: what a kind of reading does not have is empty. The samples of a waveform are one cell, with spaces between.
  static func line(_ reading: Trackme_Readings_V1_Reading) -> String {
    let start: [String?] = [ISO8601.text(of: reading.timeUs), reading.metric, SpreadsheetText.plain(reading.source)]
    let rest: [String?] =
      switch reading.value {
      case .scalar(let value): ["\(value)"] + nothing(8)
      case .position(let position): [nil] + cells(position) + nothing(2)
      case .waveform(let waveform):
        nothing(7) + ["\(waveform.rateHz)", waveform.samples.map { "\($0)" }.joined(separator: " ")]
      case nil: nothing(9)
      }
    return CSV.line(start + rest)
  }

  private static func cells(_ position: Trackme_Readings_V1_Position) -> [String?] {
    [position.latitude, position.longitude, position.altitude, position.accuracy, position.speed, position.course]
      .map { $0.map { "\($0)" } }
  }

  private static func nothing(_ count: Int) -> [String?] { Array(repeating: nil, count: count) }
}
