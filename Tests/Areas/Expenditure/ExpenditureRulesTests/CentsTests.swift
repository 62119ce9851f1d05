import ExpenditureRules
import Testing

@Suite("S-NFR10: amounts are read to the cent")
struct CentsTests {
  @Test(
    "Numbers as publishers write them",
    arguments: [
      ("4311697012.40", 431_169_701_240), ("0", 0), ("-0.01", -1), ("+12", 1_200), ("12.5", 1_250), ("12,50", 1_250),
      ("149.195.842.747,69", 14_919_584_274_769), ("149,195,842,747.69", 14_919_584_274_769),
      ("1.234.567", 123_456_700), ("12,345.67", 1_234_567),
      ("12.345,67", 1_234_567),
      ("1 234 567,8", 123_456_780), ("-1'234.50", -123_450), (" 7 ", 700), ("007.10", 710),
      ("10000000000000.00", 1_000_000_000_000_000),
    ])
  func numbers(text: String, cents: Int64) throws {
    #expect(try Cents.parse(text) == cents)
  }

  @Test(
    "What is no amount, or could be two, is refused",
    arguments: [
      "", " ", "-", ".", "1.", ".5", "1.234", "1,234", "1.2345", "12.345,6.7", "1,2,3", "1.23.456", "12 34", "1e5",
      "0x10",
      "NaN", "1,234.567,8", "--1", "1-", "€ 5", "10000000000000.01", "99999999999999999999999999", "1.234.5678", "٣",
      "1 234.567.890", "1.234 50", "1.5 3", "1,5'0", "12,345.6 7",
    ])
  func refused(text: String) {
    #expect(throws: Cents.Problem.self) { try Cents.parse(text) }
  }

  @Test("Cents as text", arguments: [(0, "0.00"), (-1, "-0.01"), (123_450, "1234.50"), (-205, "-2.05")])
  func texts(cents: Int64, text: String) { #expect(Cents.text(cents) == text) }
}
