import RPCRuntime
import Testing

extension RPCRuntimeTests {
  @Suite struct Messages {
    @Test(arguments: [0, 1, 22, 23, 24, 25, 4_096]) func bytesComeBackAsTheyWentIn(count: Int) {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
      #expect(RPCMessage(bytes).bytes == bytes)
      #expect(bytes.withUnsafeBytes { RPCMessage($0) }.bytes == bytes)
      let filled = RPCMessage(capacity: count + 30) { buffer in
        buffer.copyBytes(from: bytes)
        return count
      }
      #expect(filled.count == count)
      #expect(filled.bytes == bytes)
    }

    @Test func liveMessagesAreCounted() {
      let before = RPCMessage.liveCount
      withExtendedLifetime(RPCMessage([1])) { #expect(RPCMessage.liveCount == before + 1) }
      #expect(RPCMessage.liveCount == before)
    }
  }
}
