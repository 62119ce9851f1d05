import Testing

@testable import WebRules

@Suite("Envelopes of calls that stream")
struct EnvelopeTests {
  /// All messages of a stream that comes in parts.
  private func messages(_ parts: [[UInt8]], maxBytes: Int = 100) throws(EnvelopeFault) -> [[UInt8]] {
    var reader = EnvelopeReader(maxBytes: maxBytes)
    var messages: [[UInt8]] = []
    for part in parts {
      reader.add(part)
      while let message = try reader.next() { messages.append(message) }
    }
    try reader.finish()
    return messages
  }

  @Test("A stream is the same messages in whatever parts it comes")
  func parts() throws {
    let sent: [[UInt8]] = [[1, 2, 3], [], [UInt8](repeating: 7, count: 100)]
    let bytes = sent.flatMap { Envelope.wrap($0) }
    #expect(try messages([bytes]) == sent)
    #expect(try messages(bytes.map { [$0] }) == sent)
    for cut in 0...bytes.count { #expect(try messages([Array(bytes[..<cut]), Array(bytes[cut...])]) == sent) }
  }

  @Test("A message that is too long is refused by its head, before its bytes come")
  func tooLong() {
    #expect(throws: EnvelopeFault.tooLong(limit: 100)) { try messages([Envelope.head([], count: 101)]) }
    #expect(throws: EnvelopeFault.tooLong(limit: 100)) { try messages([[0, 255, 255, 255, 255]]) }
  }

  @Test("What is compressed, has other flags or is cut off is no message")
  func faults() {
    #expect(throws: EnvelopeFault.compressed) { try messages([[1, 0, 0, 0, 0]]) }
    for flags: UInt8 in [2, 3, 4, 128, 255] {
      #expect(throws: EnvelopeFault.unknownFlags(flags)) { try messages([[flags, 0, 0, 0, 0]]) }
    }
    let bytes = Envelope.wrap([1, 2, 3])
    for count in 1..<bytes.count { #expect(throws: EnvelopeFault.cut) { try messages([Array(bytes[..<count])]) } }
  }

  @Test func aHeadTellsFlagsAndLength() {
    #expect(Envelope.head(.end, count: 0x0102_0304) == [2, 1, 2, 3, 4])
    #expect(Envelope.wrap([9]) == [0, 0, 0, 0, 1, 9])
  }

  @Test("A reader holds no more than a message and what came with its end")
  func memory() throws {
    var reader = EnvelopeReader(maxBytes: 10)
    for _ in 0..<1_000 {
      reader.add(Envelope.wrap([1, 2]))
      #expect(try reader.next() == [1, 2] && reader.next() == nil)
      #expect(reader.heldBytes <= 7)
    }
    try reader.finish()
  }
}
