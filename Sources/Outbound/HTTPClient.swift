internal import CCurl

/// What an HTTP server answered.
public struct HTTPResponse: Sendable {
  /// The status, such as 200; a redirect is returned, not followed.
  public let status: Int
  public let body: [UInt8]
}

/// Asks HTTP servers of others.
public struct HTTPClient: Sendable {
  private let threads: OutboundThreads
  private let limits: OutboundLimits

  /// - Parameters:
  ///   - threads: where calls block.
  ///   - limits: of times and sizes.
  public init(threads: OutboundThreads = OutboundThreads(), limits: OutboundLimits = OutboundLimits()) {
    self.threads = threads
    self.limits = limits
  }

  /// Gets a resource. Cancellation of the task ends the call.
  ///
  /// - Parameter accept: the media type that is asked for.
  /// - Throws: `OutboundError` if there is no whole answer, whatever its status.
  public func get(_ url: OutboundURL, accept: String = "application/json") async throws(OutboundError) -> HTTPResponse {
    let result = await threads.run { [limits] cancellation in
      Result { () throws(OutboundError) in try Self.get(url, accept: accept, limits: limits, cancellation) }
    }
    guard let result else { throw .queueFull }
    return try result.get()
  }

  private static func get(
    _ url: OutboundURL, accept: String, limits: OutboundLimits, _ cancellation: Cancellation
  ) throws(OutboundError) -> HTTPResponse {
    if cancellation.age != nil { throw .cancelled }
    let transfer = try Transfer(url: url, limits: limits) { _ in cancellation.age != nil }
    transfer.set(CURLOPT_HTTPGET, 1)
    transfer.set(CURLOPT_HTTPHEADER, ["Accept: \(accept)"])
    transfer.set(CURLOPT_USERAGENT, "trackme")
    transfer.set(CURLOPT_NOPROXY, "localhost,127.0.0.1,::1")
    transfer.set(CURLOPT_MAXFILESIZE, limits.bodyBytes)
    let outcome = transfer.perform()
    switch outcome.code {
    case CURLE_OK: return HTTPResponse(status: transfer.responseCode, body: transfer.body)
    case CURLE_OPERATION_TIMEDOUT: throw .timedOut
    case CURLE_ABORTED_BY_CALLBACK: throw .cancelled
    case CURLE_FILESIZE_EXCEEDED: throw .answerTooLarge
    default: throw transfer.isTooLarge ? .answerTooLarge : .unreachable(outcome.problem)
    }
  }
}
