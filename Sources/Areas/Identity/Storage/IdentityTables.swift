public import Log
internal import Postgres

extension AreaTables {
  /// Accounts, their sessions and devices, and forms of registration.
  public static let identity = AreaTables(
    migrations: [
      Migration(number: 5, name: "account", sql: AccountSQL.schema),
      Migration(number: 10, name: "registration", sql: RegistrationSQL.schema),
      Migration(number: 11, name: "openid", sql: OpenIDSQL.schema),
      Migration(number: 27, name: "sign_in", sql: SignInSQL.schema),
      Migration(number: 28, name: "claim", sql: ClaimSQL.schema),
      Migration(number: 35, name: "openid_nonce", sql: OpenIDNonceSQL.schema),
      Migration(number: 36, name: "log_in_lock", sql: LogInLockSQL.schema),
      Migration(number: 62, name: "code_holder", sql: CodeHolderSQL.schema),
    ],
    personal: [
      "account.claimed_email": .erased,
      "account.description": .erased,
      "account.display_name": .kept(
        "persons have a right to know who has received their readings; who answered is part of the record of calls"),
      "account.email": .erased,
      "account.form_values": .erased,
      "account.kind": .impersonal,
      "account.password_hash": .erased,
      "account.request_id": .erased,
      "account.state": .impersonal,
      "account.username": .erased,
      "account_decision.checked_after": .kept("persons have a right to know who has received their readings"),
      "account_decision.checked_before": .kept("persons have a right to know who has received their readings"),
      "account_decision.name_after": .kept("persons have a right to know who has received their readings"),
      "account_decision.name_before": .kept("persons have a right to know who has received their readings"),
      "account_decision.reason": .erased,
      "bridge.request_id": .erased,
      "device.name": .erased,
      "device.request_id": .erased,
      "log_in_attempt.key": .erased,
      "openid_link.issuer": .erased,
      "openid_link.subject": .erased,
      "openid_used_nonce.nonce_sha256": .impersonal,
      "person.family_name": .erased,
      "person.fiscal_code": .erased,
      "person.given_names": .erased,
      "person.sex": .erased,
      "registration_form.kind": .impersonal,
      "registration_form_field.choices": .impersonal,
      "registration_form_field.kind": .impersonal,
      "registration_form_field.label": .impersonal,
      "registration_form_field.name": .impersonal,
      "registration_form_field.type": .impersonal,
      "third_party_code.checked": .kept("persons have a right to know who has received their readings"),
      "third_party_code.code_sha256": .impersonal,
      "third_party_code.company": .kept("persons have a right to know who has received their readings"),
      "third_party_code.request_id": .erased,
    ],
    numbered: ["bridge_permission", "session"],
    // Bridges may push nothing more for the person: here at once.
    suspend: { _, storage, _ in try await storage.bridges.permissions.refresh() },
    erasure: identityErasure,
    clients: ["SELECT 'device/' || d.id || '/' FROM device d WHERE d.person = $1"],
    begin: { storage in try await storage.bridges.permissions.refresh() })

  private static let identityErasure = [
    "DELETE FROM session WHERE account = $1",
    "DELETE FROM device WHERE person = $1",
    "DELETE FROM openid_link WHERE account = $1",
    "DELETE FROM bridge_permission WHERE person = $1 OR bridge = $1",
    "DELETE FROM log_in_attempt WHERE key = sha256(convert_to('account/' || $1::bigint, 'UTF8'))",
    // What an administrator's programs called their requests.
    "UPDATE third_party_code SET request_id = NULL WHERE issued_by = $1",
    "UPDATE bridge SET request_id = NULL WHERE created_by = $1",
    "UPDATE account_decision SET reason = '' WHERE account = $1",
    "DELETE FROM person WHERE account = $1",
    // The name of a third party stays: persons have a right to know who has received their readings.
    """
    UPDATE account SET state = 'erased', username = NULL, email = NULL, claimed_email = NULL,
      password_hash = NULL, description = '',
      display_name = CASE WHEN kind = 'third_party' THEN display_name ELSE '' END, form_values = '{}',
      request_id = NULL, version = version + 1
    WHERE id = $1
    """,
  ]
}
