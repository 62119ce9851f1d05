/// Why nobody can listen there.
public struct HTTPServerError: Error, Sendable, CustomStringConvertible {
  public let description: String
}

/// Why a body does not come as a whole.
public enum HTTPBodyError: Error, Sendable, Equatable {
  /// The connection has ended, or what came was no body.
  case gone
  /// It took longer than `HTTPLimits.bodyTime`.
  case tooSlow
  /// It is longer than `HTTPLimits.bodyBytes`, or than who reads it wants.
  case tooLarge
  /// The task that reads it was cancelled.
  case cancelled

  /// What to answer, where somebody is still there.
  public var status: Int {
    switch self {
    case .gone: 400
    case .tooSlow: 408
    case .tooLarge: 413
    case .cancelled: 503
    }
  }
}
