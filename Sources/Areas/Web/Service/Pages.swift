internal import HTTPServer
internal import WebAssets

/// The pages and their files, out of memory.
struct Pages: Sendable {
  let assets: WebAssets

  /// What has no place is answered with 404; a page's address, with the shell that becomes the page.
  func answer(_ request: HTTPRequest) -> HTTPResponse {
    let file = assets.files[request.path]
    guard let asset = file ?? assets.page(at: request.path) else { return .plain(404, "there is no such page") }
    guard ["GET", "HEAD"].contains(request.method) else {
      return HTTPResponse(status: 405, headers: [("allow", "GET, HEAD")])
    }
    let form = asset.representation(acceptEncoding: request.header("accept-encoding"))
    let headers = [
      ("content-type", asset.contentType), ("etag", form.entityTag), ("vary", "accept-encoding"),
      ("cache-control", asset.isImmutable ? "public, max-age=31536000, immutable" : "no-cache"),
      ("content-encoding", form.contentEncoding ?? ""),
    ]
    guard !request.hasKept(form.entityTag) else { return HTTPResponse(status: 304, headers: headers) }
    return HTTPResponse(status: 200, headers: headers, body: form.bytes)
  }
}
