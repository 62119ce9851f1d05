public import Domain
internal import Postgres

/// What an account is told, in numbers and names; the words are made of it when somebody reads it.
public struct Announcement: Sendable, Equatable {
  /// As `trackme.notifications.v1.NotificationKind`.
  public let kind: Int16
  public let accessRequest: AccessRequestID?
  public let device: DeviceID?
  /// Of the request: as the third party calls itself now; nil where there is no request.
  public let thirdPartyName: String?
  /// Whether the account that is told is the request's third party.
  public let isToThirdParty: Bool
  /// Whose emergency it is, as the person's account is called now: of a mail to a contact; nil otherwise.
  public let personName: String?
  /// What the cause put down beside that, by name.
  public let facts: [String: String]

  public init(
    kind: Int16, accessRequest: AccessRequestID? = nil, device: DeviceID? = nil, thirdPartyName: String? = nil,
    isToThirdParty: Bool = false, personName: String? = nil, facts: [String: String] = [:]
  ) {
    self.kind = kind
    self.accessRequest = accessRequest
    self.device = device
    self.thirdPartyName = thirdPartyName
    self.isToThirdParty = isToThirdParty
    self.personName = personName
    self.facts = facts
  }

  /// The same with more facts; those that it has already stay.
  func with(_ more: [String: String]) -> Announcement {
    if more.isEmpty { return self }
    return Announcement(
      kind: kind, accessRequest: accessRequest, device: device, thirdPartyName: thirdPartyName,
      isToThirdParty: isToThirdParty, personName: personName, facts: facts.merging(more) { own, _ in own })
  }

  /// The columns that `read` expects, of a table `n` with the columns of a notification.
  static let columns = """
    n.kind::integer, n.access_request, n.device, t.display_name, coalesce(r.third_party = n.account, false),
    CASE f.facts ->> 'contact' WHEN 'true' THEN p.display_name END,
    ARRAY(SELECT key FROM jsonb_each_text(f.facts) ORDER BY key),
    ARRAY(SELECT coalesce(value, '') FROM jsonb_each_text(f.facts) ORDER BY key)
    """
  /// What those columns need beside `n`.
  static let joins = """
    CROSS JOIN LATERAL (SELECT CASE jsonb_typeof(n.facts) WHEN 'object' THEN n.facts ELSE '{}' END AS facts) f
    LEFT JOIN access_request r ON r.id = n.access_request LEFT JOIN account t ON t.id = r.third_party
    LEFT JOIN account p ON p.id = n.account
    """

  init(_ rows: Result, _ row: Int, from column: Int) throws(PostgresError) {
    kind = Int16(truncatingIfNeeded: try rows.int32(row, column))
    accessRequest = rows.isNull(row, column + 1) ? nil : try rows.int64(row, column + 1)
    device = rows.isNull(row, column + 2) ? nil : try rows.int64(row, column + 2)
    thirdPartyName = rows.isNull(row, column + 3) ? nil : try rows.string(row, column + 3)
    isToThirdParty = try rows.bool(row, column + 4)
    personName = rows.isNull(row, column + 5) ? nil : try rows.string(row, column + 5)
    facts = Dictionary(
      zip(try rows.stringArray(row, column + 6), try rows.stringArray(row, column + 7)),
      uniquingKeysWith: { first, _ in first })
  }
}
