internal import CCurl

/// What an HTTP server answered.
public struct HTTPResponse: Sendable {
  /// The status, such as 200; a redirect is returned, not followed.
  public let status: Int
  public let body: [UInt8]
}

/// Asks HTTP servers of others.
public struct HTTPClient: Sendable {
  /// Where calls block.
  public let threads: OutboundThreads
  private let limits: OutboundLimits
  /// Of calls of `post` that have ended.
  private let handles = IdleHandles()

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
    let result = await threads.run { [self] cancellation in perform(url, accept, nil, nil, cancellation) }
    guard let result else { throw .queueFull }
    return try result.get()
  }

  /// Like `get`, for callers without a task; a connection of an earlier call is used again where it still stands.
  ///
  /// - Parameter completion: is called once, on a thread of this client, or at once on the caller's if the queue is full.
  public func get(
    _ url: OutboundURL, accept: String = "application/json", credentials: HTTPCredentials?,
    completion: @escaping @Sendable (Result<HTTPResponse, OutboundError>) -> Void
  ) {
    let isTaken = threads.submit { [self] in completion(perform(url, accept, credentials, handles, Cancellation())) }
    if !isTaken { completion(.failure(.queueFull)) }
  }

  /// Hands something over and returns the server's answer, whatever its status. A connection of an earlier call to the
  /// same server is used again where it still stands. Cancellation of the task ends the call.
  ///
  /// - Throws: `OutboundError.outcomeUnknown` if the server may have taken it; after every other error it surely has not.
  public func post(_ post: HTTPPost) async throws(OutboundError) -> HTTPResponse {
    let result = await threads.run { [self] cancellation in self.perform(post, cancellation) }
    guard let result else { throw .queueFull }
    return try result.get()
  }

  /// Like `post`, for callers without a task.
  ///
  /// - Parameter completion: is called once, on a thread of this client, or at once on the caller's if the queue is full.
  public func post(
    _ post: HTTPPost, completion: @escaping @Sendable (Result<HTTPResponse, OutboundError>) -> Void
  ) {
    let isTaken = threads.submit { [self] in completion(perform(post, Cancellation())) }
    if !isTaken { completion(.failure(.queueFull)) }
  }

  private func perform(_ post: HTTPPost, _ cancellation: Cancellation) -> Result<HTTPResponse, OutboundError> {
    Result { () throws(OutboundError) in
      if cancellation.age != nil { throw .cancelled }
      guard let lines = post.headerLines else { throw .malformed }
      let transfer = try Transfer(url: post.url, limits: limits, handles: handles) { _ in cancellation.age != nil }
      transfer.set(CURLOPT_HTTPHEADER, lines)
      transfer.set(CURLOPT_USERAGENT, "trackme")
      transfer.set(CURLOPT_NOPROXY, "localhost,127.0.0.1,::1")
      transfer.set(post.credentials)
      transfer.setPost(post.content)
      let outcome = transfer.perform()
      let status = transfer.responseCode
      // The status decides. What follows it may be cut off or too large.
      if status >= 200 { return HTTPResponse(status: status, body: transfer.body) }
      if transfer.mayHaveSent(post.content.count) { throw .outcomeUnknown(outcome.problem) }
      switch outcome.code {
      case CURLE_OPERATION_TIMEDOUT: throw .timedOut
      case CURLE_ABORTED_BY_CALLBACK: throw .cancelled
      default: throw .unreachable(outcome.problem)
      }
    }
  }

  private func perform(
    _ url: OutboundURL, _ accept: String, _ credentials: HTTPCredentials?, _ handles: IdleHandles?,
    _ cancellation: Cancellation
  ) -> Result<HTTPResponse, OutboundError> {
    Result { () throws(OutboundError) in
      if cancellation.age != nil { throw .cancelled }
      var lines = ["Accept: \(accept)"]
      if let line = credentials?.headerLine {
        guard HTTPPost.isLine(line) else { throw .malformed }
        lines.append(line)
      }
      let transfer = try Transfer(url: url, limits: limits, handles: handles) { _ in cancellation.age != nil }
      transfer.set(CURLOPT_HTTPGET, 1)
      transfer.set(CURLOPT_HTTPHEADER, lines)
      transfer.set(CURLOPT_USERAGENT, "trackme")
      transfer.set(CURLOPT_NOPROXY, "localhost,127.0.0.1,::1")
      transfer.set(CURLOPT_MAXFILESIZE, limits.bodyBytes)
      transfer.set(credentials)
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
}

extension Transfer {
  /// What libcurl itself says of who is asking.
  fileprivate func set(_ credentials: HTTPCredentials?) {
    guard case .basic(let user, let password) = credentials else { return }
    set(CURLOPT_USERNAME, user)
    set(CURLOPT_PASSWORD, password)
  }
}
