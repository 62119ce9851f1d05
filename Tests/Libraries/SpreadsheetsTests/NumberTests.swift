import Testing

@testable import Spreadsheets

@Suite("Numbers, days and places in sheets")
struct NumberTests {
  @Test(
    "A number is written without exponent, digit by digit",
    arguments: [
      ("1.4470736886E8", "144707368.86"), ("0", "0"), ("-0", "0"), ("0.0", "0"), ("007", "7"), ("1.50", "1.5"),
      ("1.", "1"), (".5", "0.5"), ("-1e-3", "-0.001"), ("+12", "12"), ("1E21", "1000000000000000000000"),
      ("1.5e+2", "150"), ("123.456e-2", "1.23456"), ("144707368.86000001", "144707368.86000001"), ("100", "100"),
      ("0.00012", "0.00012"), ("12e0", "12"),
    ])
  func plain(_ stored: String, _ text: String) {
    #expect(StoredNumber.plain(Array(stored.utf8)) == text)
  }

  @Test(
    "What is no number is none",
    arguments: [
      "", "-", ".", "e5", "1e", "1e5.5", "1,5", "1 2", "0x10", "NaN", "INF", "1e401", "--1", "1e99999999999999",
    ])
  func none(_ stored: String) {
    #expect(StoredNumber.plain(Array(stored.utf8)) == nil)
  }

  @Test("Days count from 1900, with a day that was none, or from 1904")
  func days() {
    func day(_ serial: String, _ isFrom1904: Bool = false) -> String? {
      SheetDay.text(serial, withTime: false, isFrom1904: isFrom1904)
    }
    #expect(day("1") == "1900-01-01")
    #expect(day("59") == "1900-02-28")
    #expect(day("60") == nil)
    #expect(day("61") == "1900-03-01")
    #expect(day("45688") == "2025-01-31")
    #expect(day("45688.99999") == "2025-01-31")
    #expect(day("36585") == "2000-02-29")
    #expect(day("2958465") == "9999-12-31")
    #expect(day("0") == nil && day("-1") == nil && day("2958466") == nil && day("1000000000000000000000") == nil)
    #expect(day("0", true) == "1904-01-01")
    #expect(day("44226", true) == "2025-01-31")
    #expect(day("2958465", true) == nil)
    #expect(SheetDay.text("45688.5211", withTime: true, isFrom1904: false) == "2025-01-31T12:30:23")
    #expect(SheetDay.text("45687.9999999999", withTime: true, isFrom1904: false) == "2025-01-31T00:00:00")
  }

  @Test(
    "A format says whether a number is a date",
    arguments: [
      ("dd/mm/yyyy", .date), ("yyyy\\-mm\\-dd", .date), ("mmm-yy", .date), ("[$-410]d mmmm yyyy;@", .date),
      ("dd/mm/yyyy hh:mm", .dateAndTime), ("hh:mm:ss", .number), ("[h]:mm", .number), ("mm:ss.0", .number),
      ("General", .number), ("0.00", .number), ("#,##0.00 [$€-410]", .number), ("0 \"days\"", .number),
      ("0\\d", .number), ("_-* #,##0_-;\\-* #,##0_-", .number), ("[Red]0;[Blue]d", .number), ("0.00E+00", .number),
      ("@", .number), ("", .number), ("\"unclosed", .number), ("[unclosed", .number), ("mmmm", .date),
    ] as [(String, NumberFormat)])
  func formats(_ code: String, _ format: NumberFormat) {
    #expect(NumberFormat(code: code) == format)
  }

  @Test("Places of cells and ranges")
  func places() {
    #expect(CellReference("B5".utf8) == CellReference(column: 2, row: 5))
    #expect(CellReference("$AA$10".utf8) == CellReference(column: 27, row: 10))
    #expect(CellReference("XFD1048576".utf8) == CellReference(column: 16_384, row: 1_048_576))
    for text in [
      "", "A", "5", "A0", "XFE1", "A1048577", "A1B", "A-1", "A99999999999999999999", "ZZZZZZZZZZZZZZZZZZZZ1",
    ] {
      #expect(CellReference(text.utf8) == nil)
    }
    func range(_ text: String) -> MergedRange? { Array(text.utf8).withUnsafeBytes { MergedRange($0) } }
    #expect(range("A1:C2")?.columns == 1...3)
    #expect(range("A1")?.rows == 1...1)
    for text in ["", ":", "A1:", "C2:A1", "A1:B2:C3", "A:C"] { #expect(range(text) == nil) }
  }

  @Test("Characters that XML cannot hold are written as numbers")
  func escapes() {
    for (stored, text) in [
      ("a_x000D_b", "a\rb"), ("_x005F_x000D_", "_x000D_"), ("_x00e8_", "è"), ("_x0000_", "_x0000_"),
      ("_xD800_", "_xD800_"), ("_x12", "_x12"), ("__x0041__", "_A_"), ("a_b_c_d_e", "a_b_c_d_e"), ("", ""),
    ] {
      #expect(SheetText.unescaped(Array(stored.utf8)) == text)
    }
  }
}
