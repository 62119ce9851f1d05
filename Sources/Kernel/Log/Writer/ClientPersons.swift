internal import Domain

/// For whom a client has pushed: its name may tell who they are ("Mario's-watch"), and goes with the last of them. The name
/// of one that has pushed for more than a hundred tells of none of them: it stays.
struct ClientPersons {
  private(set) var persons: Set<PersonID> = []
  /// More than are remembered; then there are none in `persons`.
  private(set) var areMany = false

  init() {}

  /// Those of some readings.
  init(_ columns: borrowing ReadingColumns) {
    for column in [columns.scalars.person, columns.positions.person, columns.waveforms.person] {
      var last: PersonID?
      for person in column where person != last {
        last = person
        insert(person)
        if areMany { return }
      }
    }
  }

  private mutating func insert(_ person: PersonID) {
    persons.insert(person)
    guard persons.count > SourceUses.maxPersons else { return }
    areMany = true
    persons = []
  }

  /// - Returns: what of the others was not here before.
  @discardableResult
  mutating func formUnion(_ others: ClientPersons) -> ClientPersons {
    var new = ClientPersons()
    if areMany { return new }
    if others.areMany {
      (areMany, persons) = (true, [])
    } else {
      for person in others.persons where !persons.contains(person) && !areMany {
        insert(person)
        new.insert(person)
      }
    }
    if areMany { (new.areMany, new.persons) = (true, []) }
    return new
  }
}
