internal import Domain
internal import WireCodec

extension Trackme_Races_V1_Race {
  /// A race as all its spectators see it, with the points of its course.
  init(shown edition: RaceEdition, at now: Microseconds) {
    let record = edition.record
    let seconds = record.schedule.timeLimit / 1_000_000
    self.init(
      raceID: record.id, name: record.name, description: record.description, placeName: record.placeName,
      state: .init(rawValue: Int32(record.schedule.state(at: now).rawValue)), starts: .init(record.schedule.starts),
      enrolmentEnds: .init(record.schedule.enrolmentEnds),
      timeLimit: .init(seconds: seconds, nanos: Int32(record.schedule.timeLimit % 1_000_000) * 1_000),
      byInvitation: record.byInvitation, capacity: record.capacity,
      fee: record.fee.map { .init(currencyCode: $0.currency, minorUnits: $0.minorUnits) },
      enrolledCount: record.enrolledCount, waitingCount: record.waitingCount, course: .init(edition.course),
      organizers: record.organizers.map { .init(username: $0.username, name: $0.name) })
  }
}
