import Domain
import Postgres
import RPCRuntime
import Testing
import WireCodec

@testable import Admin
@testable import AreaKit
@testable import Identity
@testable import Log
@testable import Notifications
@testable import Races
@testable import Readings
@testable import ServiceKit
@testable import Sharing
@testable import Sos

/// Birthdays over the wire. The day is the day of UTC: in Italy it begins an hour or two earlier, so that nobody is found
/// before the birthday there has begun.
@Suite(.timeLimit(.minutes(5))) struct BirthdayTests {
  /// The first moment of a day in UTC.
  private static func midnight(_ day: String) throws -> Microseconds {
    Microseconds(try #require(CalendarDate(iso8601: day)).daysSinceEpoch) * 86_400_000_000
  }

  @Test(
    "A-R8: who is 17 years and 364 days old is not found, until the last moment of the day; on the 18th birthday yes",
    arguments: [
      ("2005-11-14", "2023-11-14"),
      // Of the leap day: on 1 March, in a year that has none.
      ("2008-02-29", "2026-03-01"), ("2008-03-01", "2026-03-01"), ("2010-02-28", "2028-02-28"),
      ("2006-01-01", "2024-01-01"),
    ])
  func eighteen(born: String, birthday: String) async throws {
    let midnight = try Self.midnight(birthday)
    for (time, isFound) in [(midnight - 1, false), (midnight, true)] {
      try await withServer("eighteen_\(born)", clock: { time }) { rig in
        let (person, doctor) = (try await rig.person(), try await rig.thirdParty())
        try rig.connection().query(
          "UPDATE person SET date_of_birth = $2::text::date WHERE account = $1", [.int8(person.account), .text(born)])
        let answer = await status { _ = try await rig.request(from: doctor) }
        let stranger = await status { _ = try await rig.request(from: doctor, asking: 7) }
        #expect(stranger?.code == .notFound)
        #expect((answer == nil) == isFound, "born \(born), at \(time)")
        // The same answer as for a code that nobody has.
        if !isFound {
          #expect(answer?.code == stranger?.code && answer?.message == stranger?.message)
          #expect(answer?.errorInfo?.reason == stranger?.errorInfo?.reason)
        }
      }
    }
  }
}
