import Foundation
import TestSupport
import Testing

@testable import Spreadsheets

@Suite("Tables in CSV files")
struct CSVTests {
  private let files: TableFiles

  init() throws { files = try TableFiles() }

  private func read(_ text: String, limits: TableLimits = TableLimits()) throws -> TableContent {
    TableContent(try files.write(text.utf8), limits: limits)
  }

  @Test("Cells are the same whatever the separator, the line ending, the encoding and the last line's end")
  func forms() throws {
    let table = [
      ["Ente", "Città", "Importo €"], ["ASL 1", "Forlì \"alta\"", "1.234,50"], ["", "più;di,uno\tqui", " spazi "],
      ["riga\ndue", "", "x"],
    ]
    for separator in [";", ",", "\t"] {
      for ending in ["\n", "\r\n", "\r"] {
        let text = table.map { row in
          row.map { "\"" + $0.replacing("\"", with: "\"\"") + "\"" }.joined(separator: separator)
        }.joined(separator: ending)
        for end in ["", ending, ending + ending] {
          let whole = text + end
          for bytes in [
            Data(whole.utf8), Data([0xEF, 0xBB, 0xBF]) + Data(whole.utf8), whole.data(using: .windowsCP1252)!,
          ] {
            let content = TableContent(try files.write(bytes))
            #expect(content.error == nil)
            #expect(content.cells == table)
            #expect(content.rows.map(\.number) == [1, 2, 3, 4])
          }
        }
      }
    }
  }

  @Test("A row's number is the line where it begins; rows with nothing in them are skipped")
  func numbers() throws {
    let content = try read("\n\na;b\r\n\"x\r\ny\rz\nq\";2\n;\n\r\n3;4\r;;;;;;\n5;6")
    #expect(content.error == nil)
    #expect(content.rows.map(\.number) == [3, 4, 10, 12])
    #expect(content.cells == [["a", "b"], ["x\r\ny\rz\nq", "2"], ["3", "4"], ["5", "6"]])
  }

  @Test(
    "The separator is the one that the heading has most often, outside quotes",
    arguments: [
      ("a;b\n1;2", ["a", "b"]), ("a,b\n1,2", ["a", "b"]), ("a\tb\n1\t2", ["a", "b"]), ("a\n1", ["a"]),
      ("\"a,b,c\";d\n1;2", ["a,b,c", "d"]),
      ("Importo (netto, lordo, IVA);Anno\n1;2", ["Importo (netto, lordo, IVA)", "Anno"]),
      ("a,b;c,d\n1,2,3", ["a", "b;c", "d"]), ("a,b,c;d", ["a", "b", "c;d"]),
    ])
  func separators(_ text: String, _ heading: [String]) throws {
    #expect(try read(text).cells.first == heading)
  }

  @Test("Quotes that do not open a cell are characters")
  func quotesWithin() throws {
    #expect(try read("a;b\n5\";x \"y\" z\n\"\"\"\";\"\"").cells[1...] == [["5\"", "x \"y\" z"], ["\"", ""]])
  }

  @Test("Empty cells at the end may be missing from the heading or be too many in a row")
  func trailing() throws {
    #expect(
      try read("a;b;;\n1;2\n3;4;5;;;\n").cells == [["a", "b", "", ""], ["1", "2", "", ""], ["3", "4", "5", ""]])
    #expect(try read("a;b\n1;2;;\n").cells == [["a", "b"], ["1", "2"]])
  }

  @Test(
    "An error names the row and the column",
    arguments: [
      ("a;b\n1;2\n3", 3, nil, "has 1 cells; the heading has 2: the row is cut"),
      ("a;b\n1;2;3", 2, 3, "stands beyond the heading, which has 2 cells"),
      ("a;b\n1;2\n3;\"x\n\n", 3, 2, "a quote opens the cell and never closes it"),
      ("a;b\n\"1\"x;2", 2, 1, "the quotes around the cell end, and the cell goes on"),
    ] as [(String, Int?, Int?, String)])
  func errors(_ text: String, _ row: Int?, _ column: Int?, _ message: String) throws {
    #expect(try read(text).error == TableError(row: row, column: column, message))
  }

  @Test("A NUL byte is an error, with and without quotes around it")
  func nul() throws {
    for text in ["a;b\n1;\0", "a;b\n1;\"\0\"", "a;\0b\n"] {
      let error = try read(text).error
      #expect(error?.message == "has a NUL byte: the file is no text" && error?.column == 2)
    }
  }

  @Test("All of Windows-1252 is understood, and its five gaps are errors")
  func windows1252() throws {
    for byte in UInt8(0x80)...0xFF {
      let content = TableContent(try files.write(Data("a;b\n1;x".utf8) + [byte, 0x79]))
      if [0x81, 0x8D, 0x8F, 0x90, 0x9D].contains(byte) {
        #expect(content.error?.row == 2 && content.error?.column == 2)
      } else {
        #expect(content.cells.last == ["1", String(data: Data([0x78, byte, 0x79]), encoding: .windowsCP1252)!])
      }
    }
  }

  @Test("What is no UTF-8 in one place is read as Windows-1252, unless it says to be UTF-8 or is cut")
  func encodings() throws {
    #expect(TableContent(try files.write(Data("è;b\n1;".utf8) + [0xE8, 0x0A])).cells.last == ["1", "è"])
    #expect(TableContent(try files.write(Data([0xEF, 0xBB, 0xBF]) + Data("a;".utf8) + [0xE8, 0x0A])).error != nil)
    #expect(
      TableContent(try files.write(Data("è;b\n1;".utf8) + [0xC3])).error
        == TableError("ends within a character: it is cut"))
    for bad: [UInt8] in [
      [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xE0, 0x80, 0x80], [0xF0, 0x80, 0x80, 0x80], [0xF8],
    ] {
      #expect(UTF8Scan.accepts(bad) == false)
      #expect(String(validating: bad, as: UTF8.self) == nil)
    }
  }

  @Test("UTF-16, old workbooks and empty files are refused by name")
  func others() throws {
    #expect(TableContent(try files.write([0xFF, 0xFE, 0x61, 0])).error?.message.contains("UTF-16") == true)
    #expect(TableContent(try files.write([0xD0, 0xCF, 0x11, 0xE0, 0xA1])).error?.message.contains(".xls") == true)
    #expect(TableContent(try files.write([])).error == TableError("is empty"))
    #expect(TableContent("/dev/zero").error == TableError("is no regular file"))
    #expect(TableContent("/nowhere").error?.message.hasPrefix("cannot be opened") == true)
    #expect(try read("\n\n\r\n").rows.isEmpty)
  }

  @Test("Limits hold")
  func limits() throws {
    #expect(try read("a;b\n1;2", limits: TableLimits(fileBytes: 6)).error?.message == "has 7 bytes; at most 6 are read")
    #expect(try read("a\n1\n2\n3", limits: TableLimits(rows: 3)).error?.row == 4)
    #expect(try read("a;b;c", limits: TableLimits(columns: 2)).error?.column == 3)
    #expect(try read("a\n12345", limits: TableLimits(cellBytes: 4)).error?.row == 2)
    let open = "a;b\n1;\"" + String(repeating: "2;3\n", count: 1_000_000)
    let content = try read(open)
    #expect(content.rows.count == 1)
    #expect(content.error?.row == 2)
    #expect(content.error?.message == "a quote opens the cell and does not close it within 32768 bytes")
  }

  @Test("An error comes again, and no row after it")
  func sticky() throws {
    let reader = try TableFile.open(try files.write("a;b\n1\n1;2".utf8))
    #expect(try reader.next()?.number == 1)
    for _ in 0..<2 { #expect(throws: TableError.self) { try reader.next() } }
  }

  @Test("A file that becomes shorter while it is read is an error; of one that grows nothing more is read")
  func changes() throws {
    let line = "1;\(String(repeating: "x", count: 998))\n"
    let text = "a;b\n" + String(repeating: line, count: 2_000)
    for (bytes, error) in [(1_000_000, "became shorter while it was read"), (3_000_000, nil)] {
      let path = try files.write(text.utf8)
      let reader = try TableFile.open(path)
      #expect(try reader.next()?.number == 1)
      #expect(truncate(path, bytes) == 0)
      var rows = 0
      let found = try error.map { _ in
        try #require(throws: TableError.self) { while try reader.next() != nil { rows += 1 } }
      }
      if error == nil { while try reader.next() != nil { rows += 1 } }
      #expect(found?.message == error)
      #expect(error != nil || rows == 2_000)
    }
  }

  @Test("Rows are whole wherever the chunks end")
  func chunks() throws {
    var text = "key;text;more\r\n"
    var expected = [["key", "text", "more"]]
    for index in 0..<60_000 {
      let long = String(repeating: "è\"", count: index % 97)
      expected.append(["\(index)", long, index % 5 == 0 ? "a\r\nb" : ""])
      text += "\(index);\"\(long.replacing("\"", with: "\"\""))\";\(index % 5 == 0 ? "\"a\r\nb\"" : "")\r\n"
    }
    let content = try read(text)
    #expect(content.error == nil)
    #expect(content.cells == expected)
    #expect(content.rows.last?.number == 60_000 + 11_999 + 2)
  }

  @Test("A row may be longer than a chunk")
  func longRows() throws {
    let cell = String(repeating: "x", count: 30_000)
    let row = Array(repeating: cell, count: 200)
    let line = row.joined(separator: ";")
    #expect(try read("\(line)\n\(line)\n").cells == [row, row])
  }

  @Test("A file that is cut anywhere gives its first rows, and an error unless only its last cell is shorter")
  func cuts() throws {
    let bytes = Array("città;\"b\"\";\";c\r\n1;\"due\r\nrighe\";è\r\n3;4;\"cinque\"\r\n".utf8)
    let whole = TableContent(try files.write(bytes)).rows
    #expect(whole.count == 3)
    for count in 0..<bytes.count {
      let content = TableContent(try files.write(bytes[..<count]))
      for (row, full) in zip(content.rows, whole) where row != full {
        #expect(row == content.rows.last && content.error == nil)
        // Without its second half a character is another one, or the heading ends early.
        #expect(full.cells[row.cells.count - 1].hasPrefix(row.cells.last!) || row.cells.last!.contains("Ã"))
      }
      #expect(content.rows.count <= whole.count)
    }
  }

  @Test("Bytes by chance never end the process")
  func noise() throws {
    var generator = SeededGenerator(seed: 1)
    let alphabet: [UInt8] = [0x3B, 0x2C, 0x09, 0x22, 0x22, 0x0A, 0x0D, 0x61, 0xC3, 0xA8, 0x81, 0x00, 0xEF, 0xBB, 0xBF]
    for _ in 0..<2_000 {
      let bytes = (0..<Int.random(in: 0...40, using: &generator)).map { _ in
        alphabet.randomElement(using: &generator)!
      }
      let content = TableContent(try files.write(bytes))
      #expect(Set(content.cells.map(\.count)).count <= 1)
    }
  }
}

extension UTF8Scan {
  fileprivate static func accepts(_ bytes: [UInt8]) -> Bool {
    var scan = UTF8Scan()
    bytes.withUnsafeBytes { scan.take($0, at: 0) }
    return scan.isValid && scan.isComplete
  }
}
