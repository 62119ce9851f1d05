internal import RPCRuntime

/// The part of a list that a request asks for, where the list is in the order of falling numbers.
package struct ListPage {
  /// The most entries of the page.
  package let size: Int
  /// Entries with smaller numbers than this one are wanted.
  package let before: Int64
  private let arguments: UInt64
  private let seal: Seal

  /// - Parameters:
  ///   - defaultSize: what `pageSize` 0 means.
  ///   - maxSize: what greater sizes are cut to.
  ///   - arguments: everything else that decides what is in the list; a token belongs to one set of them.
  /// - Throws: INVALID_ARGUMENT for a negative size and for a token of other arguments.
  package init(
    size pageSize: Int32, token: String, arguments: UInt64, _ seal: Seal, defaultSize: Int = 50, maxSize: Int = 100
  ) throws {
    guard pageSize >= 0 else {
      throw RPCStatus.invalidArgument(field: "page_size", problem: "must not be negative")
    }
    size = pageSize == 0 ? defaultSize : min(Int(pageSize), maxSize)
    self.arguments = arguments
    self.seal = seal
    before = try PageToken.place(in: token, arguments: arguments, seal)?.time ?? .max
  }

  /// The token of the page after one that has been read with one entry more than its size.
  ///
  /// - Parameters:
  ///   - count: how many entries were found.
  ///   - last: the number of the page's last entry.
  package func nextToken(found count: Int, last: Int64?) -> String {
    guard count > size, let last else { return "" }
    return PageToken(arguments: arguments, place: .init(time: last, metric: 0, source: 0)).text(seal)
  }
}
