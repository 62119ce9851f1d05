import Testing

@testable import Domain

@Suite struct CatalogTests {
  private func metric(_ id: MetricID, _ name: String, _ kind: MetricKind = .scalar) -> Metric {
    Metric(id: id, name: name, displayName: name, kind: kind, unit: "1", loincCode: "", minimum: 0, maximum: 1)
  }

  @Test func aMetricIsFoundByNameAndByNumber() {
    let catalog = MetricCatalog([metric(9, "b"), metric(2, "a")])
    #expect(catalog.metrics.map(\.id) == [2, 9])
    #expect(catalog["a"]?.id == 2)
    #expect(catalog[9 as MetricID]?.name == "b")
    #expect(catalog["c"] == nil)
  }

  @Test(arguments: [MetricID.min, -1, 0, 1, 3, 10, .max]) func anUnknownNumberIsNoMetric(id: MetricID) {
    #expect(MetricCatalog([metric(9, "b"), metric(2, "a")])[id] == nil)
    #expect(MetricCatalog([])[id] == nil)
  }
}
