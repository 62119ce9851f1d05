public import Domain
public import Log
internal import Postgres

extension LogTopic {
  /// Changes of one request for access.
  public static func grant(_ request: AccessRequestID) -> LogTopic { LogTopic("grant", request) }

  /// Changes of any request that an account made or was asked.
  public static func requests(of account: AccountID) -> LogTopic { LogTopic("requests", account) }

  /// Digests of a subscription.
  public static func subscription(_ subscription: SubscriptionID) -> LogTopic { LogTopic("subscription", subscription) }
}

extension LogEntry {
  /// A request for access has changed its state.
  public init(_ change: AccessChange) {
    self.init(
      change, about: [.grant(change.request), .requests(of: change.person), .requests(of: change.thirdParty)])
  }

  /// A subscription's period is over.
  public init(_ digest: DigestEntry) { self.init(digest, about: [.subscription(digest.subscription)]) }

  /// The change, if it is one of a request for access.
  public var accessChange: AccessChange? { value as? AccessChange }
}

extension CatchUpReader.Row {
  /// A change of the reader's grant.
  public var change: AccessChange? { entry?.accessChange }
}

extension EntryReader {
  /// The changes of a grant.
  public static func grant(_ grant: AccessRequestID) -> EntryReader {
    EntryReader(about: .grant(grant)) { connection, position in
      try AccessChangeRows.read(
        connection, "WHERE c.access_request = $1 AND c.position > $2 ORDER BY c.position",
        [.int8(grant), .int8(position)]
      ).map { ($0.position, LogEntry($0.change)) }
    }
  }
}
