import Testing

@testable import ExpenditureRules

@Suite("Salute Trasparente: tables as files")
struct MeasureTableTests {
  private func text(_ form: TableFile.Form, _ rows: [[TableFile.Cell]]) -> String {
    var file = TableFile(form)
    for row in rows { file.addRow(row) }
    let bytes = file.bytes
    #expect(Array(bytes.prefix(3)) == [0xEF, 0xBB, 0xBF])
    return String(decoding: bytes.dropFirst(3), as: UTF8.self)
  }

  @Test func numbersAreInTheFormOfTheLanguage() {
    let row: [TableFile.Cell] = [
      .whole(-3), .hundredths(-5), .hundredths(123_456), .hundredths(0), .percent(millionths: 12_345),
      .percent(millionths: -1), .empty, .hundredths(.min),
    ]
    #expect(
      text(.italian, [row]) == "-3;-0,05;1234,56;0,00;1,2345;-0,0001;;-92233720368547758,08\r\n")
    #expect(
      text(.english, [row]) == "-3,-0.05,1234.56,0.00,1.2345,-0.0001,,-92233720368547758.08\r\n")
  }

  @Test(
    "No text can be taken for a formula",
    arguments: ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "=cmd|' /C calc'!A0"])
  func formulas(_ words: String) {
    #expect(text(.italian, [[.text(words)]]).drop { $0 == "\"" }.first == "'")
  }

  @Test func cellsAreQuotedWhereTheyHaveTo() {
    #expect(text(.italian, [[.text("a;b"), .text("a,b"), .text("say \"a\"")]]) == "\"a;b\";a,b;\"say \"\"a\"\"\"\r\n")
    #expect(text(.english, [[.text("a;b"), .text("a,b"), .text("a\r\nb")]]) == "a;b,\"a,b\",\"a\r\nb\"\r\n")
    for end in ["\n", "\r"] { #expect(text(.english, [[.text("a\(end)b")]]) == "\"a\(end)b\"\r\n") }
    #expect(text(.english, [[.text("=\"a\",b")]]) == "\"'=\"\"a\"\",b\"\r\n")
  }

  @Test func notesComeFirst() {
    var file = TableFile(.italian)
    file.addNote("Fonte", "RGS; \"OpenBDAP\"")
    file.addEmptyLine()
    file.addRow([.text("Anno")])
    #expect(
      String(decoding: file.bytes.dropFirst(3), as: UTF8.self) == "Fonte;\"RGS; \"\"OpenBDAP\"\"\"\r\n\r\nAnno\r\n")
  }
}
