import CoreMetrics
import Metering
import Testing

@testable import PrometheusText

@Suite("what has no place is dropped and counted")
struct DroppedTests {
  private let answers = MetricFamily(
    .counter, "answers_total", "Answers.", labels: [.init("kind", ["good", "bad"])])
  private let open = MetricFamily(.counter, "open_total", "Of whatever.", labels: [.init("kind")])
  private let depth = MetricFamily(.gauge, "depth", "How deep.", labels: [.init("queue")])

  private func text(_ metrics: PrometheusMetrics, _ samples: [MetricSample] = []) -> [String] {
    String(decoding: metrics.text([depth], samples), as: UTF8.self).split(separator: "\n").map(String.init)
      .filter { !$0.hasPrefix("#") }
  }

  private func dropped(_ lines: [String]) -> String? { lines.first { $0.hasPrefix("trackme_metrics_dropped_total ") } }

  @Test(
    "a name, a label, a value or a kind that its family does not have",
    arguments: [
      ("persons_total", [("kind", "good")]), ("answers_total", [("kind", "person 7")]),
      ("answers_total", [("who", "good")]),
      ("answers_total", []), ("answers_total", [("kind", "good"), ("who", "7")]),
    ])
  func unknown(_ name: String, _ dimensions: [(String, String)]) {
    let metrics = PrometheusMetrics(counting: [answers])
    Counter(label: name, dimensions: dimensions, factory: metrics).increment()
    let lines = text(metrics)
    #expect(
      lines == [
        #"answers_total{kind="bad"} 0"#, #"answers_total{kind="good"} 0"#, "trackme_metrics_dropped_total 1",
      ])
  }

  @Test("a counter that is asked for as a gauge or a histogram")
  func otherKind() {
    let metrics = PrometheusMetrics(counting: [answers])
    let dimensions = [("kind", "good")]
    Gauge(label: "answers_total", dimensions: dimensions, factory: metrics).record(7)
    Recorder(label: "answers_total", dimensions: dimensions, factory: metrics).record(7)
    Timer(label: "answers_total", dimensions: dimensions, factory: metrics).recordNanoseconds(7)
    #expect(text(metrics).contains(#"answers_total{kind="good"} 0"#))
    #expect(dropped(text(metrics)) == "trackme_metrics_dropped_total 3")
  }

  @Test("one series more than may be, and those that are there go on")
  func tooMany() {
    let metrics = PrometheusMetrics(counting: [open], maxSeries: 3)
    for number in 1...5 {
      Counter(label: "open_total", dimensions: [("kind", "\(number)")], factory: metrics).increment()
    }
    Counter(label: "open_total", dimensions: [("kind", "3")], factory: metrics).increment()
    #expect(
      text(metrics) == [
        #"open_total{kind="1"} 1"#, #"open_total{kind="2"} 1"#, #"open_total{kind="3"} 2"#,
        "trackme_metrics_dropped_total 2",
      ])
  }

  @Test("what is looked at shares the limit, and a series that is there twice is written once")
  func samples() {
    let metrics = PrometheusMetrics(counting: [answers], maxSeries: 4)
    let samples = ["a", "a", "b", "c"].map { MetricSample(depth, [$0], 1) }
    #expect(
      text(metrics, samples) == [
        #"answers_total{kind="bad"} 0"#, #"answers_total{kind="good"} 0"#, #"depth{queue="a"} 1"#,
        #"depth{queue="b"} 1"#, "trackme_metrics_dropped_total 2",
      ])
  }

  @Test("a sample of a family that is not measured here, or with other labels")
  func foreign() {
    let metrics = PrometheusMetrics(counting: [answers])
    let lines = text(metrics, [MetricSample(open, ["x"], 1), MetricSample(depth, [], 1)])
    #expect(lines.count == 3)
    #expect(dropped(lines) == "trackme_metrics_dropped_total 2")
  }
}
