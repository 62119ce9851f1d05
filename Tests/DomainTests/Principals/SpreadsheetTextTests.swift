import Domain
import Testing

@Suite("Texts in files that spreadsheets open")
struct SpreadsheetTextTests {
  @Test(
    "What somebody has typed is no formula, in whatever width",
    arguments: [
      "=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "\r\n=1", "＝1+1", "＋1", "－1", "＠SUM(A1)", "﹦1", "﹢1",
      "﹣1",
      "﹫1", "=\u{301}1",
    ])
  func formulas(_ text: String) {
    #expect(SpreadsheetText.plain(text) == "'" + text)
  }

  @Test("Other words stay as they are", arguments: ["", "cuff", "a=b", "'=1", "è", "ａ＝1", "−1"])
  func words(_ text: String) {
    #expect(SpreadsheetText.plain(text) == text)
  }
}
