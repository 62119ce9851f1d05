import Domain
import Postgres
import RacesRules
import Synchronization
import Testing

@testable import Identity
@testable import Log
@testable import Notifications
@testable import Sharing
@testable import Sos

/// A clock that tests set.
final class TestClock: Sendable {
  private let time: Mutex<Microseconds>

  init(_ time: Microseconds = GrantFixture.now) { self.time = Mutex(time) }

  var now: Microseconds {
    get { time.withLock { $0 } }
    set { time.withLock { $0 = newValue } }
  }
}

extension GrantFixture {
  func maker(_ clock: TestClock, policy: DigestMaker.Policy = .init()) -> DigestMaker {
    DigestMaker(pool: rig.pool, writer: rig.writer, clock: { clock.now }, policy: policy, logger: quiet)
  }

  /// Makes everything that is due.
  @discardableResult
  func makeAll(_ maker: DigestMaker) async throws -> Int {
    var made = 0
    while true {
      let round = try await maker.round()
      if round == 0 { return made }
      made += round
    }
  }

  /// Every digest of a subscription.
  func digests(of subscription: SubscriptionRecord) async throws -> [DigestRecord] {
    var digests: [DigestRecord] = []
    var position: LogPosition = 0
    while true {
      let events = try await rig.subscriptions.events(of: subscription.id, grant: grant, after: position)
      guard let last = events.last else { return digests }
      position = last.position
      for case .digest(let digest) in events { digests.append(digest) }
    }
  }

  /// What a digest shows.
  func readings(of digest: DigestRecord, maxBytes: Int = 1 << 20) async throws -> [Reading] {
    let scope = try #require(try await rig.storage.access.find(grant)).scope
    let reader = DigestReader(
      pool: rig.pool, person: person, metrics: digest.metrics, window: digest.window(in: scope))
    var readings: [Reading] = []
    var place: DigestReader.Place?
    repeat {
      let page = try await reader.page(after: place, maxBytes: maxBytes)
      readings += Reading.all(of: page.columns)
      place = page.next
    } while place != nil
    return readings
  }

  /// Commits scalars of the person, in a row of the log of their own.
  func commit(_ values: [(Microseconds, Double)], metric: MetricID = 1, source: SourceID = 0) async throws {
    var columns = ReadingColumns()
    for (time, value) in values { columns.add(person, metric, source, time, value) }
    try await rig.commit([columns])
  }

  /// That periods follow each other without a gap.
  func expectContiguous(_ digests: [DigestRecord], from start: Microseconds) {
    var end = start
    var position: LogPosition = 0
    for digest in digests {
      #expect(digest.period.lowerBound == end)
      #expect(digest.after >= position && digest.through >= digest.after && digest.position > digest.through)
      end = digest.period.upperBound
      position = digest.through
    }
  }
}
