import Domain
import Testing

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

/// Tokens at hand: what is read, and what changes meanwhile.
@Suite struct KnownTokensTests {
  private let tokens = KnownTokens()

  private func token(_ name: String, _ principal: Principal, session: SessionID? = nil, for time: Duration? = nil)
    -> KnownToken
  {
    KnownToken(hash: TokenHash(name), TokenHolder(principal: principal, session: session, timeLeft: time))
  }

  /// The names that stand for somebody.
  private func known(_ names: String...) -> [String] {
    names.filter { if case .token = tokens.find(TokenHash($0)) { true } else { false } }
  }

  private func isUnknown(_ name: String) -> Bool {
    if case .unknown = tokens.find(TokenHash(name)) { true } else { false }
  }

  @Test func aNobodyIsToldFromAnUnknownTokenUntilItIsMade() {
    #expect(isUnknown("a"))
    tokens.addStranger(TokenHash("a"))
    guard case .nobody = tokens.find(TokenHash("a")) else {
      Issue.record("it was found")
      return
    }
    tokens.add(token("a", .person(5)), asOf: tokens.changes)
    #expect(known("a") == ["a"])
  }

  @Test func whoGuessesCannotMakeItGrowWithoutEnd() {
    tokens.add(token("a", .person(5)), asOf: tokens.changes)
    for index in 0..<KnownTokens.maxStrangers + 5_000 { tokens.addStranger(TokenHash("\(index)")) }
    #expect(isUnknown("0") && !isUnknown("\(KnownTokens.maxStrangers + 4_999)"))
    #expect(known("a") == ["a"])
  }

  @Test func whatHasEndedIsForgottenAndNothingElse() {
    let all = [
      token("session 1", .person(5), session: 1), token("session 2", .person(5), session: 2),
      token("device", .device(1, of: 5)), token("operator's", .person(5)), token("other", .person(6), session: 3),
    ]
    for token in all { tokens.add(token, asOf: tokens.changes) }
    func left() -> [String] { known("session 1", "session 2", "device", "operator's", "other") }
    tokens.forget(.session(1, of: 5))
    #expect(left() == ["session 2", "device", "operator's", "other"])
    tokens.forget(.sessions(of: 5, except: 2))
    #expect(left() == ["session 2", "device", "other"])
    tokens.forget(.sessions(of: 5, except: nil))
    #expect(left() == ["device", "other"])
    tokens.forget(.device(1, of: 5))
    #expect(left() == ["other"])
    tokens.forget(.account(6))
    #expect(left() == [] && tokens.count == 0)
  }

  @Test func anAnswerThatIsOlderThanAnEndingBringsNothingBack() {
    let count = tokens.changes
    tokens.forget(.device(1, of: 5))
    tokens.add(token("device", .device(1, of: 5)), asOf: count)
    #expect(known("device") == [])

    // Ended elsewhere: another look was faster than the answer.
    let earlier = tokens.changes
    #expect(tokens.replace([5], by: [], asOf: earlier) == [])
    tokens.add(token("device", .device(1, of: 5)), asOf: earlier)
    #expect(known("device") == [])
  }

  @Test func whatEndsOfOthersKeepsNoTokenFromBeingKnown() {
    let count = tokens.changes
    tokens.forget(.account(6))
    #expect(tokens.replace([7], by: [], asOf: tokens.changes) == [])
    #expect(tokens.add(token("device", .device(1, of: 5)), asOf: count))
    #expect(known("device") == ["device"])
    // Everything was read: it may have been this one.
    #expect(tokens.replace(nil, by: [], asOf: tokens.changes) == [])
    #expect(!tokens.add(token("another", .device(2, of: 5)), asOf: count))
  }

  @Test func whenTokensEndedIsKeptOfSoManyAccountsAndOfAllOthersTogether() {
    let count = tokens.changes
    for account in 1...AccountID(KnownTokens.maxEndings) { tokens.forget(.account(account + 100)) }
    #expect(tokens.add(token("early", .person(5)), asOf: count))
    tokens.forget(.account(6))
    for person in [PersonID(5), 6, 101] { #expect(!tokens.add(token("late", .person(person)), asOf: count)) }
    #expect(tokens.add(token("now", .person(6)), asOf: tokens.changes))
  }

  @Test func whatWasReadReplacesItsAccountsAndNoOthers() {
    for (name, person) in [("a", PersonID(5)), ("b", 5), ("c", 6)] {
      tokens.add(token(name, .person(person)), asOf: tokens.changes)
    }
    _ = tokens.replace([], by: [], asOf: tokens.changes)
    #expect(tokens.replace([5, 7], by: [token("b", .person(5)), token("d", .person(7))], asOf: tokens.changes) == [])
    #expect(known("a", "b", "c", "d") == ["b", "c", "d"])
    // Everything: who is not named has ended.
    #expect(tokens.replace(nil, by: [token("d", .person(7))], asOf: tokens.changes) == [])
    #expect(known("a", "b", "c", "d") == ["d"])
  }

  @Test func whatChangedWhileItWasReadIsReadAgain() {
    tokens.add(token("old", .device(1, of: 5)), asOf: tokens.changes)
    let count = tokens.changes
    tokens.forget(.device(1, of: 5))
    tokens.add(token("new", .device(2, of: 6)), asOf: tokens.changes)
    let read = [token("old", .device(1, of: 5)), token("other", .person(7))]
    #expect(tokens.replace([5, 6, 7], by: read, asOf: count) == [5, 6])
    #expect(known("old", "new", "other") == ["new", "other"])
  }

  @Test func aTokenHoldsUntilItsEnd() {
    tokens.add(token("over", .person(5), for: .zero), asOf: tokens.changes)
    tokens.add(token("good", .person(5), for: .seconds(60)), asOf: tokens.changes)
    #expect(known("over", "good") == ["good"] && !isUnknown("over"))
  }
}
