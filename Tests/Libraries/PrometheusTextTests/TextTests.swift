import CoreMetrics
import Metering
import Testing

@testable import PrometheusText

@Suite("what Prometheus reads")
struct TextTests {
  private let answers = MetricFamily(
    .counter, "answers_total", "Answers that\nwere \"given\" \\ not.",
    labels: [.init("kind", ["good", "bad"]), .init("place", ["here"])])
  private let depth = MetricFamily(.gauge, "depth", "How deep.", labels: [.init("queue")])
  private let waits = MetricFamily(.histogram(upTo: [0.1, 1, 10]), "wait_seconds", "Waits.")

  private func text(
    _ metrics: PrometheusMetrics, _ measured: [MetricFamily] = [], _ samples: [MetricSample] = []
  ) -> [String] {
    String(decoding: metrics.text(measured, samples), as: UTF8.self).split(separator: "\n").map(String.init)
  }

  private func counter(_ metrics: PrometheusMetrics, _ family: MetricFamily, _ values: String...) -> Counter {
    Counter(label: family.name, dimensions: zip(family.labels, values).map { ($0.name, $1) }, factory: metrics)
  }

  private func timer(_ metrics: PrometheusMetrics, _ family: MetricFamily) -> Timer {
    Timer(label: family.name, factory: metrics)
  }

  @Test("every family has its help and its type, and families come in the order of their names")
  func families() {
    let metrics = PrometheusMetrics(counting: [waits, answers])
    let lines = text(metrics, [depth]).filter { $0.hasPrefix("#") }
    #expect(
      lines == [
        #"# HELP answers_total Answers that\nwere "given" \\ not."#, "# TYPE answers_total counter",
        "# HELP depth How deep.", "# TYPE depth gauge",
        "# HELP trackme_metrics_dropped_total \(PrometheusMetrics.dropped.meaning)",
        "# TYPE trackme_metrics_dropped_total counter",
        "# HELP wait_seconds Waits.", "# TYPE wait_seconds histogram",
      ])
  }

  @Test("what can be counted is there from the beginning, with nothing")
  func zeros() {
    let lines = text(PrometheusMetrics(counting: [waits, answers])).filter { !$0.hasPrefix("#") }
    #expect(
      lines == [
        #"answers_total{kind="bad",place="here"} 0"#, #"answers_total{kind="good",place="here"} 0"#,
        "trackme_metrics_dropped_total 0",
        #"wait_seconds_bucket{le="0.1"} 0"#, #"wait_seconds_bucket{le="1"} 0"#, #"wait_seconds_bucket{le="10"} 0"#,
        #"wait_seconds_bucket{le="+Inf"} 0"#, "wait_seconds_sum 0", "wait_seconds_count 0",
      ])
  }

  @Test("the same counter made twice is one, and a counter only grows")
  func counts() {
    let metrics = PrometheusMetrics(counting: [answers])
    counter(metrics, answers, "good", "here").increment(by: 2)
    counter(metrics, answers, "good", "here").increment()
    counter(metrics, answers, "good", "here").increment(by: -7)
    #expect(text(metrics).contains(#"answers_total{kind="good",place="here"} 3"#))
  }

  @Test("a bucket holds everything up to its bound, and the last one everything")
  func cumulation() {
    let metrics = PrometheusMetrics(counting: [waits])
    let timer = timer(metrics, waits)
    for milliseconds in [50, 100, 101, 10_000, 10_001] { timer.record(.milliseconds(milliseconds)) }
    #expect(
      text(metrics).filter { $0.hasPrefix("wait") } == [
        #"wait_seconds_bucket{le="0.1"} 2"#, #"wait_seconds_bucket{le="1"} 3"#, #"wait_seconds_bucket{le="10"} 4"#,
        #"wait_seconds_bucket{le="+Inf"} 5"#, "wait_seconds_sum 20.252", "wait_seconds_count 5",
      ])
  }

  @Test("what is no number is no part of a histogram")
  func noNumber() {
    let metrics = PrometheusMetrics(counting: [waits])
    let recorder = Recorder(label: waits.name, factory: metrics)
    recorder.record(Double.nan)
    recorder.record(Double.infinity)
    recorder.record(0.5)
    #expect(text(metrics).contains("wait_seconds_sum 0.5"))
    #expect(text(metrics).contains("wait_seconds_count 1"))
  }

  @Test("many threads that count at once lose nothing")
  func races() async {
    let metrics = PrometheusMetrics(counting: [answers, waits])
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask { [self] in
          let (counter, timer) = (counter(metrics, answers, "good", "here"), timer(metrics, waits))
          for _ in 0..<5_000 {
            counter.increment()
            timer.record(.milliseconds(500))
          }
        }
      }
    }
    let lines = text(metrics)
    #expect(lines.contains(#"answers_total{kind="good",place="here"} 40000"#))
    #expect(lines.contains("wait_seconds_sum 20000"))
    #expect(lines.contains("wait_seconds_count 40000"))
  }

  @Test("values of labels are escaped, so that none begins another line or ends its quotes")
  func escapes() {
    let metrics = PrometheusMetrics(counting: [])
    let lines = text(metrics, [depth], [MetricSample(depth, ["a\"b\\c\nd\r\u{301}"], 1.5)])
    #expect(lines.contains(where: { $0 == #"depth{queue="a\"b\\c\nd"# + "\r\u{301}\"} 1.5" }))
  }

  @Test(
    "numbers are written as Prometheus reads them",
    arguments: [
      (0, "0"), (-3, "-3"), (1.5, "1.5"), (1e15, "1000000000000000"), (9_007_199_254_740_992, "9007199254740992"),
      (1e18, "1e+18"), (0.000_1, "0.0001"), (.nan, "NaN"), (.infinity, "+Inf"), (-.infinity, "-Inf"),
    ] as [(Double, String)])
  func numbers(_ number: Double, _ expected: String) {
    #expect(TextFormat.text(of: number) == expected)
  }
}
