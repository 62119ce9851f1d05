import Testing

@testable import Domain
@testable import RacesRules

/// The rules of the leaderboard and of the markers on the map.
@Suite struct RaceBoardTests {
  @Test("A-R23: the leaderboard has names and numbers, in the order of the runners' places on the course")
  func order() {
    var rig = BoardRig()
    rig.run(1, 0...100, speed: 2)
    rig.run(2, 0...100, speed: 4)
    rig.run(3, 0...100, speed: 3)
    let rows = rig.standing(at: 101)
    #expect(rows.map(\.person) == [2, 3, 1])
    #expect(rows.map(\.number) == [12, 13, 11])
    #expect(rows.map(\.name) == ["Runner 2", "Runner 3", "Runner 1"])
    #expect(rows.map(\.rank) == [1, 2, 3])
    #expect(rows.map(\.firstRank) == [1, 2, 3])
    #expect(rows.map(\.lastRank) == [1, 2, 3])
    #expect(rows.allSatisfy { $0.status == .running && $0.hasMarker && $0.marker == $0.distance && !$0.isGrey })
    #expect(zip(rows, [400.0, 300, 200]).allSatisfy { abs($0.distance - $1) < 5 })
    #expect(rows[0].fixTime == BoardRig.time(100))
    #expect(rows[0].splits == [Split(point: 0, time: 0)])
  }

  @Test("A-R23: ranks go by the place on the course, not by the way that positions add up to")
  func notByWay() {
    var rig = BoardRig(2)
    rig.run(1, 0...100, speed: 3)
    // To and fro across the street.
    for second in 0...100 {
      var fix = rig.fix(at: Double(second), Double(second) * 2.5)
      let side = second.isMultiple(of: 2) ? 0.000_1 : -0.000_1
      fix = Fix(time: fix.time, latitude: fix.latitude + side, longitude: fix.longitude, accuracy: 5, source: 1)
      rig.take([(2, fix)])
    }
    #expect(rig.standing(at: 101).map(\.person) == [1, 2])
  }

  @Test("A-R23: who cannot be told apart shares the possible ranks; equals are in the order of their numbers")
  func uncertainty() {
    var rig = BoardRig(4)
    rig.run(2, 0...100)
    rig.run(1, 0...100)
    rig.run(3, 0...100, speed: 2)
    rig.run(4, 0...100, speed: 5)
    let rows = rig.standing(at: 101)
    #expect(rows.map(\.person) == [4, 1, 2, 3])
    #expect(rows.map(\.rank) == [1, 2, 3, 4])
    #expect(rows.map(\.firstRank) == [1, 2, 2, 4])
    #expect(rows.map(\.lastRank) == [1, 3, 3, 4])
    #expect(rows.allSatisfy { $0.uncertainty > 0 && $0.uncertainty < 15 })
  }

  @Test("A-R23: finishers come first, by their times, which are exact; then the others by distance")
  func finish() {
    var rig = BoardRig()
    let length = rig.course.length
    rig.run(2, 0...800, speed: 4)
    rig.run(1, 0...660, speed: 5)
    rig.run(3, 0...700, speed: 3)
    let rows = rig.standing(at: 801)
    #expect(rows.map(\.person) == [1, 2, 3])
    #expect(rows.map(\.status) == [.finished, .finished, .noSignal])
    #expect(rows.map(\.rank) == [1, 2, 3])
    #expect(rows.map(\.firstRank) == [1, 2, 3] && rows.map(\.lastRank) == [1, 2, 3])
    #expect(rows[0].marker == length && rows[0].distance == length && rows[0].uncertainty == 0)
    #expect(abs(Double(rows[0].finishTime!) / 1e6 - length / 5) < 0.5)
    #expect(rows[0].splits.map(\.point) == [0, 1, 2, 3, 4])
    #expect(rows[0].splits.last?.time == rows[0].finishTime)
    #expect(rows[2].finishTime == nil)
  }

  @Test("A-R24: before the deadline there is no board; between deadline and start all stand at the start")
  func beforeTheStart() {
    let rig = BoardRig(3, present: [1])
    #expect(rig.standing(at: -3_601).isEmpty)
    for seconds in [-3_600.0, -1] {
      let rows = rig.standing(at: seconds)
      #expect(rows.map(\.person) == [1, 2, 3])
      #expect(rows.allSatisfy { $0.status == .enrolled && $0.hasMarker && $0.marker == 0 && $0.rank == 0 })
    }
  }

  @Test("A-R24: a marker is on the course if the runner is present and the device reports")
  func markers() {
    var rig = BoardRig(4, present: [1, 2])
    rig.run(1, 0...60)
    rig.run(3, 0...60)
    // Nobody is enrolled as 7, and heart rates are no positions.
    rig.run(7, 0...60)
    let rows = rig.standing(at: 61)
    #expect(rows.map(\.person) == [1, 2, 3, 4])
    #expect(rows.map(\.hasMarker) == [true, false, false, false])
    #expect(rows.map(\.status) == [.running, .notSeen, .absent, .absent])
    #expect(rows.map(\.rank) == [1, 0, 0, 0])
    rig.decide(.present, [3], at: 61)
    #expect(rig.row(3, at: 61).hasMarker && abs(rig.row(3, at: 61).marker - 180) < 5)
    rig.decide(.absent, [1], at: 62)
    #expect(!rig.row(1, at: 62).hasMarker && rig.row(1, at: 62).status == .absent)
  }

  @Test("A-R24: a disqualified runner's marker stays where it was, the name is grey, and there is no rank")
  func disqualified() {
    var rig = BoardRig()
    for person in 1...3 as ClosedRange<PersonID> { rig.run(person, 0...60, speed: 2 + Double(person) / 2) }
    rig.decide(.disqualified, [3], at: 60.5)
    let then = rig.row(3, at: 60.5)
    #expect(then.hasMarker && then.isGrey && then.status == .disqualified && then.rank == 0)
    #expect(abs(then.marker - 210) < 5)
    for person in 1...3 as ClosedRange<PersonID> { rig.run(person, 61...120, from: 200, speed: 4) }
    #expect(rig.row(3, at: 121) == then)
    #expect(rig.standing(at: 121).last?.person == 3)
    #expect(rig.standing(at: 121).map(\.rank) == [1, 2, 0])
    // After the race it still stays there.
    rig.decide(.raceFinished, at: 130)
    #expect(rig.row(3, at: 131).marker == then.marker)
    #expect(rig.row(1, at: 131).marker == rig.course.length)
  }

  @Test("A-R24: a disqualified runner who never had a marker has none")
  func disqualifiedUnseen() {
    var rig = BoardRig()
    rig.decide(.disqualified, [2], at: 10)
    rig.run(2, 20...60)
    #expect(!rig.row(2, at: 61).hasMarker && rig.row(2, at: 61).isGrey)
    rig.decide(.raceFinished, at: 70)
    #expect(!rig.row(2, at: 71).hasMarker)
  }

  @Test("A-R18, A-R24: who is reinstated is back with all that was measured meanwhile")
  func reinstated() {
    var rig = BoardRig()
    rig.run(1, 0...300)
    var other = rig
    rig.decide(.disqualified, [1], at: 300)
    rig.run(1, 301...1_040, from: 903)
    rig.decide(.reinstated, [1], at: 1_041)
    other.run(1, 301...1_040, from: 903)
    #expect(rig.row(1, at: 1_042) == other.row(1, at: 1_042))
    #expect(rig.row(1, at: 1_042).status == .finished)
    #expect(rig.row(1, at: 1_042).rank == 1)
  }

  @Test("A-R26: a device that fails leaves its marker at the last good position, and the runner counts as stopped")
  func deviceFails() {
    var rig = BoardRig(2)
    rig.run(1, 0...60)
    rig.run(2, 0...60, speed: 2)
    #expect(rig.row(1, at: 90).status == .running)
    let row = rig.row(1, at: 91)
    #expect(row.status == .noSignal && row.hasMarker && abs(row.marker - 180) < 5)
    #expect(row.fixTime == BoardRig.time(60))
    // The other one passes.
    #expect(rig.standing(at: 91).map(\.person) == [1, 2])
    rig.run(2, 61...150, from: 122, speed: 2)
    #expect(rig.standing(at: 151).map(\.person) == [2, 1])
    #expect(rig.row(1, at: 151).marker == row.marker)
    #expect(rig.row(1, at: 151).uncertainty == row.uncertainty)
  }

  @Test("A-R26: standing still is not silence")
  func standing() {
    var rig = BoardRig(2)
    rig.run(1, 0...60)
    rig.run(2, 0...60)
    rig.run(1, 61...200, from: 180, speed: 0)
    #expect(rig.row(1, at: 100).status == .running)
    #expect(rig.row(1, at: 201).status == .standing)
    #expect(rig.row(2, at: 201).status == .noSignal)
    rig.run(1, 201...220, from: 183)
    #expect(rig.row(1, at: 221).status == .running)
  }

  @Test("A-R26: positions from outside of the course move nothing and say so, one of them says nothing")
  func offCourse() {
    var rig = BoardRig(1)
    func beside(_ fix: Fix) -> Fix {
      Fix(time: fix.time, latitude: fix.latitude + 0.01, longitude: fix.longitude, accuracy: 5, source: 1)
    }
    rig.run(1, 0...60)
    let marker = rig.row(1, at: 60).marker
    rig.take([(1, beside(rig.fix(at: 61, 183)))])
    #expect(rig.row(1, at: 61).status == .running)
    for second in 62...80 { rig.take([(1, beside(rig.fix(at: Double(second), 190)))]) }
    #expect(rig.row(1, at: 80).status == .offCourse)
    #expect(rig.row(1, at: 80).marker == marker)
    rig.run(1, 81...90, from: 190)
    #expect(rig.row(1, at: 90).status == .running)
    // Off the course from the beginning: not seen.
    var unseen = BoardRig(1)
    for second in 0...80 { unseen.take([(1, beside(unseen.fix(at: Double(second), 0)))]) }
    #expect(unseen.row(1, at: 81).status == .notSeen && !unseen.row(1, at: 81).hasMarker)
  }

  @Test("A-R24: after the race markers are at the arrival, and who has not passed it did not finish")
  func afterTheRace() {
    var rig = BoardRig(4, present: [1, 2, 3])
    rig.run(1, 0...1_040)
    rig.run(2, 0...500)
    for seconds in [3_600.0, 100_000] {
      let rows = rig.standing(at: seconds)
      #expect(rows.map(\.person) == [1, 2, 3, 4])
      #expect(rows.map(\.status) == [.finished, .didNotFinish, .notSeen, .absent])
      #expect(rows.map(\.rank) == [1, 2, 0, 0])
      #expect(rows.map(\.hasMarker) == [true, true, false, false])
      #expect(rows[0].marker == rig.course.length && rows[1].marker == rig.course.length)
      #expect(abs(rows[1].distance - 1_500) < 5)
    }
  }

  @Test("A-R24: an organiser's end of the race ends it, a cancelled race has no board")
  func ended() {
    var rig = BoardRig()
    rig.run(1, 0...100)
    rig.decide(.raceFinished, at: 101)
    #expect(rig.board.schedule.finished == BoardRig.time(101))
    #expect(rig.row(1, at: 102).status == .didNotFinish)
    rig.run(1, 102...200, from: 306)
    #expect(abs(rig.row(1, at: 201).distance - 300) < 5)
    var cancelled = BoardRig()
    cancelled.run(1, 0...100)
    cancelled.decide(.raceCancelled, at: 101)
    #expect(cancelled.standing(at: 101).isEmpty)
    #expect(cancelled.board.exerting(at: BoardRig.time(101)).isEmpty)
  }
}
