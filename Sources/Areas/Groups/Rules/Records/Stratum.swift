package import Domain

/// An age group of one sex: what a row tells of a person beside the value.
package struct Stratum: Sendable, Hashable {
  /// The least age in years, included.
  package let fromAge: Int
  /// The greatest age in years, included; nil if there is none.
  package let toAge: Int?
  package let sex: Sex

  package init(fromAge: Int, toAge: Int?, sex: Sex) {
    self.fromAge = fromAge
    self.toAge = toAge
    self.sex = sex
  }

  /// Of an age group, but for the first one, which begins with adults, and the last one, which is open.
  static let years = 10
  /// Where the second age group begins.
  static let secondBegins = 30
  /// Where the last age group begins: so old are few.
  static let lastBegins = 80

  /// Those of the persons asked about, by age and then by sex: each person is in exactly one.
  package static func all(of persons: GroupQuestion.Persons) -> [Stratum] {
    let begins = [AgeBands.adult] + stride(from: secondBegins, through: lastBegins, by: years)
    let ends = begins.dropFirst().map { $0 - 1 } + [AgeBands.greatest]
    let (from, to) = (persons.ages.from, persons.ages.to)
    return zip(begins, ends).filter { $0 <= to ?? $0 && $1 >= from }.flatMap { begin, end in
      let toAge = min(end, to ?? end)
      return (persons.sex.map { [$0] } ?? Sex.allCases).map {
        Stratum(fromAge: max(begin, from), toAge: toAge == AgeBands.greatest ? nil : toAge, sex: $0)
      }
    }
  }
}
