import Domain
import Postgres
import ServiceKit

extension ServiceRig {
  /// An account that notifications can be told to.
  func makeAccount(kind: String = "person", name: String = "", email: String? = nil) throws -> AccountID {
    try connection().query(
      "INSERT INTO account (kind, display_name, email) VALUES ($1, $2, $3) RETURNING id",
      [.text(kind), .text(name), email.map { .text($0) } ?? .null(25)]
    ).int64(0, 0)
  }

  /// A request for access, pending.
  func makeRequest(by thirdParty: AccountID, to person: AccountID) throws -> AccessRequestID {
    try connection().query(
      """
      INSERT INTO access_request (third_party, person, metrics, from_us, to_us, granularity, purpose, state, position)
      VALUES ($1, $2, '{1}', 0, 1, 1, 'x', 1, 0) RETURNING id
      """, [.int8(thirdParty), .int8(person)]
    ).int64(0, 0)
  }

  func tell(
    _ account: AccountID, _ kind: Int16, request: AccessRequestID? = nil, facts: String = "{}",
    on connection: Connection? = nil
  ) throws {
    _ = try (connection ?? self.connection()).query(
      "SELECT add_notification($1, $2, $3, NULL, $4::jsonb)",
      [.int8(account), .int2(kind), request.map { .int8($0) } ?? .null(20), .text(facts)])
  }
}
