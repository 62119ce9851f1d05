internal import Domain
internal import RPCRuntime
public import ServiceAPI
internal import ServiceKit
public import WireCodec

extension IdentityService {
  private static let maxReceiptBytes = 256

  /// Open to whoever has the id of the receipt: its owner has no account any more.
  /// - Throws: NOT_FOUND with reason NO_RECEIPT; INVALID_ARGUMENT without an id.
  public func getErasureReceipt(
    _ request: Trackme_Identity_V1_GetErasureReceiptRequest, context: CallContext
  ) async throws -> Trackme_Identity_V1_GetErasureReceiptResponse {
    guard !request.receiptID.isEmpty else {
      throw RPCStatus.invalidArgument(field: "receipt_id", problem: "must not be empty")
    }
    guard request.receiptID.utf8.count <= Self.maxReceiptBytes,
      let record = try await storage.erasures.find(receipt: TokenHash(request.receiptID).bytes)
    else { throw RPCStatus.failure(.notFound, reason: "NO_RECEIPT", message: "there is no such receipt") }
    return .init(receipt: .init(record, id: request.receiptID))
  }
}

extension Trackme_Identity_V1_ErasureReceipt {
  init(_ record: ErasureRecord, id: String) {
    self.init(
      receiptID: id, requested: .init(record.requested), due: .init(record.due),
      erased: record.erased.map { .init($0) },
      erasedReadings: record.erasedReadings, statement: Self.statement(record), recipients: record.recipients)
  }

  private static func statement(_ record: ErasureRecord) -> String {
    let erased =
      record.erased == nil
      ? "Your account has ended. Your identity and your readings are being erased, by the due time at the latest."
      : "Your account has ended. Your identity and your readings have been erased."
    guard !record.recipients.isEmpty else { return erased + " No third party had received readings of yours." }
    return erased
      + " Third parties keep what they had received or downloaded before; it can't be taken back from them. They are: "
      + record.recipients.joined(separator: "; ") + "."
  }
}
