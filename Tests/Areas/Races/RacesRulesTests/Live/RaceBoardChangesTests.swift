import TestSupport
import Testing

@testable import Domain
@testable import RacesRules

/// What organisers and runners decide, and what the board is a function of.
@Suite struct RaceBoardChangesTests {
  @Test("A-R26: organisers correct the order afterwards")
  func corrections() {
    var rig = BoardRig(3)
    rig.run(1, 0...1_040)
    rig.run(2, 0...800, speed: 4)
    #expect(rig.standing(at: 1_100).map(\.person) == [2, 1, 3])
    let measured = rig.row(1, at: 1_100)
    // The device of 3 failed before the start.
    rig.decide(.finishTime, [3], at: 1_100, finishTime: 700)
    rig.decide(.finishTime, [1], at: 1_100, finishTime: 600.5)
    let rows = rig.standing(at: 1_101)
    #expect(rows.map(\.person) == [1, 3, 2])
    #expect(rows.map(\.finishTime) == [600_500_000, 700_000_000, rows[2].finishTime])
    #expect(rows.map(\.isCorrected) == [true, true, false])
    #expect(rows.allSatisfy { $0.status == .finished && $0.firstRank == $0.rank && $0.lastRank == $0.rank })
    #expect(!rows[1].hasMarker)
    rig.decide(.didNotFinish, [2], at: 1_102)
    #expect(rig.row(2, at: 1_103).status == .didNotFinish)
    #expect(rig.row(2, at: 1_103).finishTime == nil && rig.row(2, at: 1_103).isCorrected)
    #expect(rig.standing(at: 1_103).map(\.person) == [1, 3, 2])
    rig.decide(.asMeasured, [1, 2, 3], at: 1_104)
    #expect(rig.standing(at: 1_105).map(\.person) == [2, 1, 3])
    #expect(rig.row(1, at: 1_105).finishTime == measured.finishTime)
  }

  @Test("who gives up stays where that was")
  func retires() {
    var rig = BoardRig(2)
    rig.run(1, 0...100)
    rig.decide(.retired, [1], at: 100.5)
    rig.run(1, 101...1_100, from: 303)
    let row = rig.row(1, at: 1_101)
    #expect(row.status == .retired && abs(row.distance - 300) < 5 && row.hasMarker && row.finishTime == nil)
    #expect(rig.row(1, at: 4_000).status == .retired)
  }

  @Test("who gives the place back before the start is not on the board")
  func withdraws() {
    var rig = BoardRig(3)
    rig.decide(.withdrawn, [2], at: -100)
    rig.run(2, 0...100)
    #expect(rig.standing(at: -50).map(\.person) == [1, 3])
    #expect(rig.standing(at: 101).map(\.person) == [1, 3])
  }

  @Test("positions before the gun, after the end and after the runner's own finish move nothing")
  func outside() {
    var rig = BoardRig(1, timeLimit: 1_100_000_000)
    rig.run(1, -600...(-1), from: 500, speed: 1)
    #expect(rig.row(1, at: 1).status == .notSeen)
    rig.run(1, 0...1_099)
    let row = rig.row(1, at: 1_099)
    #expect(row.status == .finished)
    rig.run(1, 1_100...1_200, from: 100)
    #expect(rig.row(1, at: 1_201) == row)
  }

  @Test("what concerns another race, or nobody of this one, only moves the position")
  func others() {
    var rig = BoardRig(2)
    rig.run(1, 0...60)
    let rows = rig.standing(at: 61)
    rig.decide(.disqualified, [1], at: 61, race: 6)
    rig.decide(.raceCancelled, at: 61, race: 6)
    rig.decide(.disqualified, [77], at: 61)
    rig.run(77, 61...62)
    rig.board.advance(to: 1_000)
    #expect(rig.standing(at: 61) == rows)
    #expect(rig.board.position == 1_000)
    rig.board.advance(to: 900)
    #expect(rig.board.position == 1_000)
  }

  @Test("A-R23: the race is the exertion of those who run it")
  func exerting() {
    var rig = BoardRig(6, present: [1, 2, 3, 4, 5], timeLimit: 2 * BoardRig.hour)
    #expect(rig.board.exerting(at: BoardRig.time(-1)).isEmpty)
    #expect(rig.board.exerting(at: BoardRig.time(0)) == [1, 2, 3, 4, 5])
    rig.run(1, 0...1_100)
    rig.run(2, 0...800)
    rig.run(3, 0...800)
    rig.run(4, 0...300)
    #expect(rig.board.exerting(at: BoardRig.time(801)) == [1, 2, 3, 4, 5])
    // 1 has finished, 4 is silent since 300 s, 5 was never seen.
    #expect(rig.board.exerting(at: BoardRig.time(1_201)) == [2, 3])
    rig.decide(.retired, [2], at: 1_202)
    rig.decide(.disqualified, [3], at: 1_202)
    #expect(rig.board.exerting(at: BoardRig.time(1_203)).isEmpty)
    rig.decide(.reinstated, [3], at: 1_203)
    #expect(rig.board.exerting(at: BoardRig.time(1_204)) == [3])
    #expect(rig.board.exerting(at: BoardRig.time(1_701)).isEmpty)
  }

  /// What three runners report on a course with laps, in the order of time.
  private static func log(seed: UInt64, course: Course) -> [(person: PersonID, fix: Fix)] {
    (1...3 as ClosedRange<PersonID>).flatMap { person in
      let habits = SimulatedRunner.Habits(speed: 2.5 + Double(person), pauses: 1)
      return SimulatedRunner(course, habits, .five, seed: seed * 10 + UInt64(person)).fixes.map { (person, $0) }
    }.sorted { ($0.1.time, $0.0) < ($1.1.time, $1.0) }
  }

  @Test("the same log gives the same board, however its commits are cut into rows", arguments: 0..<3 as Range<UInt64>)
  func deterministic(seed: UInt64) {
    let course = SimulatedCourse.opposite.course
    let log = Self.log(seed: seed, course: course)
    var (whole, cut) = (BoardRig(course: course), BoardRig(course: course))
    var random = SeededGenerator(seed: seed)
    for start in stride(from: 0, to: log.count, by: 30) {
      let commit = Array(log[start..<min(log.count, start + 30)])
      whole.take(commit.shuffled(using: &random))
      cut.position += 1
      // By persons, and each person's in two parts.
      for person in (1...3 as ClosedRange<PersonID>).shuffled(using: &random) {
        let own = commit.filter { $0.person == person }
        let middle = Int.random(in: 0...own.count, using: &random)
        cut.board.take(cut.columns(Array(own[..<middle])), at: cut.position)
        cut.board.take(cut.columns(Array(own[middle...])), at: cut.position)
      }
      if start % 300 == 0 {
        let time = commit.last!.fix.time
        #expect(whole.board.standing(at: time) == cut.board.standing(at: time))
      }
    }
    #expect(whole.board.standing(at: log.last!.fix.time) == cut.board.standing(at: log.last!.fix.time))
    #expect(whole.standing(at: 2_000).map(\.status) == [.finished, .finished, .finished])
  }

  @Test("positions of a clock that is ahead are held back until their time", arguments: 0..<3 as Range<UInt64>)
  func heldBack(seed: UInt64) {
    let course = SimulatedCourse.laps.course
    let log = Self.log(seed: seed + 5, course: course)
    // One board takes everything up to 30 s ahead of the time asked for, the other one only what is due.
    var (ahead, due) = (BoardRig(course: course), BoardRig(course: course))
    var (i, j) = (0, 0)
    for second in stride(from: 5.0, to: 1_300, by: 7) {
      let time = BoardRig.time(second)
      var rows: [(person: PersonID, fix: Fix)] = []
      while i < log.count, log[i].fix.time <= time + 30_000_000 {
        rows.append(log[i])
        i += 1
      }
      ahead.take(rows)
      rows = []
      while j < log.count, log[j].fix.time <= time {
        rows.append(log[j])
        j += 1
      }
      due.take(rows)
      let (a, b) = (ahead.board.standing(at: time), due.board.standing(at: time))
      #expect(a == b, "second \(second)")
      if a != b { break }
    }
  }
}
