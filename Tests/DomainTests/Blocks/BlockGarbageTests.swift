import Domain
import TestSupport
import Testing

@Suite struct BlockGarbageTests {
  @Test func randomBytesAreRefusedOrBecomeASmallBlock() {
    var generator = SeededGenerator(seed: 11)
    for _ in 0..<20_000 {
      let size = Int.random(in: 0...120, using: &generator)
      var bytes = (0..<size).map { _ in UInt8.random(in: 0...255, using: &generator) }
      if size > 1 { (bytes[0], bytes[1]) = (1, bytes[1] & 15) }
      // Counts that have a chance: their upper bytes are zero.
      if size > 5 { (bytes[3], bytes[4], bytes[5]) = (0, 0, 0) }
      expectHarmless(bytes)
    }
  }

  @Test func damagedPayloadsAreRefusedOrBecomeASmallBlock() {
    for seed in 0..<60 as Range<UInt64> {
      var random = RandomReadings(seed: seed)
      let columns = random.columns()
      let payload = BlockCodec.encode(columns, positions: random.positions(for: columns))
      for _ in 0..<60 {
        var bytes = payload
        for _ in 0..<Int.random(in: 1...3, using: &random.generator) {
          bytes[Int.random(in: 0..<min(bytes.count, 200), using: &random.generator)] = UInt8.random(
            in: 0...255, using: &random.generator)
        }
        expectHarmless(bytes)
        expectHarmless(Array(bytes.prefix(Int.random(in: 0...bytes.count, using: &random.generator))))
      }
    }
  }

  @Test func everyShorterPayloadIsRefused() {
    var random = RandomReadings(seed: 5)
    let columns = random.columns()
    let payload = BlockCodec.encode(columns, positions: random.positions(for: columns))
    for length in 0..<payload.count {
      #expect(throws: BlockError.self) { try BlockCodec.decode(Array(payload.prefix(length))) }
    }
  }

  @Test func aTinyPayloadCannotClaimMillionsOfReadings() {
    let constants: [UInt8] = [0, 0]
    let claim: [UInt8] = [1, 1, 0xFF, 0xFF, 0xFF, 0x7F] + constants + constants + constants + constants + [0x10]
    #expect(throws: BlockError.malformed(.constantTooLong)) { try BlockCodec.decode(claim) }
  }

  @Test func aLaterVersionIsNamed() {
    #expect(throws: BlockError.unknownVersion(9)) { try BlockCodec.decode([9, 0]) }
  }

  private func expectHarmless(_ bytes: [UInt8]) {
    guard let block = try? BlockCodec.decode(bytes) else { return }
    let readingsMax = 3 * (bytes.count + 65_536)
    #expect(block.count <= readingsMax)
    _ = try? bytes.withUnsafeBytes { try BlockCodec.decode($0, persons: [1, 2], metrics: [1]) }
    _ = try? bytes.withUnsafeBytes { try BlockCodec.indices(ofPerson: 1, in: $0) }
  }
}
