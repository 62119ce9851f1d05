import CLibPQ

/// Listens to what the server says beside its answers, for the one warning that turns a success into an unknown outcome.
///
/// A commit that waits for a synchronous standby can't be undone any more. When the wait is cancelled, or its session is
/// ended, PostgreSQL answers that the commit succeeded, with a warning that the standby may not have it: if the standby
/// takes over, it is gone (see "Synchronous Replication" in PostgreSQL's manual, and `SyncRepWaitForLSN` in syncrep.c).
///
/// Used by the connection's thread only: libpq calls the receiver inside the calls that read answers.
final class CommitNotices {
  /// Whether a wait was broken off since `take` was last called.
  private var isWaitBrokenOff = false

  /// Takes the place of libpq's default, which prints notices on standard error. The connection must not outlive this.
  func listen(to connection: OpaquePointer) {
    // Unmanaged: libpq gets no reference. The owner keeps this alive until after PQfinish, and with that libpq calls no
    // more.
    PQsetNoticeReceiver(
      connection,
      { context, result in
        guard let context, let result, CommitNotices.isAboutBrokenWait(result) else { return }
        Unmanaged<CommitNotices>.fromOpaque(context).takeUnretainedValue().isWaitBrokenOff = true
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  /// The error that the statement before this call has to be answered with, if there is one.
  func take(isConnectionLost: Bool) -> PostgresError? {
    guard isWaitBrokenOff else { return nil }
    isWaitBrokenOff = false
    return PostgresError(
      .unknownOutcome, "the wait for a synchronous standby was broken off: the commit may yet be lost",
      isConnectionLost: isConnectionLost)
  }

  /// The message's text depends on the server's language, and its SQLSTATE (01000, or 57P01 when the session ends) is no
  /// more than "warning": the function that raised it says which one it is.
  private static func isAboutBrokenWait(_ notice: OpaquePointer) -> Bool {
    let function = PQresultErrorField(notice, Int32(UInt8(ascii: "R"))).map { String(cString: $0) }
    return function == "SyncRepWaitForLSN"
  }
}
