import Domain
import SosRules
import Testing

@testable import Emergencies

/// What streams of people at a desk are told, and from where they go on.
@Suite struct DeskBoardTests {
  private func id(_ number: PersonID) -> EmergencyID { EmergencyID(person: number, metric: 1, began: 1) }

  private func persons(_ changes: [(id: EmergencyID, place: CallPlace, revision: Microseconds)]) -> [PersonID] {
    changes.map { change in (1...300).first { id(PersonID($0)) == change.id }.map { PersonID($0) } ?? 0 }
  }

  @Test func aStreamWithoutAPositionBeginsAnewWithWhatIsOpen() {
    var board = DeskBoard(began: 10)
    board.put(id(1), .waiting, changed: 1, at: 11)
    board.put(id(2), .over, changed: 1, at: 12)
    board.put(id(3), .ours, changed: 1, at: 13)
    board.put(id(4), .taken, changed: 1, at: 14)
    board.put(id(5), .refused, changed: 1, at: 15)
    let found = board.changes(after: nil, limit: 10)
    #expect(found.beginsAnew && persons(found.calls) == [1, 3, 5])
    #expect(board.head == 15)
  }

  @Test func aPositionIsFollowedByTheNewestOfEachCallThatHasChangedSince() {
    var board = DeskBoard(began: 10)
    for person in 1...3 { board.put(id(PersonID(person)), .waiting, changed: 1, at: 10 + Microseconds(person)) }
    board.put(id(1), .ours, changed: 2, at: 14)
    board.put(id(1), .over, changed: 3, at: 15)
    let found = board.changes(after: 12, limit: 10)
    #expect(!found.beginsAnew && persons(found.calls) == [3, 1] && found.calls.last?.place == .over)
    #expect(board.changes(after: 15, limit: 10).calls.isEmpty)
    #expect(persons(board.changes(after: 10, limit: 1).calls) == [2], "the rest follows its position")
  }

  @Test func aPositionThatIsNotOfThisRunBeginsAnew() {
    var board = DeskBoard(began: 10)
    board.put(id(1), .waiting, changed: 1, at: 11)
    for position: Microseconds in [9, 12] { #expect(board.changes(after: position, limit: 10).beginsAnew) }
    for position: Microseconds in [10, 11] { #expect(!board.changes(after: position, limit: 10).beginsAnew) }
  }

  @Test func whoeverHasNotHeardOfWhatWasForgottenBeginsAnew() {
    var board = DeskBoard(began: 10)
    board.put(id(1), .over, changed: 1, at: 11)
    board.put(id(2), .waiting, changed: 1, at: 12)
    board.drop(id(1))
    #expect(board.changes(after: 10, limit: 10).beginsAnew && !board.changes(after: 11, limit: 10).beginsAnew)
    let wasThere = board.erase([id(2)], at: 13)
    #expect(wasThere)
    #expect(board.changes(after: 12, limit: 10).beginsAnew && board.changes(after: 12, limit: 10).calls.isEmpty)
    let isThere = board.erase([id(2)], at: 14)
    #expect(!isThere)
  }

  @Test func whatIsDoneWithIsShownOnceAndNotOnAndOn() {
    var board = DeskBoard(began: 10)
    #expect(!board.lacks(id(1), .taken, changed: 1) && !board.lacks(id(1), .over, changed: 1))
    #expect(board.lacks(id(1), .waiting, changed: 1))
    board.put(id(1), .waiting, changed: 1, at: 11)
    #expect(!board.lacks(id(1), .waiting, changed: 1) && board.lacks(id(1), .waiting, changed: 2))
    board.put(id(1), .taken, changed: 3, at: 12)
    #expect(!board.lacks(id(1), .taken, changed: 4) && board.lacks(id(1), .over, changed: 5))
    #expect(board.lacks(id(1), .waiting, changed: 5), "it has come back")
  }

  @Test func aCallThatChangesForEverTakesNoMoreRoom() {
    var board = DeskBoard(began: 0)
    for time in 1...10_000 { board.put(id(1), .waiting, changed: Microseconds(time), at: Microseconds(time)) }
    #expect(board.orderCount < 100)
    #expect(board.changes(after: 9_999, limit: 10).calls.count == 1)
    #expect(board.changes(after: 0, limit: 10).calls.count == 1)
  }
}
