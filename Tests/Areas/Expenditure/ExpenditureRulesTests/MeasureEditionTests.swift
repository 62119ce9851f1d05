import Testing

@testable import ExpenditureRules

@Suite("Salute Trasparente: measures of an edition")
struct MeasureEditionTests {
  private static let (total, services, staff) = (2, 0, 1)

  /// Two years of three accounts; residents of all at the beginning of 2024, but of Sardegna.
  private func edition(
    sardinians: Int64? = nil, sardiniansFile: Int32 = 8, percents: [Int: String] = [2024: "10"],
    _ amounts: [(account: Int, year: Int, voice: Int, cents: Int64)]
  ) throws -> Edition {
    let tree = VoiceTree(
      [("BZ9999", "Totale costi della produzione (B)"), ("BA0390", "B.2) Acquisti di servizi"), ("BA2080", "Totale")]
        .flatMap { code, text in
          [2023, 2024].compactMap { year in
            VoiceCode(code).map { VoiceTree.Entry(code: $0, year: year, form: .regional, text: text) }
          }
        })
    var builder = EditionBuilder(voices: tree, years: [2023, 2024])
    for (index, amount) in amounts.enumerated() {
      try builder.add(
        Amount(cents: amount.cents, file: 7, row: Int32(index + 2)), account: amount.account, year: amount.year,
        voice: amount.voice)
    }
    for account in AccountList.all {
      guard let residents = account.value == 200 ? sardinians : 1_000 else { continue }
      try builder.add(
        ResidentCount(
          year: 2024, residents: residents, file: account.value == 200 ? sardiniansFile : 8, row: Int32(account.value)),
        account: account.value)
    }
    // Of a year without accounts.
    try builder.add(ResidentCount(year: 2020, residents: 5, file: 8, row: 2), account: 10)
    for (year, percent) in percents { builder.add(percent: percent, year: year) }
    return builder.edition(
      Edition.Facts(release: 3, publishedAt: 0, overrideReason: "", sources: [:], files: [:]))
  }

  private func value(
    _ edition: Edition, _ measure: Measure, _ account: Int, _ voice: Int = services, year: Int = 2024,
    pricesOf: Int? = nil
  ) throws -> MeasuredValue.Known {
    Measurement(measure, pricesOf: pricesOf, of: edition)
      .value(voice, in: year, of: edition[try #require(AccountNumber(account))]).known
  }

  @Test func eachMeasureIsAsItsCommentSays() throws {
    let edition = try edition([
      (10, 2023, Self.services, 100_000), (10, 2024, Self.services, 123_450), (10, 2024, Self.total, 300_000),
    ])
    #expect(try value(edition, .euros, 10) == .number(123_450))
    // 123.45 rounded.
    #expect(try value(edition, .perResident, 10) == .number(123))
    #expect(try value(edition, .share, 10) == .number(411_500))
    #expect(try value(edition, .change, 10) == .number(234_500))
    #expect(try value(edition, .euros, 10, pricesOf: 2023) == .number(112_227))
    #expect(try value(edition, .perResident, 10, pricesOf: 2023) == .number(112))
    #expect(try value(edition, .share, 10, pricesOf: 2023) == .number(411_500))
    // 1,122.27 over 1,000.00, and 1,234.50 over 1,100.00: the amounts are whole cents.
    #expect(try value(edition, .change, 10, pricesOf: 2023) == .number(122_270))
    #expect(try value(edition, .change, 10, pricesOf: 2024) == .number(122_273))
  }

  @Test func halfACentForEachResidentGoesAwayFromZero() throws {
    let edition = try edition([(10, 2024, Self.services, 1_500), (20, 2024, Self.services, -1_500)])
    #expect(try value(edition, .perResident, 10) == .number(2))
    #expect(try value(edition, .perResident, 20) == .number(-2))
  }

  @Test func whatIsMissingHasItsReasonTheFirstThatHolds() throws {
    let edition = try edition(
      percents: [:],
      [
        (10, 2024, Self.services, 100), (20, 2023, Self.services, 0), (20, 2024, Self.services, 100),
        (20, 2024, Self.total, -5), (200, 2024, Self.services, 100), (30, 2023, Self.services, 100),
        (30, 2024, Self.services, 100),
      ])
    for measure in Measure.allCases {
      #expect(try value(edition, measure, 41) == .missing(.noAccount))
      #expect(try value(edition, measure, 10, Self.staff, pricesOf: 2001) == .missing(.notReported))
      #expect(try value(edition, measure, 10, year: 1999) == .missing(.noAccount))
    }
    #expect(try value(edition, .perResident, 200) == .missing(.noResidents))
    #expect(try value(edition, .perResident, 200, pricesOf: 2001) == .missing(.noResidents))
    #expect(try value(edition, .perResident, 30, year: 2023) == .missing(.noResidents))
    #expect(try value(edition, .share, 10) == .missing(.noTotal))
    #expect(try value(edition, .share, 20) == .missing(.zeroBase))
    #expect(try value(edition, .change, 10) == .missing(.noYearBefore))
    #expect(try value(edition, .change, 20) == .missing(.zeroBase))
    #expect(try value(edition, .change, 30, pricesOf: 2001) == .missing(.noPrices))
    #expect(try value(edition, .euros, 10, pricesOf: 2001) == .missing(.noPrices))
    #expect(try value(edition, .euros, 10, pricesOf: 2024) == .number(100))
  }

  @Test func aMissingValueStillLeadsToItsAmount() throws {
    let edition = try edition([(200, 2024, Self.services, 100)])
    let sardinia = try #require(AccountNumber(200))
    let value = Measurement(.perResident, pricesOf: nil, of: edition).value(
      Self.services, in: 2024, of: edition[sardinia])
    #expect(value.amount == Amount(cents: 100, file: 7, row: 2) && value.residents == nil)
  }

  @Test func italyHasResidentsWhereAll21AreCounted() throws {
    let amounts: [(account: Int, year: Int, voice: Int, cents: Int64)] = [(0, 2024, Self.services, 4_200_000)]
    #expect(try value(edition(amounts), .perResident, 0) == .missing(.noResidents))
    let edition = try edition(sardinians: 1_000, amounts)
    #expect(try value(edition, .perResident, 0) == .number(200))
    #expect(edition[.italy].residents(in: 2024) == ResidentCount(year: 2024, residents: 21_000, file: 8, row: 0))
  }

  @Test func residentsOutOfSeveralFilesAreOfNoneOfThem() throws {
    let edition = try edition(sardinians: 1_000, sardiniansFile: 9, [(0, 2024, Self.services, 1)])
    #expect(edition[.italy].residents(in: 2024)?.file == 0)
    #expect(edition[try #require(AccountNumber(200))].residents(in: 2024)?.file == 9)
  }

  @Test func zeroIsAnAmount() throws {
    let edition = try edition([(10, 2024, Self.services, 0)])
    #expect(try value(edition, .euros, 10) == .number(0))
    #expect(edition[try #require(AccountNumber(10))].years == [2024])
  }

  @Test func yearsOfAVoiceAreThoseOfTheRegions() throws {
    let edition = try edition([(0, 2023, Self.services, 1), (10, 2024, Self.services, 1)])
    #expect(edition.voiceYears[Self.services] == [2024])
    #expect(edition.years(of: Self.services) == [2023, 2024])
    #expect(edition.years == [2023, 2024])
  }

  @Test func whatTheTablesMustNotHoldIsAFault() throws {
    var builder = EditionBuilder(voices: VoiceTree([]), years: [2024])
    let amount = Amount(cents: 1, file: 1, row: 2)
    #expect(throws: EditionBuilder.Fault.self) { try builder.add(amount, account: 11, year: 2024, voice: 0) }
    #expect(throws: EditionBuilder.Fault.self) { try builder.add(amount, account: 10, year: 2023, voice: 0) }
    #expect(throws: EditionBuilder.Fault.self) { try builder.add(amount, account: 10, year: 2024, voice: 0) }
  }

  @Test func amountsAtTheEndsOfTheirRangeDoNotTrap() throws {
    let edition = try edition(
      percents: [2024: "50000"],
      [
        (10, 2023, Self.services, 1), (10, 2024, Self.services, Cents.max), (10, 2024, Self.total, 1),
        (20, 2023, Self.services, Cents.max), (20, 2024, Self.services, -Cents.max), (20, 2024, Self.total, Cents.max),
      ])
    for measure in Measure.allCases {
      for account in [10, 20] {
        for prices in [nil, 2023, 2024] { _ = try value(edition, measure, account, pricesOf: prices) }
      }
    }
    #expect(try value(edition, .share, 20) == .number(-1_000_000))
    #expect(try value(edition, .change, 20) == .number(-2_000_000))
  }

  @Test func anAccountOfABodyHasNoResidents() throws {
    let edition = try edition([])
    let body = BodyFigures(
      years: [2024], amounts: [2024: [Self.services: Amount(cents: 50, file: 1, row: 9)]])
    func known(_ measure: Measure, _ voice: Int = Self.services, _ year: Int = 2024) -> MeasuredValue.Known {
      Measurement(measure, pricesOf: nil, of: edition).value(voice, in: year, of: body).known
    }
    #expect(known(.euros) == .number(50))
    #expect(known(.perResident) == .missing(.noResidents))
    #expect(known(.share) == .missing(.noTotal))
    #expect(known(.change) == .missing(.noYearBefore))
    #expect(known(.euros, Self.total) == .missing(.notReported))
    #expect(known(.euros, Self.services, 2023) == .missing(.noAccount))
  }

  @Test(
    "Ranks have ties, the highest first",
    arguments: [
      (9, 1, 0), (7, 2, 1), (3, 4, 0), (-1, 5, 0),
    ] as [(own: Int64, place: Int, tied: Int)])
  func ranks(_ own: Int64, _ place: Int, _ tied: Int) {
    let ranking = Ranking(own, among: [3, 7, 9, -1, 7])
    #expect((ranking.place, ranking.tied, ranking.count) == (place, tied, 5))
  }

  @Test func nothingHasNoRank() {
    let ranking = Ranking(nil, among: [1, 2])
    #expect((ranking.place, ranking.tied, ranking.count) == (0, 0, 2))
  }
}
