internal import Domain
package import Log
internal import RPCRuntime

/// Where the next page begins, and a check that it is asked for with the same arguments. Opaque for clients.
package struct PageToken {
  package let arguments: UInt64
  package let place: ReadingPlace

  package init(arguments: UInt64, place: ReadingPlace) {
    self.arguments = arguments
    self.place = place
  }

  /// The sealed numbers: a hash of the arguments, then the place.
  package func text(_ seal: Seal) -> String {
    seal.text(.page, Int64(bitPattern: arguments), place.time, Int64(place.metric), Int64(place.source))
  }

  /// - Parameter arguments: the hash of all other fields of the request.
  /// - Returns: nil for an empty text. The time is one of `OutsideTimes`.
  /// - Throws: INVALID_ARGUMENT for a text that no page with these arguments gave out.
  package static func place(in text: String, arguments: UInt64, _ seal: Seal) throws -> ReadingPlace? {
    if text.isEmpty { return nil }
    guard let numbers = seal.numbers(.page, in: text, count: 4), OutsideTimes.range.contains(numbers[1]),
      let metric = Int32(exactly: numbers[2]), let source = Int32(exactly: numbers[3])
    else { throw RPCStatus.invalidArgument(field: "page_token", problem: "is not a token of this service") }
    guard UInt64(bitPattern: numbers[0]) == arguments else {
      throw RPCStatus.invalidArgument(field: "page_token", problem: "is of a request with other arguments")
    }
    return ReadingPlace(time: numbers[1], metric: metric, source: source)
  }

  /// A hash of arguments that is the same on every server (FNV-1a, 64 bits).
  package static func hash(_ arguments: String...) -> UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for argument in arguments {
      for byte in argument.utf8 + [0] { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    }
    return hash
  }
}
