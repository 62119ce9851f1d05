import Domain
import Postgres
import TestSupport
import Testing

@testable import Groups
@testable import GroupsRules
@testable import Log

@Suite("B-R.D6: cells follow the log", .timeLimit(.minutes(5))) struct GroupCellsTests {
  private static let hour = Chunk.hour
  private static let begins: Microseconds = 1_700_006_400_000_000
  private static let (pulse, steps, place): (MetricID, MetricID, MetricID) = (1, 9, 11)

  /// Persons who share a pulse, steps and where they are, from a time on.
  private func persons(_ count: Int, _ rig: Rig, countsFrom: Microseconds = begins) throws -> [PersonID] {
    try SeedPersons.add(
      count, sharing: [Self.pulse, Self.steps, Self.place], countsFrom: countsFrom,
      on: CalendarDate(utc: Self.begins)!, rig.connection())
  }

  private func scalar(
    _ columns: inout ReadingColumns, _ person: PersonID, _ metric: MetricID, _ time: Microseconds, _ value: Double,
    source: SourceID = 0
  ) {
    columns.scalars.person.append(person)
    columns.scalars.metric.append(metric)
    columns.scalars.source.append(source)
    columns.scalars.time.append(time)
    columns.scalars.value.append(value)
  }

  private func position(_ columns: inout ReadingColumns, _ person: PersonID, _ time: Microseconds, _ latitude: Double) {
    columns.positions.person.append(person)
    columns.positions.metric.append(Self.place)
    columns.positions.source.append(0)
    columns.positions.time.append(time)
    columns.positions.latitude.append(latitude)
    columns.positions.longitude.append(9)
    for column in [
      \PositionColumns.altitude, \PositionColumns.accuracy, \PositionColumns.speed, \PositionColumns.course,
    ] { columns.positions[keyPath: column].append(.nan) }
  }

  /// What stands in the cells: by kind, person and place the count and sum of each hour since 1970.
  private struct Key: Hashable {
    let metric: MetricID
    let person: PersonID
    let place: PlaceGrid.Cell
    let hour: Int32
  }

  private func cells(_ rig: Rig) throws -> [Key: [Int64]] {
    let rows = try rig.connection().query("SELECT metric, day, part, payload FROM group_cell ORDER BY 1, 2, 3, hour")
    var found: [Key: [Int64]] = [:]
    for first in stride(from: 0, to: rows.rowCount, by: DayCells.place + 1) {
      let cells = try DayCells(columns: (first...first + DayCells.place).map { try rows.bytes($0, 3) })
      let (metric, day, part) = (try rows.int32(first, 0), try rows.int32(first, 1), try rows.int32(first, 2))
      for row in cells.rows {
        for hour in 0..<24 where row.counts[hour] != 0 || row.sums[hour] != 0 {
          let key = Key(
            metric: metric, person: DayCells.person(row.person, of: part), place: row.place,
            hour: day * 24 + Int32(hour))
          #expect(found.updateValue([row.counts[hour], row.sums[hour]], forKey: key) == nil)
        }
      }
    }
    return found
  }

  /// The same made of the readings themselves, in the plainest way.
  private func expected(_ rig: Rig, countsFrom: Microseconds = begins) throws -> [Key: [Int64]] {
    // Of readings that agree in person, kind, source and time, the last one counts.
    var last: [[Int64]: (position: LogPosition, value: Double)] = [:]
    var places: [[Int64]: (position: LogPosition, latitude: Double)] = [:]
    let chunks = try rig.connection().query("SELECT payload FROM reading_chunk")
    for row in 0..<chunks.rowCount {
      let block = try chunks.withBytes(row, 0) { try BlockCodec.decode($0) }
      let scalars = block.columns.scalars
      for i in scalars.time.indices where scalars.time[i] >= countsFrom {
        let key = [scalars.person[i], Int64(scalars.metric[i]), scalars.time[i], Int64(scalars.source[i])]
        if last[key].map({ $0.position <= block.positions.scalars[i] }) ?? true {
          last[key] = (block.positions.scalars[i], scalars.value[i])
        }
      }
      let positions = block.columns.positions
      for i in positions.time.indices where positions.time[i] >= countsFrom {
        let key = [positions.person[i], positions.time[i]]
        if places[key].map({ $0.position <= block.positions.positions[i] }) ?? true {
          places[key] = (block.positions.positions[i], positions.latitude[i])
        }
      }
    }
    var byPerson: [Int64: [(time: Microseconds, latitude: Double)]] = [:]
    for (key, place) in places { byPerson[key[0], default: []].append((key[1], place.latitude)) }
    func place(of person: Int64, at time: Microseconds) -> PlaceGrid.Cell {
      let there = (byPerson[person] ?? []).filter { $0.time / Self.hour == time / Self.hour }
      let before = there.filter { $0.time <= time }.max { $0.time < $1.time }
      let found = before ?? there.min { $0.time < $1.time }
      return found.map { PlaceGrid.cell(latitude: $0.latitude, longitude: 9) } ?? PlaceGrid.nowhere
    }
    var cells: [Key: [Int64]] = [:]
    var walked: [Key: Double] = [:]
    var begun: Set<[Int64]> = []
    for key in last.keys.sorted(by: { ($0[2], $0[3]) < ($1[2], $1[3]) }) {
      let (person, metric, time) = (key[0], MetricID(key[1]), key[2])
      let cell = Key(metric: metric, person: person, place: place(of: person, at: time), hour: Int32(time / Self.hour))
      if metric == Self.steps {
        walked[cell, default: 0] += last[key]!.value
        let isFirst = begun.insert([person, time / Self.hour]).inserted
        cells[cell] = [
          (cells[cell]?[0] ?? 0) + (isFirst ? 1 : 0), ValueScale.known["steps"]!.step(of: walked[cell]!),
        ]
      } else {
        let step = ValueScale.known["heart_rate"]!.step(of: last[key]!.value)
        cells[cell] = [(cells[cell]?[0] ?? 0) + 1, (cells[cell]?[1] ?? 0) + step]
      }
    }
    return cells
  }

  @Test func cellsOfAThousandPersonsAreWhatTheirReadingsGive() async throws {
    try await withStorage { rig in
      let persons = try persons(1_000, rig)
      var random = SeededGenerator(seed: 13)
      // Three times: what comes late changes what was taken in before.
      for round in 0..<3 {
        var batches: [ReadingColumns] = []
        for _ in 0..<2 {
          var columns = ReadingColumns()
          for person in persons {
            for _ in 0..<4 {
              // Every second is hit often, so that readings are replaced; some are of before the choice.
              let time =
                Self.begins + Int64.random(in: -2...30, using: &random) * Self.hour
                + Int64.random(in: 0..<40, using: &random) * 90_000_000
              switch Int.random(in: 0..<4, using: &random) {
              case 0: scalar(&columns, person, Self.steps, time, Double.random(in: 0..<2_000, using: &random))
              case 1: position(&columns, person, time, Double.random(in: 45..<45.2, using: &random))
              default:
                scalar(
                  &columns, person, Self.pulse, time, Double.random(in: 20..<160, using: &random),
                  source: 0)
              }
            }
          }
          batches.append(columns)
        }
        try await rig.commit(batches)
        try await rig.compact()
        try await gather(rig)
        #expect(try cells(rig) == expected(rig), "round \(round)")
      }
      #expect(try cells(rig).count > 5_000)
    }
  }

  @Test func whoeverSharesNothingHasNoCells() async throws {
    try await withStorage { rig in
      let sharing = try persons(1, rig)
      var columns = ReadingColumns()
      for person in sharing + [7] { scalar(&columns, person, Self.pulse, Self.begins, 70) }
      scalar(&columns, sharing[0], 6, Self.begins, 97)
      try await rig.commit([columns])
      try await rig.compact()
      try await gather(rig)
      #expect(Set(try cells(rig).keys.map { [Int64($0.metric), $0.person] }) == [[1, sharing[0]]])
    }
  }

  @Test func whoWithdrawsIsInNoLaterAnswerAndThenInNoCell() async throws {
    try await withStorage { rig in
      let persons = try persons(3, rig)
      var columns = ReadingColumns()
      for person in persons { scalar(&columns, person, Self.pulse, Self.begins, 70) }
      try await rig.commit([columns])
      try await rig.compact()
      try await gather(rig)
      #expect(try await count(rig) == 3)

      let store = rig.storage.anonymousSharing
      let known = try #require(try await store.sharing(of: persons[1]))
      let outcome = try await store.change(known, of: persons[1], to: [Self.steps], at: Self.begins + 9 * Self.hour)
      guard case .changed = outcome else { throw WaitedInVain() }
      #expect(try await count(rig) == 2)

      // Chosen again before the cells are made anew: what was taken before still does not count.
      let withdrawn = try #require(try await store.sharing(of: persons[1]))
      _ = try await store.change(
        withdrawn, of: persons[1], to: [Self.steps, Self.pulse], at: Self.begins + 9 * Self.hour + 1)
      #expect(try await count(rig) == 2)
      try await gather(rig)
      #expect(try await count(rig) == 2)
      #expect(Set(try cells(rig).keys.map(\.person)) == [persons[0], persons[2]])
      // What is taken from the next full hour on counts.
      var later = ReadingColumns()
      scalar(&later, persons[1], Self.pulse, Self.begins + 10 * Self.hour - 1, 70)
      try await rig.commit([later])
      try await rig.compact()
      try await gather(rig)
      #expect(try await count(rig) == 2)
      scalar(&later, persons[1], Self.pulse, Self.begins + 10 * Self.hour, 70)
      try await rig.commit([later])
      try await rig.compact()
      try await gather(rig)
      #expect(try await count(rig) == 3)
    }
  }

  @Test func whoeverNoLongerSharesWhereTheyAreIsNowhere() async throws {
    try await withStorage { rig in
      let persons = try persons(1, rig)
      var columns = ReadingColumns()
      scalar(&columns, persons[0], Self.pulse, Self.begins, 70)
      position(&columns, persons[0], Self.begins, 45)
      try await rig.commit([columns])
      try await rig.compact()
      try await gather(rig)
      #expect(try cells(rig).keys.map(\.place) == [PlaceGrid.cell(latitude: 45, longitude: 9)])
      let store = rig.storage.anonymousSharing
      let known = try #require(try await store.sharing(of: persons[0]))
      _ = try await store.change(known, of: persons[0], to: [Self.pulse], at: Self.begins)
      try await gather(rig)
      #expect(try cells(rig).keys.map(\.place) == [PlaceGrid.nowhere])
    }
  }

  @Test func cellsOfBeforePlacesWereAColumnStayWhatTheyAre() async throws {
    try await withStorage { rig in
      var columns = ReadingColumns()
      for person in try persons(3, rig) {
        for day in 0..<2 as Range<Int64> {
          let time = Self.begins + (day * 24 + person % 5) * Self.hour
          scalar(&columns, person, Self.pulse, time, 70)
          position(&columns, person, time, 45 + Double(person % 5))
        }
      }
      try await rig.commit([columns])
      try await rig.compact()
      try await gather(rig)
      let made = try cells(rig)
      #expect(made.count == 6)
      let connection = try rig.connection()
      try connection.execute(
        """
        UPDATE group_cell who SET payload = who.payload || place.payload FROM group_cell place
        WHERE (place.metric, place.day, place.part) = (who.metric, who.day, who.part) AND who.hour = 0 AND place.hour = 25;
        DELETE FROM group_cell WHERE hour = 25;
        """)
      try connection.execute(GroupPlaceSQL.schema)
      #expect(try cells(rig) == made)
    }
  }

  @Test("A-R12: a period is not released before all its readings are in the cells") func periodsWaitForTheirReadings()
    async throws
  {
    try await withStorage { rig in
      let connection = try rig.connection()
      let thirdParty = try connection.query(
        """
        INSERT INTO account (kind, username, email, display_name)
        VALUES ('third_party', 'institute', 'institute@example.org', 'Institute') RETURNING id
        """
      ).int64(0, 0)
      let now = try connection.query("SELECT now()").timestamptz(0, 0)
      let subscriptions = rig.storage.groupSubscriptions
      let made = try #require(
        try await subscriptions.create(
          GroupSubscriptionOrder(
            thirdParty: thirdParty, requestID: nil, question: [], cadence: .daily, timeZone: "UTC"), at: now))
      let isOver = made.period.upperBound + GroupSubscriptions.patience
      func due(_ gathered: Microseconds) async throws -> [GroupSubscriptionRecord] {
        try await subscriptions.due(in: GroupEpoch(begins: gathered, gathered: gathered), limit: 9)
      }
      #expect(try await due(isOver).isEmpty, "nothing has been gathered since")
      #expect(try await rig.storage.groupCells.gather(for: isOver))
      #expect(try await due(isOver - 1).isEmpty)
      #expect(try await due(isOver).map(\.id) == [made.id])
      var columns = ReadingColumns()
      scalar(&columns, try persons(1, rig)[0], Self.pulse, Self.begins, 70)
      try await rig.commit([columns])
      #expect(try await due(isOver).isEmpty)
      try await rig.compact()
      #expect(try await due(isOver + 1).isEmpty)
      try await gather(rig)
      #expect(try await due(isOver + 1).map(\.id) == [made.id])
    }
  }

  @Test func whoeverLeavesIsTakenOutOfAllCells() async throws {
    try await withStorage { rig in
      let persons = try persons(2, rig)
      var columns = ReadingColumns()
      for person in persons {
        scalar(&columns, person, Self.pulse, Self.begins, 70)
        scalar(&columns, person, Self.steps, Self.begins + 40 * Self.hour, 70)
      }
      try await rig.commit([columns])
      try await rig.compact()
      try await gather(rig)
      for _ in 0..<2 { try await rig.storage.end(persons[0], at: Self.begins) }
      #expect(Set(try cells(rig).keys.map(\.person)) == [persons[1]])
      #expect(try await count(rig) == 1)
      try await rig.storage.end(persons[1], at: Self.begins)
      #expect(try rig.connection().query("SELECT count(*) FROM group_cell").int64(0, 0) == 0)
      // What still comes of somebody who has left is taken in no more.
      try await rig.commit([columns])
      try await rig.compact()
      try await gather(rig)
      #expect(try cells(rig).isEmpty)
    }
  }

  @Test("A-R8, A-R10: nobody under 18 counts, a fiscal code counts once, and an account that has ended not at all")
  func members() async throws {
    try await withStorage { rig in
      let persons = try persons(5, rig)
      var columns = ReadingColumns()
      for person in persons { scalar(&columns, person, Self.pulse, Self.begins, 70) }
      try await rig.commit([columns])
      try await rig.compact()
      try await gather(rig)
      #expect(try await count(rig) == 5)
      let connection = try rig.connection()
      let day = CalendarDate(utc: Self.begins)!
      let birthday = CalendarDate(year: day.year - 18, month: day.month, day: day.day)!
      for (number, born) in [birthday, birthday.adding(days: 1)!].enumerated() {
        _ = try connection.query(
          "UPDATE person SET date_of_birth = $2::text::date WHERE account = $1",
          [.int8(persons[number]), .text(born.text)])
      }
      #expect(try await count(rig) == 4, "18 on that day, and a day too young")
      let twentyFive = CalendarDate(year: day.year - 25, month: day.month, day: day.day)!
      for born in [twentyFive, twentyFive.adding(days: 1)!] {
        _ = try connection.query(
          "UPDATE person SET date_of_birth = $2::text::date WHERE account = $1", [.int8(persons[1]), .text(born.text)])
        let isYounger = born != twentyFive
        #expect(try await count(rig, ages: AgeBands(from: 18, to: 24)!) == (isYounger ? 5 : 4))
      }
      _ = try connection.query(
        "UPDATE person SET date_of_birth = $2::text::date WHERE account = $1",
        [.int8(persons[1]), .text(birthday.adding(days: 1)!.text)])
      _ = try connection.query("UPDATE person SET holds_fiscal_code = false WHERE account = $1", [.int8(persons[2])])
      #expect(try await count(rig) == 3)
      _ = try connection.query("UPDATE account SET state = 'deactivated' WHERE id = $1", [.int8(persons[3])])
      #expect(try await count(rig) == 2)
    }
  }

  @Test func cellsAreGatheredByTheClockAlone() async throws {
    try await withStorage { rig in
      let cells = rig.storage.groupCells
      func made() throws -> Microseconds {
        try rig.connection().query("SELECT made_at FROM group_state").timestamptz(0, 0)
      }
      let time = try made() + 60_000_000
      #expect(try await cells.gather(for: time), "also where nobody has sent or withdrawn anything")
      #expect(try made() == time)
      var columns = ReadingColumns()
      scalar(&columns, try persons(1, rig)[0], Self.pulse, Self.begins, 70)
      try await rig.commit([columns])
      try await rig.compact()
      #expect(try await cells.gather(for: time) == false, "nor where somebody has")
      #expect(try self.cells(rig).isEmpty)
      #expect(try await cells.gather(for: time + 1))
      #expect(try self.cells(rig).count == 1)
    }
  }

  /// As for the next epoch.
  private func gather(_ rig: Rig) async throws {
    let last = try rig.connection().query("SELECT made_at FROM group_state").timestamptz(0, 0)
    #expect(try await rig.storage.groupCells.gather(for: last + 1))
  }

  /// How many persons a question about the pulse of the day is about.
  private func count(_ rig: Rig, ages: AgeBands = AgeBands(from: nil, to: nil)!) async throws -> Int64 {
    let day = CalendarDate(utc: Self.begins)!
    let question = try GroupQuestion(
      metrics: ["heart_rate"],
      persons: .init(
        ages: ages, weights: WeightBands(from: nil, to: nil)!, sex: nil, address: ""),
      place: .anywhere, times: .init(days: day...day, slot: .day, timeZone: "UTC", buckets: .whole), statistics: [],
      precision: .high, personsMin: 1_000)
    let tallies = try await rig.storage.groupReader.tallies(of: question, rig.storage.metrics.catalog)
    return tallies.buckets["heart_rate"]?.first?.persons ?? 0
  }
}
