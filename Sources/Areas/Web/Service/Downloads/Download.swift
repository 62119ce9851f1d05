internal import RPCRuntime
internal import ServiceAPI
internal import ServiceKit
internal import WebRules
internal import WireCodec

/// An RPC whose messages, one after the other, are a file.
struct Download: Sendable {
  /// A file that a request asks for.
  struct File: Sendable {
    let name: FileName
    let contentType: String
    /// What it begins with, whatever messages come.
    let head: [UInt8]
    private let taken: @Sendable (RPCMessage) throws -> [UInt8]

    /// - Parameter part: the bytes of a message; throws where there is no file, which can be told before its first byte
    ///   alone.
    init<Response: WireMessage>(
      _ name: FileName, _ contentType: String, head: String = "",
      part: @escaping @Sendable (Response) throws -> [UInt8]
    ) {
      self.name = name
      self.contentType = contentType
      self.head = Array(head.utf8)
      taken = { message in try part(try message.withUnsafeBytes { bytes throws(WireError) in try .decode(bytes) }) }
    }

    /// What a message adds to the file.
    func part(_ message: RPCMessage) throws -> [UInt8] { try taken(message) }
  }

  /// Of the RPC.
  let path: String
  private let made: @Sendable ([UInt8]) throws -> File

  /// - Parameter file: which file it is; throws where a request asks for none.
  init<Method: ServiceMethod, Request: WireMessage>(
    _ method: Method, file: @escaping @Sendable (Request) throws -> File
  ) {
    path = method.rawValue
    made = { bytes in
      let request: Request
      do throws(WireError) { request = try .decode(bytes) } catch { throw RPCStatus(invalidMessage: error) }
      return try file(request)
    }
  }

  /// Which file a request asks for.
  /// - Parameter request: the bytes of a message.
  /// - Throws: INVALID_ARGUMENT for what is none, and where the message asks for no file.
  func file(for request: [UInt8]) throws -> File { try made(request) }
}
