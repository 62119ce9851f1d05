/// The codes of Connect (https://connectrpc.com/docs/protocol#error-codes): those of gRPC, by name.
package enum ConnectCode: String, Sendable, CaseIterable {
  case canceled
  case unknown
  case invalidArgument = "invalid_argument"
  case deadlineExceeded = "deadline_exceeded"
  case notFound = "not_found"
  case alreadyExists = "already_exists"
  case permissionDenied = "permission_denied"
  case resourceExhausted = "resource_exhausted"
  case failedPrecondition = "failed_precondition"
  case aborted
  case outOfRange = "out_of_range"
  case unimplemented
  case `internal`
  case unavailable
  case dataLoss = "data_loss"
  case unauthenticated

  /// - Parameter number: as gRPC numbers it, 1 to 16; anything else is unknown.
  package init(grpc number: Int32) {
    self = (1...16).contains(number) ? Self.allCases[Int(number) - 1] : .unknown
  }

  /// The status of a unary call that ends with it.
  package var httpStatus: Int {
    switch self {
    case .canceled: 499
    case .invalidArgument, .failedPrecondition, .outOfRange: 400
    case .deadlineExceeded: 504
    case .notFound: 404
    case .alreadyExists, .aborted: 409
    case .permissionDenied: 403
    case .resourceExhausted: 429
    case .unimplemented: 501
    case .unavailable: 503
    case .unauthenticated: 401
    case .unknown, .internal, .dataLoss: 500
    }
  }
}
