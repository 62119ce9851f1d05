internal import Console
internal import Crypto
internal import HTTPServer
internal import ProtoJSON
internal import RPCRuntime
internal import ServiceAPI
internal import WebRules
internal import WireCodec

/// A call that did not end well, as Connect tells it: a code, a sentence for people, and details for programs.
struct ConnectFailure: Sendable {
  private static let comma = UInt8(ascii: ",")

  private let code: ConnectCode
  /// `{"code": …, "message": …, "details": […]}`.
  let json: [UInt8]

  init(_ status: RPCStatus, _ schema: ProtoSchema) {
    code = ConnectCode(grpc: status.code.rawValue)
    let details = (try? Google_Rpc_Status.decode(status.details))?.details ?? []
    var json = Array(#"{"code":"\#(code.rawValue)","message":\#(JSONValue.string(status.message).text)"#.utf8)
    if !details.isEmpty {
      json += Array(#","details":["#.utf8)
      for (index, detail) in details.enumerated() {
        json += (index > 0 ? [Self.comma] : []) + Self.json(detail, schema)
      }
      json.append(UInt8(ascii: "]"))
    }
    self.json = json + [UInt8(ascii: "}")]
  }

  /// With `debug`, which is the same in words that people and pages can read.
  private static func json(_ detail: Google_Protobuf_Any, _ schema: ProtoSchema) -> [UInt8] {
    let type = String(detail.typeURL.split(separator: "/").last ?? "")
    let value = Base64.text(detail.value, isPadded: false)
    let known = #"{"type":\#(JSONValue.string(type).text),"value":"\#(value)""#
    guard let debug = try? schema.message(type)?.json(detail.value) else { return Array((known + "}").utf8) }
    return Array((known + #","debug":"#).utf8) + debug + [UInt8(ascii: "}")]
  }

  /// The response to a unary call.
  var response: HTTPResponse {
    HTTPResponse(
      status: code.httpStatus, headers: [("content-type", "application/json"), ConnectGateway.noStore], body: json)
  }

  /// The last envelope of a call that streams.
  /// - Parameter failure: nil where it ended well.
  static func end(_ failure: ConnectFailure?) -> [UInt8] {
    let json = failure.map { Array(#"{"error":"#.utf8) + $0.json + [UInt8(ascii: "}")] }
    return Envelope.wrap(json ?? Array("{}".utf8), .end)
  }
}
