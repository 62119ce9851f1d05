internal import Domain
internal import RPCRuntime
internal import Storage

/// Where the next page begins, and a check that it is asked for with the same arguments. Opaque for clients.
///
/// The text is numbers in base 36: version, a hash of the arguments, then the place.
struct PageToken {
  let arguments: UInt64
  let place: ReadingPlace

  var text: String {
    [
      "1", String(arguments, radix: 36), String(place.time, radix: 36), String(place.metric, radix: 36),
      String(place.source, radix: 36),
    ].joined(separator: ".")
  }

  /// - Parameter arguments: the hash of all other fields of the request.
  /// - Throws: INVALID_ARGUMENT for a text that no page with these arguments gave out.
  static func place(in text: String, arguments: UInt64) throws -> ReadingPlace? {
    if text.isEmpty { return nil }
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard text.utf8.count < 100, parts.count == 5, parts[0] == "1", let hash = UInt64(parts[1], radix: 36),
      let time = Int64(parts[2], radix: 36), let metric = Int32(parts[3], radix: 36),
      let source = Int32(parts[4], radix: 36)
    else { throw RPCStatus.invalidArgument(field: "page_token", problem: "is not a token of this service") }
    guard hash == arguments else {
      throw RPCStatus.invalidArgument(field: "page_token", problem: "is of a request with other arguments")
    }
    return ReadingPlace(time: time, metric: metric, source: source)
  }

  /// A hash of arguments that is the same on every server (FNV-1a, 64 bits).
  static func hash(_ arguments: String...) -> UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for argument in arguments {
      for byte in argument.utf8 + [0] { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    }
    return hash
  }
}
