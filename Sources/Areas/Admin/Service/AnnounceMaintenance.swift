internal import Domain
internal import RPCRuntime
public import ServiceAPI
internal import ServiceKit
public import WireCodec

extension AdminService {
  private static let leastNotice: Microseconds = 24 * 3_600 * 1_000_000

  /// In the inbox of every active account when it returns. A repeat of the request id announces nothing new, and has
  /// the same count.
  /// - Throws: INVALID_ARGUMENT, also for a beginning less than 24 hours ahead.
  public func announceMaintenance(
    _ request: Trackme_Admin_V1_AnnounceMaintenanceRequest, context: CallContext
  ) async throws -> Trackme_Admin_V1_AnnounceMaintenanceResponse {
    let administrator = try context.account()
    var violations = Violations()
    violations.addRequestID(request.requestID)
    violations.add("message", PlainText.problem(request.message, length: 1...1_000, isParagraph: true))
    let begins = violations.time(request.begins, "begins")
    let ends = violations.time(request.ends, "ends")
    if let begins, begins < clock() + Self.leastNotice { violations.add("begins", "must be at least 24 hours ahead") }
    if let begins, let ends, ends <= begins { violations.add("ends", "must be after begins") }
    guard violations.isEmpty, let begins, let ends else {
      throw RPCStatus.invalidArgument(violations: violations.all)
    }
    return .init(
      notifiedAccounts: try await maintenances.announce(
        begins..<ends, message: request.message, by: administrator, requestID: request.requestID))
  }
}

extension Violations {
  /// A time that a request must have, in microseconds; nil, with what is wrong, if it is none.
  mutating func time(_ time: Google_Protobuf_Timestamp?, _ field: String) -> Microseconds? {
    guard let time else {
      add(field, "must be there")
      return nil
    }
    guard let microseconds = try? time.microseconds(field: field) else {
      add(field, "must be a time from year 1 to year 9999")
      return nil
    }
    return microseconds
  }
}
