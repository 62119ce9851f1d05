import Foundation
import Testing
import Threads

@Suite struct MemoryArenasTests {
  @Test func whatIsFreeBelowABlockThatStaysGoesBackToTheSystem() throws {
    // Small enough to come from an arena, each with a page of its own; the last one keeps the arena from shrinking.
    let blocks = (0..<20_000).map { _ in
      let block = UnsafeMutableRawPointer.allocate(byteCount: 8_000, alignment: 16)
      block.initializeMemory(as: UInt8.self, repeating: 1, count: 8_000)
      return block
    }
    for block in blocks.dropLast() { block.deallocate() }
    let before = try residentBytes()
    MemoryArenas.giveBack()
    #expect(try residentBytes() < before - 100_000_000)
    blocks.last?.deallocate()
  }

  private func residentBytes() throws -> Int {
    let words = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
    return try #require(Int(words[1])) * sysconf(Int32(_SC_PAGESIZE))
  }
}
