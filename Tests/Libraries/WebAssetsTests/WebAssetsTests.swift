import Foundation
import Testing

@testable import WebAssets

@Suite struct WebAssetsTests {
  private func packed(_ index: String, _ bytes: String) -> [UInt8] { Array((index + "\n" + bytes).utf8) }

  private let index = """
    page\t/
    page\t/races/{raceId}/live
    file\t/index.html\ttext/html\tchanging\taa\t5\t2\t0
    file\t/assets/a.js\ttext/javascript\timmutable\tbb\t3\t1\t2

    """

  @Test func filesHaveTheirBytesInEachForm() throws {
    let assets = try WebAssets(packed(index, "shellSHabcABB"))
    let file = try #require(assets.files["/assets/a.js"])
    #expect(file.contentType == "text/javascript")
    #expect(file.isImmutable)
    #expect(file.identity == Array("abc".utf8))
    #expect(file.brotli == Array("A".utf8))
    #expect(file.gzip == Array("BB".utf8))
    let shell = try #require(assets.page(at: "/"))
    #expect(shell.identity == Array("shell".utf8))
    #expect(!shell.isImmutable)
    #expect(shell.gzip == nil)
    #expect(assets.files.keys.sorted() == ["/assets/a.js"])
  }

  @Test(arguments: [
    ("/", true), ("", false), ("/races/7/live", true), ("/races//live", false), ("/races/7/live/", false),
    ("/races/7", false), ("/index.html", false), ("/assets/a.js", false), ("/RACES/7/live", false), ("//", false),
  ])
  func onlyPagesHaveTheShell(path: String, isPage: Bool) throws {
    #expect((try WebAssets(packed(index, "shellSHabcABB")).page(at: path) != nil) == isPage)
  }

  @Test(
    arguments: [
      (nil, nil), ("", nil), ("gzip, deflate, br", "br"), ("gzip", "gzip"), ("BR", "br"), ("br;q=0, gzip", "gzip"),
      ("br ; q=0.0,gzip;q=0.5", "gzip"), ("br;q=zero", nil), ("*", nil), ("identity", nil), (",;,", nil),
    ] as [(String?, String?)])
  func theSmallestFormThatABrowserTakesIsSent(header: String?, encoding: String?) throws {
    let file = try #require(try WebAssets(packed(index, "shellSHabcABB")).files["/assets/a.js"])
    let sent = file.representation(acceptEncoding: header)
    #expect(sent.contentEncoding == encoding)
    switch encoding {
    case "br": #expect(sent.bytes == file.brotli && sent.entityTag == "\"bb-br\"")
    case "gzip": #expect(sent.bytes == file.gzip && sent.entityTag == "\"bb-gzip\"")
    default: #expect(sent.bytes == file.identity && sent.entityTag == "\"bb\"")
    }
  }

  @Test func aFormThatIsNoSmallerIsNotSent() throws {
    let shell = try #require(try WebAssets(packed(index, "shellSHabcABB")).page(at: "/"))
    #expect(shell.representation(acceptEncoding: "gzip").contentEncoding == nil)
  }

  @Test func whatDoesNotFitItsIndexIsRefused() {
    for bytes in ["shellSHabcAB", "shellSHabcABBB", ""] {
      #expect(throws: WebAssets.Malformed(line: nil)) { try WebAssets(packed(index, bytes)) }
    }
    #expect(throws: WebAssets.Malformed(line: nil)) { try WebAssets([]) }
    #expect(throws: WebAssets.Malformed(line: 0)) { try WebAssets(packed("page\n", "")) }
    #expect(throws: WebAssets.Malformed(line: 1)) {
      try WebAssets(packed("page\t/\nfile\t/a\tt\timmutable\tbb\t-1\t0\t0\n", ""))
    }
  }

  /// The rules under which the server sends the pages: default-src 'none', script-src 'self', style-src 'self'.
  @Test func theBuiltInPagesNeedNothingThatTheirPolicyForbids() throws {
    let assets = WebAssets.builtIn
    let html = String(decoding: try #require(assets.page(at: "/sign-in")).identity, as: UTF8.self)
    #expect(!html.contains("<style") && !html.contains(" style="))
    #expect(html.matches(of: /<script[^>]*>\s*[^<\s]/).isEmpty)
    #expect(html.matches(of: /\son[a-z]+=/).isEmpty)
    for match in html.matches(of: /(?:src|href)="([^"#]+)"/) {
      let file = try #require(assets.files[String(match.output.1)], "\(match.output.1)")
      #expect(file.isImmutable)
    }
    for file in assets.files.values where file.path.hasSuffix(".js") {
      let script = String(decoding: file.identity, as: UTF8.self)
      #expect(!script.contains("eval(") && !script.contains("new Function"))
      // Leaflet can show HTML in popups and signs, which no page asks it for. The others take texts as texts.
      #expect(!script.contains("innerHTML") || script.contains("@preserve\n * Leaflet "), "\(file.path)")
      #expect(!script.contains("//# sourceMappingURL"))
    }
  }

  /// Whoever signs in with a bad connection gets this: the shell, what it names, and the page's own script.
  @Test func theSignInPageIsSmall() throws {
    let assets = WebAssets.builtIn
    let html = try #require(assets.page(at: "/sign-in"))
    let script = try #require(assets.files.keys.first { $0.hasPrefix("/assets/sign_in-") })
    var needed: Set<String> = []
    var pending =
      String(decoding: html.identity, as: UTF8.self).matches(of: /(?:src|href)="(\/[^"]+)"/)
      .map { String($0.output.1) } + [script]
    while let path = pending.popLast() {
      guard needed.insert(path).inserted, path.hasSuffix(".js") else { continue }
      let text = String(decoding: try #require(assets.files[path]).identity, as: UTF8.self)
      pending += text.matches(of: /(?:from|import)"\.\/([^"]+)"/).map { "/assets/\($0.output.1)" }
    }
    let files = [html] + (try needed.map { try #require(assets.files[$0]) })
    let compressed = files.map { $0.brotli?.count ?? $0.identity.count }.reduce(0, +)
    print("The sign-in page: \(files.count) files, \(compressed) bytes by brotli")
    #expect(needed.count > 5)
    #expect(compressed < 60_000)
  }
}
