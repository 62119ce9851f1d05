import Testing

@testable import WebRules

@Suite("Connect: codes, contents, addresses, times")
struct ConnectTests {
  @Test("Codes are those of gRPC, in its order, with the statuses of the protocol's table")
  func codes() {
    let table: [(Int32, String, Int)] = [
      (1, "canceled", 499), (2, "unknown", 500), (3, "invalid_argument", 400), (4, "deadline_exceeded", 504),
      (5, "not_found", 404), (6, "already_exists", 409), (7, "permission_denied", 403),
      (8, "resource_exhausted", 429), (9, "failed_precondition", 400), (10, "aborted", 409), (11, "out_of_range", 400),
      (12, "unimplemented", 501), (13, "internal", 500), (14, "unavailable", 503), (15, "data_loss", 500),
      (16, "unauthenticated", 401), (17, "unknown", 500), (-1, "unknown", 500), (.max, "unknown", 500),
    ]
    for (number, name, status) in table {
      let code = ConnectCode(grpc: number)
      #expect(code.rawValue == name && code.httpStatus == status, "\(number)")
    }
  }

  @Test("Only its own content types are Connect's")
  func contents() {
    for codec in ConnectContent.Codec.allCases {
      for isStreaming in [false, true] {
        let content = ConnectContent(codec: codec, isStreaming: isStreaming)
        #expect(ConnectContent(contentType: content.contentType) == content)
        #expect(ConnectContent(contentType: content.contentType.uppercased() + " ; charset=utf-8") == content)
      }
    }
    for other in [
      "", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "application/jsonx",
      "application/connect+", "application/", "application/grpc", "application/grpc-web+json", "json",
      "text/plain; application/json", "application/connect+connect+json",
    ] {
      #expect(ConnectContent(contentType: other) == nil, "\(other)")
    }
  }

  @Test func howLongAClientWaitsIsOneToTenDigits() {
    #expect(ConnectTimeout.duration("0") == .zero && ConnectTimeout.duration("1500") == .milliseconds(1_500))
    #expect(ConnectTimeout.duration("9999999999") == .milliseconds(9_999_999_999))
    for text in ["", "-1", "+1", "1.5", " 1", "1 ", "12345678901", "0x1", "١"] {
      #expect(ConnectTimeout.duration(text) == nil, "\(text)")
    }
  }

  @Test("A call by GET has its message in the address, as it is or in either base64")
  func queries() throws {
    let plain = try ConnectQuery("connect=v1&encoding=json&message=%7B%22a%22%3a+1%7D")
    #expect(plain.codec == .json && plain.message == Array(#"{"a": 1}"#.utf8))
    for coded in ["-_8", "-_8=", "%2B%2F8", "%2b%2f8%3D"] {
      let query = try ConnectQuery("message=\(coded)&base64=1&encoding=proto&connect=v1&compression=identity")
      #expect(query.codec == .proto && query.message == [0xfb, 0xff], "\(coded)")
    }
    #expect(try ConnectQuery("connect=v1&encoding=proto&message=&base64=1").message == [])
  }

  @Test("A query that says nothing, or the same twice, is refused by the parameter's name")
  func badQueries() {
    let faults: [(String, ConnectQuery.Fault)] = [
      ("", .parameter("connect")), ("connect=v2&encoding=json&message=", .parameter("connect")),
      ("connect=v1&message=", .parameter("encoding")), ("connect=v1&encoding=xml&message=", .parameter("encoding")),
      ("connect=v1&encoding=json", .parameter("message")),
      ("connect=v1&encoding=json&message=%", .parameter("message")),
      ("connect=v1&encoding=json&message=%7", .parameter("message")),
      ("connect=v1&encoding=json&message=%zz", .parameter("message")),
      ("connect=v1&encoding=json&message=a&message=b", .parameter("message")),
      ("connect=v1&encoding=json&message=a&base64=1", .parameter("message")),
      ("connect=v1&encoding=json&message=a*b=&base64=1", .parameter("message")),
      ("connect=v1&encoding=json&message=&base64=true", .parameter("base64")),
      ("connect=v1&encoding=json&message=&compression=gzip", .compressed),
    ]
    for (query, fault) in faults { #expect(throws: fault, "\(query)") { try ConnectQuery(query) } }
  }
}
