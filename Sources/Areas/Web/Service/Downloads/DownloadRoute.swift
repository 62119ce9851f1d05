internal import HTTPServer
internal import ProtoJSON
internal import RPCRuntime
internal import ServiceKit
internal import WebRules
internal import WireCodec

/// Files that a page links to: `/web/downloads` and the path of an RPC, with its request in the query as in a call by GET.
///
/// Whoever asks is looked at as for a call, and the call goes through everything that others go through. A browser loads
/// a file by itself: no script sees it, and nothing of it is kept in a page's memory.
struct DownloadRoute: Sendable {
  static let prefix = "/web/downloads"
  /// A file that is everybody's and no longer than this is sent as a whole, with a tag: its end is waited for.
  static let taggedBytesMax = 1 << 20

  private let gateway: ConnectGateway
  private let sessions: BrowserSessions
  private let downloads: [String: (download: Download, method: MethodType)]

  /// - Parameter downloads: of methods that are in the gateway's schema.
  init(gateway: ConnectGateway, sessions: BrowserSessions, _ downloads: [Download] = Download.all) {
    self.gateway = gateway
    self.sessions = sessions
    self.downloads = .init(
      uniqueKeysWithValues: downloads.map { download in
        guard let method = gateway.schema.method(download.path) else {
          preconditionFailure("\(download.path) is no RPC")
        }
        return (Self.prefix + download.path, (download, method))
      })
  }

  /// Whether there is a file at a path.
  func has(_ path: String) -> Bool { downloads[path] != nil }

  /// Answers a request at one of the paths. What fails before the first byte of the file is told as of a call; what fails
  /// behind it breaks the connection, so that nobody takes a part for the whole.
  func answer(_ request: HTTPRequest) async -> HTTPResponse {
    guard let (download, method) = downloads[request.path] else { return .plain(404) }
    guard request.method == "GET" else { return HTTPResponse(status: 405, headers: [("allow", "GET")]) }
    do {
      let isPublic = PublicAnswer.isAsked(of: method, by: request)
      let (authorization, cookies) = isPublic ? (nil, []) : try await caller(of: request)
      let message = try Self.message(request, method.input)
      let file = try download.file(for: message)
      let call = gateway.calls.call(
        download.path, from: request, authorization: authorization, deadline: nil)
      try await call.send(RPCMessage(message))
      call.finishSending()
      // What fails at once has failed before the file began.
      var (begin, next) = (file.head, try await Self.nextPart(of: call, file))
      let headers = [("content-type", file.contentType), file.name.disposition]
      while isPublic, let part = next, begin.count + part.count <= Self.taggedBytesMax {
        begin += part
        next = try await Self.nextPart(of: call, file)
      }
      if isPublic, next == nil { return PublicAnswer.response(to: request, begin, headers) }
      let (first, second) = (begin, next)
      return HTTPResponse(
        status: 200,
        headers: headers + [ConnectGateway.noStore, ("x-accel-buffering", "no")] + cookies.map { ("set-cookie", $0) },
        stream: { writer in
          do {
            try await writer.write(first)
            var part = second
            while let bytes = part {
              try await writer.write(bytes)
              part = try await Self.nextPart(of: call, file)
            }
          } catch {
            writer.abort()
          }
        })
    } catch {
      return gateway.failure(error).response
    }
  }

  /// The next bytes of the file; nil at its end.
  private nonisolated(nonsending) static func nextPart(
    of call: LocalCall, _ file: Download.File
  ) async throws -> [UInt8]? {
    while let message = try await call.next() {
      let part = try file.part(message)
      if !part.isEmpty { return part }
    }
    return nil
  }

  /// Who asks: whoever has a token says so; a browser only sends its cookies along, and says whose page the link is on.
  /// - Throws: `ForeignPage`; what exchanging tokens throws.
  private func caller(of request: HTTPRequest) async throws -> (authorization: String?, cookies: [String]) {
    if let authorization = request.header("authorization") { return (authorization, []) }
    guard sessions.isSignedIn(request) else { return (nil, []) }
    guard request.isOfOwnPage else { throw ForeignPage() }
    let caller = try await sessions.caller(of: request)
    return (caller.token.map { "Bearer \($0)" }, caller.cookies)
  }

  /// - Throws: INVALID_ARGUMENT with the parameter or the field that is at fault.
  private static func message(_ request: HTTPRequest, _ type: MessageType) throws -> [UInt8] {
    let query: ConnectQuery
    do throws(ConnectQuery.Fault) { query = try ConnectQuery(request.query ?? "") } catch { throw RPCStatus(error) }
    guard query.codec == .json else { return query.message }
    do throws(WireError) {
      return try type.message(fromJSON: query.message)
    } catch {
      throw RPCStatus(invalidMessage: error)
    }
  }
}
