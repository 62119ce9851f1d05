import Domain
import IdentityRules
import Postgres
import RPCRuntime
import ServiceAPI
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

extension ServiceRig {
  var admin: AdminServiceClient { AdminServiceClient(channel: channel) }

  /// The token of a new administrator's session.
  func administrator(_ name: String = "root") async throws -> Metadata {
    _ = try await account(name, kind: .administrator)
    return try await logIn(name).metadata
  }

  /// A code that a third party can register with.
  func code(as administrator: Metadata) async throws -> String {
    try await admin.issueThirdPartyCode(.init(company: "Clinic", kind: .healthCare), metadata: administrator).code
  }

  /// How many rows a table has.
  func count(_ table: String) throws -> Int64 {
    try connection().query("SELECT count(*) FROM \(table)", []).int64(0, 0)
  }
}

/// A person's registration in which everything is right; numbers make different persons.
func personForm(_ number: Int = 0, requestID: String = "") throws -> Trackme_Identity_V1_RegisterPersonRequest {
  let born = try #require(CalendarDate(year: 1980, month: 5, day: 17))
  let place = "H" + String(String(1_000 + number).suffix(3))
  let code = try FiscalCode(
    familyName: "D'Angelò", givenNames: "Maria Teresa", dateOfBirth: born, sex: .female, place: place)
  return .init(
    requestID: requestID, username: "maria\(number)", email: "maria\(number)@example.org",
    password: "correct horse battery", givenNames: "Maria Teresa", familyName: "D'Angelò",
    fiscalCode: code.text.lowercased(), dateOfBirth: "1980-05-17", sex: .female, weightKg: 61.5, heightCm: 168)
}

/// A third party's registration in which everything is right.
func thirdPartyForm(code: String, _ number: Int = 0) -> Trackme_Identity_V1_RegisterThirdPartyRequest {
  .init(
    username: "clinic\(number)", email: "clinic\(number)@example.org", password: "correct horse battery",
    name: "Clinic", description: "A clinic.\nFor hearts.", code: code)
}

/// The form's values.
func values(_ values: KeyValuePairs<String, String>) -> [Trackme_Identity_V1_FieldValue] {
  values.map { .init(name: $0.key, value: $0.value) }
}

/// How many of many calls made at once ended with each reason; "OK" for those that succeeded.
func reasons(of count: Int, _ call: @escaping @Sendable (Int) async throws -> Void) async -> [String: Int] {
  await withTaskGroup(of: String.self) { group in
    for index in 0..<count {
      group.addTask {
        guard let status = await status({ try await call(index) }) else { return "OK" }
        return "\(status.code) \(status.errorInfo?.reason ?? "")"
      }
    }
    return await group.reduce(into: [:]) { $0[$1, default: 0] += 1 }
  }
}
