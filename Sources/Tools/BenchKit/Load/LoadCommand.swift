/// What a bench tells the process that makes its load: a name and numbers, as in `open pushes=100`.
package struct LoadCommand {
  package let name: String
  private let numbers: [String: Int]

  package init(_ line: String) {
    let words = line.split(separator: " ")
    name = words.first.map { String($0) } ?? ""
    var numbers: [String: Int] = [:]
    for word in words.dropFirst() {
      let parts = word.split(separator: "=")
      if parts.count == 2 { numbers[String(parts[0])] = Int(parts[1]) }
    }
    self.numbers = numbers
  }

  package subscript(name: String) -> Int { numbers[name] ?? 0 }
}
