import Domain
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
  static let password = "correct horse battery"

  var identity: IdentityServiceClient { IdentityServiceClient(channel: channel) }

  /// An account with a password, straight in the database.
  func account(
    _ name: String, kind: AccountKind = .person, password: String = ServiceRig.password
  ) async throws -> AccountID {
    let hash = try await PasswordHasher().hash(password)
    let connection = try connection()
    let account = try connection.query(
      """
      INSERT INTO account (kind, username, email, password_hash, display_name)
      VALUES ($1, $2, $2 || '@example.org', $3, 'Name') RETURNING id
      """, [.text(kind.rawValue), .text(name), .text(hash)]
    ).int64(0, 0)
    if kind == .person {
      _ = try connection.query(
        """
        INSERT INTO person (account, given_names, family_name, fiscal_code, date_of_birth, sex, weight_kg, height_cm)
        VALUES ($1, 'Ada', 'Rossi', lpad($1::text, 16, 'A'), '1980-12-31', 'female', 60, 170)
        """, [.int8(account)])
    }
    return account
  }

  /// Logs in and returns the session.
  func logIn(_ name: String, password: String = ServiceRig.password) async throws -> Trackme_Identity_V1_Session {
    try #require(try await identity.logIn(.init(name: name, password: password)).session)
  }

  /// A bridge and its token.
  func bridge(_ name: String = "Bridge") async throws -> (AccountID, Metadata) {
    let token = TokenHash.newToken()
    let bridge = try connection().query(
      "INSERT INTO account (kind, display_name) VALUES ('bridge', $1) RETURNING id", [.text(name)]
    ).int64(0, 0)
    _ = try connection().query(
      "INSERT INTO access_token (token_sha256, kind, account) VALUES ($1, 'bridge', $2)",
      [.bytea(TokenHash(token).bytes), .int8(bridge)])
    return (bridge, ["authorization": "Bearer \(token)"])
  }

  /// A stream of the caller's own readings that has begun.
  func watch(as caller: Metadata) async throws -> ResponseStream<Trackme_Readings_V1_WatchReadingsResponse> {
    let stream = try await readings.watchReadings(.init(), metadata: caller)
    _ = try await stream.next()
    return stream
  }
}

extension Trackme_Identity_V1_Session {
  var metadata: Metadata { ["authorization": "Bearer \(token)"] }
}

/// The reason that a call fails with.
func reason(_ body: () async throws -> Void) async -> String? { await status(body)?.errorInfo?.reason }

/// How a stream ends, and how long that took.
func end<T>(of stream: ResponseStream<T>) async -> (RPCStatus?, Duration) {
  let begin = ContinuousClock.now
  let end = await status { while try await stream.next() != nil {} }
  return (end, .now - begin)
}
