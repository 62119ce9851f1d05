import Testing

@testable import WebRules

@Suite("Files that are loaded: their names, and lines of tables")
struct DownloadRuleTests {
  @Test("A file's name holds nothing that a header or a folder could take for something else")
  func names() {
    #expect(FileName("trackme-run", "7", ending: "gpx").text == "trackme-run-7.gpx")
    #expect(FileName("trackme", nil, ending: "csv").text == "trackme.csv")
    #expect(FileName("../..\\a\"b\r\nX: y", "È Corsa", ending: "csv").text == "a-b-x-y-corsa.csv")
    #expect(
      FileName("a", ending: "csv").disposition == ("content-disposition", #"attachment; filename="a.csv""#))
  }

  @Test("A cell is quoted where it has to be")
  func cells() {
    #expect(CSV.line(["a", nil, "1.5"]) == "a,,1.5\n")
    #expect(CSV.line([#"a "b""#, "c,d", "e\nf", "g\rh", " i "]) == "\"a \"\"b\"\"\",\"c,d\",\"e\nf\",\"g\rh\", i \n")
  }
}
