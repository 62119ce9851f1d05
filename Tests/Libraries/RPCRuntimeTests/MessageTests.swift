import RPCRuntime
import TestSupport
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

    @Test("Derived bytes are made once, whoever comes at once, and end with the message")
    func derived() async {
      let made = Counter()
      let lived: @Sendable () async -> Bool = {
        let message = RPCMessage([1, 2, 3])
        let all = await withTaskGroup(of: [UInt8].self) { group in
          for _ in 0..<100 {
            group.addTask {
              message.derived { bytes in
                made.add(1)
                return bytes.reversed()
              }
            }
          }
          return await group.reduce(into: Set()) { $0.insert($1) }
        }
        return all == [[3, 2, 1]]
      }
      #expect(await lived() && made.value == 1)
      #expect(await lived() && made.value == 2)
    }

    @Test func aDerivationThatFailsIsTriedAgain() throws {
      struct Failure: Error {}
      let message = RPCMessage([1])
      #expect(throws: Failure.self) { try message.derived { _ throws(Failure) in throw Failure() } }
      #expect(message.derived { Array($0) } == [1])
    }

    @Test func liveMessagesAreCounted() {
      let before = RPCMessage.liveCount
      withExtendedLifetime(RPCMessage([1])) { #expect(RPCMessage.liveCount == before + 1) }
      #expect(RPCMessage.liveCount == before)
    }
  }
}
