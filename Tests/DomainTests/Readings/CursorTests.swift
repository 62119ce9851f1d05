import Domain
import Testing

@Suite struct CursorTests {
  @Test(arguments: [0, 1, 35, 36, 1_000_000, .max] as [LogPosition]) func aCursorComesBackAsItWas(position: LogPosition)
  {
    #expect(Cursor(text: Cursor(position: position).text) == Cursor(position: position))
  }

  @Test(arguments: [
    "", "1", "1.", "0.5", "2.5", "1.-1", "1.+5", "1. 5", "1.05", "1.5 ", "1.A", "1.ä", "1.1y2p0ij32e8e8", "11.5",
    "1.zzzzzzzzzzzzzzzzzzzzz", "5",
  ])
  func whatTheServerDidNotSendIsNoCursor(text: String) {
    #expect(Cursor(text: text) == nil)
  }
}
