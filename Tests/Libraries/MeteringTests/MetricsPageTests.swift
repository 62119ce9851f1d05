import Synchronization
import Testing

@testable import Metering

@Suite("what is looked at when somebody asks")
struct MetricsPageTests {
  private static let depth = MetricFamily(.gauge, "depth", "How deep.")

  /// Counts how often somebody looked, and lets nobody go on before it is opened.
  private final class Gate: Sendable {
    private struct State {
      var looks = 0
      var isOpen = false
      var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    var looks: Int { state.withLock(\.looks) }

    func look() async -> Double {
      await withCheckedContinuation { continuation in
        let isOpen = state.withLock { state in
          state.looks += 1
          if !state.isOpen { state.waiters.append(continuation) }
          return state.isOpen
        }
        if isOpen { continuation.resume() }
      }
      return 7
    }

    func open() {
      let waiters = state.withLock { state in
        state.isOpen = true
        defer { state.waiters = [] }
        return state.waiters
      }
      for waiter in waiters { waiter.resume() }
    }
  }

  private func page(_ measures: [Measure]) -> MetricsPage {
    MetricsPage(measures) { families, samples in
      Array("\(families.map(\.name)) \(samples.map { "\($0.values) \($0.number)" }.sorted())".utf8)
    }
  }

  @Test("however many ask at once, it looks once, and all get the same")
  func shared() async {
    let gate = Gate()
    let page = page([Measure(Self.depth) { await gate.look() }])
    await withTaskGroup(of: [UInt8].self) { group in
      for _ in 0..<100 { group.addTask { await page.text() } }
      while await page.waitingCount < 100 { await Task.yield() }
      gate.open()
      for await text in group { #expect(String(decoding: text, as: UTF8.self) == #"["depth"] ["[] 7.0"]"#) }
    }
    #expect(gate.looks == 1)
  }

  @Test("who is cancelled takes it from nobody else")
  func cancelled() async {
    let gate = Gate()
    let page = page([Measure(Self.depth) { await gate.look() }])
    let first = Task { await page.text() }
    while await page.waitingCount < 1 { await Task.yield() }
    let second = Task { await page.text() }
    while await page.waitingCount < 2 { await Task.yield() }
    first.cancel()
    gate.open()
    #expect(await second.value == first.value)
    #expect(gate.looks == 1)
  }

  @Test("one measure that waits keeps the others from nothing, and what can't be known is left out")
  func sideBySide() async {
    let gate = Gate()
    gate.open()
    let page = page([
      Measure(Self.depth) { nil }, .queue("a", limit: 3) { 1 }, .queue("b", limit: nil) { nil },
      .queue("c", limit: 5) { nil }, Measure(Self.depth) { await gate.look() },
    ])
    #expect(
      String(decoding: await page.text(), as: UTF8.self).hasSuffix(
        #" ["[\"a\"] 1.0", "[\"a\"] 3.0", "[\"c\"] 5.0", "[] 7.0"]"#)
    )
  }

  @Test("the process knows what it uses")
  func process() async {
    let samples = await Measure.process.look()
    #expect(samples.map(\.family.name).count == 5)
    #expect(samples.map(\.family) == Measure.process.families)
    #expect(samples.allSatisfy { $0.number > 0 })
    let open = samples.first { $0.family.name.hasSuffix("open_fds") }?.number ?? 0
    let max = samples.first { $0.family.name.hasSuffix("max_fds") }?.number ?? 0
    #expect(open >= 3 && open < max)
  }
}
