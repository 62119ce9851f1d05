package import Console
internal import Glibc

/// Says on standard error what a bench is doing; standard output is for its result.
package func progress(_ line: String) {
  let text = line + "\n"
  _ = write(STDERR_FILENO, text, text.utf8.count)
}

/// How a bench ends: one JSON object, or the same for people to read.
package struct Report {
  private let members: KeyValuePairs<String, JSONValue>

  package init(members: KeyValuePairs<String, JSONValue>) { self.members = members }

  /// - Parameter isJSON: one line of JSON instead of a table.
  package func print(isJSON: Bool) { say(isJSON ? JSONValue.object(members).text : table) }

  private var table: String {
    let width = members.map(\.key.count).max() ?? 0
    return members.map { name, value in
      if case .array(let rows) = value { return ([name] + Self.lines(rows)).joined(separator: "\n  ") }
      return name.padded(to: width) + "  " + value.text
    }.joined(separator: "\n")
  }

  /// Objects as columns of a table.
  private static func lines(_ rows: [JSONValue]) -> [String] {
    let objects = rows.map { row -> KeyValuePairs<String, JSONValue> in
      if case .object(let members) = row { members } else { [:] }
    }
    guard let names = objects.first?.map(\.key) else { return [] }
    let width = names.map(\.count).max() ?? 0
    return names.indices.map { index in
      let cells = objects.map { index < $0.count ? $0[index].value.text : "" }
      return names[index].padded(to: width) + cells.map { "  " + $0.padded(to: 12) }.joined()
    }
  }
}

extension String {
  fileprivate func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}
