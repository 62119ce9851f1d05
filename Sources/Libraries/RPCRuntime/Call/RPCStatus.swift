/// How a call ended, as gRPC numbers it.
public enum RPCCode: Int32, Sendable, CaseIterable {
  case ok = 0
  case cancelled = 1
  case unknown = 2
  case invalidArgument = 3
  case deadlineExceeded = 4
  case notFound = 5
  case alreadyExists = 6
  case permissionDenied = 7
  case resourceExhausted = 8
  case failedPrecondition = 9
  case aborted = 10
  case outOfRange = 11
  case unimplemented = 12
  case `internal` = 13
  case unavailable = 14
  case dataLoss = 15
  case unauthenticated = 16
}

/// The end of a call: a code, a text for people, and details for programs.
///
/// A handler ends its call with a status by throwing it; a client is thrown the status its call ended with.
public struct RPCStatus: Error, Sendable, Equatable {
  /// The kind of end.
  public var code: RPCCode
  /// A sentence for people, in English. Never carries secrets or internal detail.
  public var message: String
  /// A serialized `google.rpc.Status`, sent as the trailer `grpc-status-details-bin`. Empty means none.
  public var details: [UInt8]

  /// Makes a status.
  public init(_ code: RPCCode, _ message: String = "", details: [UInt8] = []) {
    self.code = code
    self.message = message
    self.details = details
  }

  /// The call did what it was asked to do.
  public static let ok = RPCStatus(.ok)
}

extension RPCStatus: CustomStringConvertible {
  /// The code and the message.
  public var description: String { message.isEmpty ? "\(code)" : "\(code): \(message)" }
}
