internal import Domain
package import RPCRuntime

extension RPCStatus {
  package static let unauthenticated = failure(
    .unauthenticated, reason: "UNAUTHENTICATED",
    message: "metadata authorization: Bearer <token> is missing or not valid")
  package static let notPermitted = failure(
    .permissionDenied, reason: "NOT_PERMITTED", message: "the caller may not see these readings")
  package static let accountDisabled = failure(
    .permissionDenied, reason: "ACCOUNT_DISABLED",
    message:
      "an administrator has disabled this account: a person can log in, see and take back what was granted, export and "
      + "leave; nothing else is possible"
  )
  package static let sessionEnded = failure(
    .unauthenticated, reason: "SESSION_ENDED", message: "the session, device or account of this call has ended")
  package static let tooBusy = failure(
    .resourceExhausted, reason: "TOO_BUSY", message: "too many calls wait; try again later")
  package static let superseded = failure(
    .aborted, reason: "SUPERSEDED", message: "a newer stream of the same client has taken over")
  package static let notStored = failure(
    .unavailable, reason: "RESEND",
    message:
      "Nothing can be stored now, and nothing is known of these readings but that they were checked; send them again.")
  package static let shuttingDown = failure(
    .unavailable, reason: "SHUTTING_DOWN", message: "the server is ending; connect again")
}
