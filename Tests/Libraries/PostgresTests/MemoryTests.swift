import Postgres
import Testing

/// One after the other: the tests here use, or measure, much memory.
@Suite(.serialized) struct MemoryTests {
  @Test func rowsStreamWithoutGatheringInMemory() throws {
    let connection = try freshConnection()
    let before = residentKiB()
    var sum: Int64 = 0
    try connection.streamRows("SELECT x, repeat('x', 1000) FROM generate_series(1, $1) x", [.int8(200_000)]) { row in
      sum += try row.int64(0)
    }
    #expect(sum == 20_000_100_000)
    // The answer is 200 MB.
    #expect(residentKiB() - before < 60_000)
  }

  @Test(.timeLimit(.minutes(5)))
  func largeParametersAndLargeAnswersDoNotDeadlock() throws {
    let connection = try freshConnection()
    let payload = [UInt8](repeating: 7, count: 32 << 20)
    let results = try connection.pipeline { pipeline in
      for _ in 0..<3 { try pipeline.append("SELECT $1", [.bytea(payload)]) }
    }
    for result in results { #expect(try result.withBytes(0, 0) { $0.count == payload.count && $0.last == 7 }) }
  }

  private func residentKiB() -> Int {
    let text = String(decoding: readFile("/proc/self/statm"), as: UTF8.self)
    return (Int(text.split(separator: " ")[1]) ?? 0) * 4
  }
}
