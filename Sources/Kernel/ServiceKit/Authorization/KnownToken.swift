internal import Domain
internal import Log

/// A token, whom it stands for, and until when.
struct KnownToken: Sendable {
  let hash: TokenHash
  let principal: Principal
  /// The session that it belongs to; nil of other tokens.
  let session: SessionID?
  /// When the token ends; nil if it does not.
  let end: ContinuousClock.Instant?
  /// Whether an administrator has disabled the account.
  let isDisabled: Bool

  init(hash: TokenHash, _ holder: TokenHolder) {
    self.hash = hash
    principal = holder.principal
    session = holder.session
    end = holder.timeLeft.map { .now + $0 }
    isDisabled = holder.isDisabled
  }

  init(_ record: TokenRecord) { self.init(hash: TokenHash(bytes: record.hash), record.holder) }

  func isOver(at now: ContinuousClock.Instant) -> Bool { end.map { $0 <= now } ?? false }
}
