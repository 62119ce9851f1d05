import Domain
import IdentityRules
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

/// An account with a session.
struct Party {
  let account: AccountID
  let metadata: Metadata
}

extension ServiceRig {
  /// A fiscal code for tests: valid, of a person born on 1 January 1980 or, as a minor, 2010.
  static func fiscalCode(_ number: Int, isMinor: Bool = false) throws -> FiscalCode {
    let letters = Array("BCDFGHJKLMNPQRSTVWXZ").map(String.init)
    let name = "RSS" + letters[number / 400 % 20] + letters[number / 20 % 20] + letters[number % 20]
    let body = name + (isMinor ? "10" : "80") + "A01H501"
    for check in "ABCDEFGHIJKLMNOPQRSTUVWXYZ" {
      if let code = try? FiscalCode(body + String(check)) { return code }
    }
    throw NoFiscalCode()
  }

  /// A person with an account, found by `fiscalCode(number)`.
  func person(_ number: Int = 0, isMinor: Bool = false) async throws -> Party {
    let connection = try connection()
    let account = try connection.query(
      "INSERT INTO account (kind, display_name) VALUES ('person', 'A Person') RETURNING id", []
    ).int64(0, 0)
    try connection.query(
      """
      INSERT INTO person (account, given_names, family_name, fiscal_code, date_of_birth, sex, weight_kg, height_cm)
      VALUES ($1, 'A', 'Person', $2, $3::text::date, 'male', 70, 170)
      """,
      [
        .int8(account), .text(try Self.fiscalCode(number, isMinor: isMinor).text),
        .text(isMinor ? "2010-01-01" : "1980-01-01"),
      ])
    return try session(of: account, connection)
  }

  func thirdParty() async throws -> Party {
    let connection = try connection()
    let account = try connection.query(
      "INSERT INTO account (kind, display_name) VALUES ('third_party', 'A Practice') RETURNING id", []
    ).int64(0, 0)
    return try session(of: account, connection)
  }

  private func session(of account: AccountID, _ connection: Connection) throws -> Party {
    let token = TokenHash.newToken()
    try connection.query(
      """
      WITH begun AS (
        INSERT INTO session (account, expires_at) VALUES ($1, now() + interval '1 day') RETURNING id
      )
      INSERT INTO access_token (token_sha256, kind, account, session) SELECT $2, 'session', $1, id FROM begun
      """, [.int8(account), .bytea(TokenHash(token).bytes)])
    return Party(account: account, metadata: ["authorization": "Bearer \(token)"])
  }

  /// A third party's request.
  func request(
    from thirdParty: Party, asking number: Int = 0, metrics: [String] = ["heart_rate"],
    granularity: Trackme_Sharing_V1_Granularity = .second, from: Microseconds? = nil, to: Microseconds? = nil
  ) async throws -> Trackme_Sharing_V1_AccessRequest {
    let response = try await access.requestAccess(
      .init(
        fiscalCode: try Self.fiscalCode(number).text,
        scope: .init(
          metrics: metrics, from: from.map { .init($0) }, to: to.map { .init($0) }, granularity: granularity),
        purpose: "care"), metadata: thirdParty.metadata)
    return try #require(response.accessRequest)
  }

  /// The same, accepted.
  func grant(
    of person: Party, to thirdParty: Party, number: Int = 0, metrics: [String] = ["heart_rate"],
    granularity: Trackme_Sharing_V1_Granularity = .second, from: Microseconds? = nil, to: Microseconds? = nil
  ) async throws -> Trackme_Sharing_V1_AccessRequest {
    let request = try await request(
      from: thirdParty, asking: number, metrics: metrics, granularity: granularity, from: from, to: to)
    let accepted = try await access.acceptAccessRequest(
      .init(accessRequestID: request.accessRequestID), metadata: person.metadata)
    return try #require(accepted.accessRequest)
  }

  struct NoFiscalCode: Error {}
}
