internal import Domain
internal import Log
internal import RPCRuntime
internal import ServiceKit
internal import SosRules

/// The part of a person's emergencies that a request asks for: newest first, and those of one moment by their numbers.
struct EmergencyPage {
  /// The most emergencies of the page.
  let size: Int
  /// The page begins here.
  private let time: Microseconds
  /// How many of that moment earlier pages have shown.
  private let shown: Int
  private let arguments: UInt64
  private let seal: Seal

  /// - Throws: INVALID_ARGUMENT for a negative size and for a token of somebody else.
  init(size pageSize: Int32, token: String, of person: PersonID, _ seal: Seal) throws {
    guard pageSize >= 0 else {
      throw RPCStatus.invalidArgument(field: "page_size", problem: "must not be negative")
    }
    size = pageSize == 0 ? 50 : min(Int(pageSize), 100)
    self.seal = seal
    arguments = PageToken.hash("emergencies", "\(person)")
    let place = try PageToken.place(in: token, arguments: arguments, seal)
    guard (0...1_000).contains(place?.metric ?? 0) else {
      throw RPCStatus.invalidArgument(field: "page_token", problem: "is not a token of this service")
    }
    time = place?.time ?? .max
    shown = Int(place?.metric ?? 0)
  }

  /// The page out of what is stored and what is in memory, where the newer one of two counts.
  ///
  /// - Parameters:
  ///   - store: asked for the page's part.
  ///   - memory: the person's emergencies that may not be stored yet, or not as they stand.
  /// - Returns: the page, and the token of the next one; empty on the last.
  func read(
    _ store: EmergencyStore, of person: PersonID, memory: [Emergency]
  ) async throws -> (emergencies: [Emergency], nextToken: String) {
    let limit = shown + size + 1
    var found: [EmergencyID: Emergency] = [:]
    for emergency in try await store.list(of: person, detectedUpTo: time, limit: limit)
      + memory.filter({ $0.detected <= time })
    {
      if let known = found[emergency.id], known.changed >= emergency.changed { continue }
      found[emergency.id] = emergency
    }
    let sorted = found.values.sorted { left, right in
      (left.detected, left.id.high, left.id.low) > (right.detected, right.id.high, right.id.low)
    }
    let rest = sorted.dropFirst(shown)
    let page = Array(rest.prefix(size))
    guard rest.count > size, let last = page.last else { return (page, "") }
    let ofThatMoment = page.count { $0.detected == last.detected } + (last.detected == time ? shown : 0)
    let place = ReadingPlace(time: last.detected, metric: Int32(clamping: ofThatMoment), source: 0)
    return (page, PageToken(arguments: arguments, place: place).text(seal))
  }
}
