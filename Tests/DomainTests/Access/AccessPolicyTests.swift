import Domain
import Testing

/// B-R.D4: fresh data is visible to its owner alone, and to the operator of the server.
@Suite struct AccessPolicyTests {
  @Test(
    arguments: [
      (Principal.operator, 1, true), (.operator, 2, true), (.person(1), 1, true), (.person(1), 2, false),
      (.person(2), 1, false),
    ] as [(Principal, PersonID, Bool)])
  func aPersonPushesAndReadsTheOwnReadingsOnly(principal: Principal, person: PersonID, isAllowed: Bool) {
    #expect(AccessPolicy.mayPush(principal, for: person) == isAllowed)
    #expect(AccessPolicy.mayRead(principal, of: person) == isAllowed)
  }

  @Test func onlyTheOperatorReadsEveryone() {
    #expect(AccessPolicy.mayReadEveryone(.operator))
    #expect(!AccessPolicy.mayReadEveryone(.person(1)))
  }

  @Test func noCallerCanTouchTheSequenceNumbersOfAnother() {
    // A client's name comes after the scope and a slash, and may hold slashes itself.
    let names = [Principal.operator, .person(1), .person(11)].flatMap { principal in
      ["a", "1/a", "person/1/a", "operator/a"].map { principal.clientScope + "/" + $0 }
    }
    #expect(Set(names).count == names.count)
  }
}
