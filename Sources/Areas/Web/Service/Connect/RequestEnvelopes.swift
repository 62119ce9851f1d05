internal import HTTPServer
internal import RPCRuntime
internal import ServiceAPI
internal import WebRules

/// The messages of a client in a body of envelopes, one after the other as they come.
struct RequestEnvelopes {
  private let request: HTTPRequest
  private let uploadBytesMax: Int
  private var reader: EnvelopeReader
  private var received = 0
  private let grow: @Sendable (Int) -> Void

  /// - Parameters:
  ///   - maxBytes: of a message.
  ///   - uploadBytesMax: of all together.
  ///   - grow: told how many bytes it holds.
  init(
    _ request: HTTPRequest, maxBytes: Int, uploadBytesMax: Int,
    growing grow: @escaping @Sendable (Int) -> Void = { _ in }
  ) {
    self.request = request
    self.uploadBytesMax = uploadBytesMax
    self.grow = grow
    reader = EnvelopeReader(maxBytes: maxBytes)
  }

  /// The one message of a call that takes one. A stream in both directions takes one as well: its client has nothing more to
  /// say before it has heard something, which HTTP/1.1 does not let it.
  /// - Throws: INVALID_ARGUMENT where there is none; UNIMPLEMENTED where there are more; what `next` throws.
  mutating func only() async throws -> [UInt8] {
    guard let first = try await next() else {
      throw RPCStatus(.invalidArgument, reason: "NO_MESSAGE", message: "The call ended without a request message.")
    }
    guard try await next() == nil else {
      throw RPCStatus(.unimplemented, reason: "ONE_MESSAGE", message: "Over HTTP the call takes one request message.")
    }
    return first
  }

  /// The next message; nil at the end of the body.
  /// - Throws: `EnvelopeFault`; `HTTPBodyError`; RESOURCE_EXHAUSTED where all together are too long.
  mutating func next() async throws -> [UInt8]? {
    while true {
      if let message = try reader.next() { return message }
      guard let part = try await request.nextPart() else {
        try reader.finish()
        return nil
      }
      received += part.count
      guard received <= uploadBytesMax else {
        throw RPCStatus(
          .resourceExhausted, reason: "UPLOAD_TOO_LONG",
          message: "The messages of a call may have \(uploadBytesMax) bytes in all.",
          metadata: ["limit": "\(uploadBytesMax)"])
      }
      reader.add(part)
      grow(reader.heldBytes)
    }
  }
}

extension RPCStatus {
  init(_ fault: EnvelopeFault) {
    switch fault {
    case .tooLong(let limit):
      self.init(
        .resourceExhausted, reason: "MESSAGE_TOO_LONG", message: "The message may have \(limit) bytes.",
        metadata: ["limit": "\(limit)"])
    case .compressed:
      self.init(
        .unimplemented, reason: "COMPRESSION", message: "Messages are taken as they are: compression is not supported.")
    case .unknownFlags(let flags):
      self.init(
        .invalidArgument, reason: "INVALID_ENVELOPE", message: "An envelope has flags that mean nothing: \(flags).")
    case .cut:
      self.init(.invalidArgument, reason: "INVALID_ENVELOPE", message: "The body ended in the middle of a message.")
    }
  }
}

extension RPCStatus {
  init(_ error: HTTPBodyError) {
    switch error {
    case .gone, .cancelled: self.init(.cancelled, "the client is gone")
    case .tooSlow: self.init(.deadlineExceeded, reason: "BODY_TOO_SLOW", message: "The body did not come in time.")
    case .tooLarge:
      self.init(.resourceExhausted, reason: "MESSAGE_TOO_LONG", message: "The body is longer than may be.")
    }
  }
}
