import Foundation
import Testing

@testable import Threads

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

  private func look(_ freeMiB: Int, _ residentMiB: Int) -> MemoryLook {
    MemoryLook(freeBytes: freeMiB << 20, residentBytes: residentMiB << 20)
  }

  @Test func whatWasGivenBackUsedAgainAndFreedBetweenTwoLooksIsGivenBackToo() {
    // After an attack, 100 MiB are in glibc's books, and 60 are resident: the others were given back.
    let given = look(100, 60)
    #expect(look(100, 100).isWorthGivingBack(after: given))
    #expect(look(140, 60).isWorthGivingBack(after: given))
    #expect(!look(120, 80).isWorthGivingBack(after: given))
    // Who looks while the attack goes on finds little that is free.
    var during = look(10, 90)
    during.lower(to: given)
    #expect(look(60, 70).isWorthGivingBack(after: during))
    #expect(look(10, 93).isWorthGivingBack(after: during))
    #expect(!look(40, 90).isWorthGivingBack(after: during))
  }

  @Test func whatIsResidentIsWhatTheSystemSays() throws {
    let (before, told, after) = (try residentBytes(), MemoryLook.now.residentBytes, try residentBytes())
    #expect(told > (before / 4) * 3 && told < (after / 3) * 4)
  }

  private func residentBytes() throws -> Int {
    let words = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
    return try #require(Int(words[1])) * sysconf(Int32(_SC_PAGESIZE))
  }
}
