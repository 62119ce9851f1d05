import RPCRuntime
import ServiceAPI
import Synchronization
import Testing
import TestSupport

@testable import Admin
@testable import AreaKit
@testable import Identity
@testable import Log
@testable import Notifications
@testable import Races
@testable import Readings
@testable import ServiceKit
@testable import Sharing
@testable import Sos

/// A-R5: who tries out fiscal codes gets nowhere.
@Suite(.timeLimit(.minutes(5))) struct LookupLimitTests {
  @Test func lookupsAreCountedBeforeTheirAnswersAreKnown() async throws {
    let limit = LookupLimit()
    let gate = Gate()
    let begun = Counter()
    let refused = Counter()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<130 {
        group.addTask {
          do {
            let found: Int? = try await limit.counted(for: 1) {
              begun.add(1)
              try await gate.wait()
              return nil
            }
            #expect(found == nil)
          } catch {
            #expect((error as? RPCStatus)?.errorInfo?.reason == "TOO_MANY_LOOKUPS")
            refused.add(1)
          }
        }
      }
      // None has an answer yet.
      try? await eventually { begun.value + refused.value == 130 }
      #expect((begun.value, refused.value) == (100, 30))
      gate.open()
    }
    await #expect(throws: RPCStatus.self) { _ = try await limit.counted(for: 1) { nil as Int? } }
    #expect(try await limit.counted(for: 2) { 7 } == 7)
  }

  @Test func whoeverIsFoundUsesNothingUp() async throws {
    let limit = LookupLimit()
    for _ in 0..<300 { #expect(try await limit.counted(for: 1) { 7 } == 7) }
  }
}
