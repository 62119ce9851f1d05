package import HTTPServer

/// Something that pages show and no RPC gives, such as a picture or a part of a map: at the pages' address, for whoever asks,
/// with a session or without. The area of the pages answers with it, and adds its headers.
package struct WebResource: Sendable {
  /// Such as "/map": this path and all below it.
  package let path: String
  /// Answers a request; its task is cancelled when it takes too long.
  package let answer: @Sendable (HTTPRequest) async -> HTTPResponse

  package init(_ path: String, answer: @escaping @Sendable (HTTPRequest) async -> HTTPResponse) {
    self.path = path
    self.answer = answer
  }

  /// Whether it is at a path.
  package func fits(_ path: String) -> Bool { path == self.path || path.hasPrefix(self.path + "/") }
}
