import Testing

@testable import ExpenditureRules

@Suite("Salute Trasparente: prices of years, chained")
struct MeasurePricesTests {
  /// World Bank's changes of the last years.
  private let prices = PriceIndex(percents: [
    2019: "0.611246943765304", 2020: "-0.13770757391651", 2021: "1.87378325762481", 2022: "8.20128991161718",
    2023: "5.62219442195901", 2024: "0.982373023061417",
  ])

  @Test func anAmountIsMultipliedByEveryChangeBetween() throws {
    let factor = try #require(prices.factor(from: 2021, to: 2024))
    // 100,000.00 × 1.0820128991161718 × 1.0562219442195901 × 1.00982373023061417 = 115,407.28…
    #expect(factor.apply(to: 10_000_000) == 11_540_728)
  }

  @Test func theOtherWayItIsDividedByThem() throws {
    let factor = try #require(prices.factor(from: 2024, to: 2021))
    #expect(factor.apply(to: 11_540_728) == 10_000_000)
  }

  @Test func theYearBeforeTheFirstChangeHasPricesToo() {
    #expect(prices.factor(from: 2018, to: 2019)?.apply(to: 100_000) == 100_611)
    #expect(prices.factor(from: 2017, to: 2019) == nil)
    #expect(prices.factor(from: 2024, to: 2025) == nil)
  }

  @Test func theSameYearNeedsNoIndex() {
    #expect(PriceIndex.none.factor(from: 2024, to: 2024)?.apply(to: -12_345) == -12_345)
  }

  @Test func aYearThatIsMissingIsNotPassedOver() {
    let broken = PriceIndex(percents: [2020: "1", 2021: "1", 2023: "2", 2024: "2"])
    #expect(broken.factor(from: 2020, to: 2021) != nil)
    #expect(broken.factor(from: 2022, to: 2024)?.apply(to: 10_000) == 10_404)
    #expect(broken.factor(from: 2021, to: 2022) == nil)
    #expect(broken.factor(from: 2020, to: 2024) == nil)
    #expect(broken.years(reaching: [2024]) == [2022, 2023, 2024])
    #expect(broken.years(reaching: [2020, 2024]) == [2019, 2020, 2021, 2022, 2023, 2024])
    #expect(broken.years(reaching: [2030]).isEmpty)
  }

  @Test(
    "What is no change counts as missing", arguments: ["", "x", "1.2.3", "-100", "-250", "1e2", "--1", "٣", "999999"])
  func badPercent(_ text: String) {
    #expect(PriceIndex(percents: [2024: text]).factor(from: 2023, to: 2024) == nil)
  }

  @Test func commasAndSignsAreRead() {
    #expect(PriceIndex(percents: [2024: "+1,5"]).factor(from: 2023, to: 2024)?.apply(to: 1_000) == 1_015)
    #expect(PriceIndex(percents: [2024: "-0,5"]).factor(from: 2023, to: 2024)?.apply(to: 1_000) == 995)
  }

  @Test func runawayPricesEndInNothingAndNotInACrash() {
    let wild = PriceIndex(percents: Dictionary(uniqueKeysWithValues: (1990...2024).map { ($0, "90000") }))
    #expect(wild.factor(from: 1990, to: 2024) == nil)
    #expect(wild.factor(from: 2023, to: 2024)?.apply(to: .max) == nil)
  }

  @Test(
    "Prices may grow a hundredfold in one run, or fall to a hundredth; what goes further begins a new run",
    arguments: [("900", "0.1"), ("-90", "-0.1")])
  func levelMax(halfWay: String, beyondIt: String) {
    let prices = PriceIndex(percents: [2020: halfWay, 2021: halfWay, 2022: beyondIt, 2023: "1"])
    #expect(prices.factor(from: 2019, to: 2021) != nil)
    #expect(prices.factor(from: 2019, to: 2022) == nil && prices.factor(from: 2021, to: 2022) == nil)
    #expect(prices.factor(from: 2022, to: 2023)?.apply(to: 100) == 101)
    #expect(prices.years(reaching: [2019]) == [2019, 2020, 2021])
  }

  @Test func halvesGoAwayFromZero() {
    #expect(ExactRatio.rounded(5, 1, over: 10) == 1)
    #expect(ExactRatio.rounded(-5, 1, over: 10) == -1)
    #expect(ExactRatio.rounded(4, 1, over: 10) == 0)
    #expect(ExactRatio.rounded(-15, 1, over: 10) == -2)
    #expect(ExactRatio.rounded(1, 1, over: 3) == 0)
    #expect(ExactRatio.rounded(2, 1, over: 3) == 1)
    #expect(ExactRatio.rounded(0, 7, over: 3) == 0)
    #expect(ExactRatio.rounded(.max, 2, over: 3) == nil)
  }

  @Test func aQuadrillionCentsStayRightToTheCent() throws {
    // There and back over 24 years.
    let long = PriceIndex(percents: Dictionary(uniqueKeysWithValues: (2001...2024).map { ($0, "2.53768532095002") }))
    let there = try #require(long.factor(from: 2000, to: 2024)?.apply(to: 1_000_000_000_000_001))
    #expect(long.factor(from: 2024, to: 2000)?.apply(to: there) == 1_000_000_000_000_001)
  }
}
