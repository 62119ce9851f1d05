internal import FoundationEssentials
public import Outbound
internal import SosRules

/// A gateway with an HTTP API in the manner of Twilio's (`2010-04-01/Accounts/{sid}`): forms with To, From and Body or
/// Twiml, basic authentication, 201 when it is queued; then `Messages/{sid}.json` and `Calls/{sid}.json` say how far it is.
public struct HTTPGateway: Gateway {
  /// Text messages, calls and questions about them have threads of their own: one that hangs does not delay the others.
  private let clients: (sms: HTTPClient, voice: HTTPClient, looks: HTTPClient)
  private let base: String
  private let credentials: HTTPCredentials
  private let sender: String

  /// - Parameters:
  ///   - base: the URL up to the account, without a slash at the end.
  ///   - sender: the number that messages come from.
  ///   - makeClient: makes the client of a medium.
  public init(base: String, credentials: HTTPCredentials, sender: String, makeClient: () -> HTTPClient) {
    self.base = base
    self.credentials = credentials
    self.sender = sender
    clients = (makeClient(), makeClient(), makeClient())
  }

  public var queues: [OutboundThreads] { [clients.sms.threads, clients.voice.threads, clients.looks.threads] }

  public func send(_ message: GatewayMessage, completion: @escaping @Sendable (DeliveryOutcome) -> Void) {
    let medium = message.medium
    let content =
      switch medium {
      case .sms: ("Body", message.text)
      case .voice: ("Twiml", Self.speech(message.text))
      }
    guard let url = OutboundURL("\(base)/\(Self.resource(medium)).json", schemes: ["https", "http"]) else {
      return completion(.failed("the gateway's URL is none"))
    }
    let post = HTTPPost(
      url: url, contentType: "application/x-www-form-urlencoded",
      content: HTTPPost.form([("To", message.to), ("From", sender), content]), credentials: credentials,
      idempotencyKey: message.key)
    let client = medium == .sms ? clients.sms : clients.voice
    client.post(post) { result in
      let outcome = DeliveryOutcome(result)
      guard outcome == .taken, case .success(let response) = result else { return completion(outcome) }
      guard let report = GatewayReport(response.body), let sid = report.checkedSid else {
        // It can't be asked about: nobody will know whether anybody has it.
        return completion(.unknown("the gateway has named no sid"))
      }
      completion(.placed(sid: sid, report.status(medium) ?? .queued))
    }
  }

  public func look(
    for sid: String, _ medium: GatewayMedium, completion: @escaping @Sendable (DeliveryOutcome) -> Void
  ) {
    guard let url = OutboundURL("\(base)/\(Self.resource(medium))/\(sid).json", schemes: ["https", "http"]) else {
      return completion(.failed("the gateway's URL is none"))
    }
    clients.looks.get(url, credentials: credentials) { result in
      guard case .success(let response) = result else { return completion(DeliveryOutcome(result)) }
      switch response.status {
      case 200...299:
        guard let report = GatewayReport(response.body), let status = report.status(medium) else {
          return completion(.failed("the gateway says no status"))
        }
        completion(.placed(sid: sid, status))
      case 404, 410: completion(.declined("HTTP status \(response.status)"))
      default: completion(.failed("HTTP status \(response.status)"))
      }
    }
  }

  private static func resource(_ medium: GatewayMedium) -> String { medium == .sms ? "Messages" : "Calls" }

  /// TwiML that reads a text out twice.
  private static func speech(_ text: String) -> String {
    let say = "<Say language=\"en-US\">\(XMLText.escaped(text))</Say>"
    return "<Response>\(say)<Pause length=\"1\"/>\(say)</Response>"
  }
}

/// What a gateway says of a message or a call: the part of Twilio's resources that matters here.
struct GatewayReport: Decodable {
  private enum CodingKeys: String, CodingKey { case sid, status, duration }

  private let sid: String?
  private let word: String?
  /// Of a call, in seconds: digits in a string at Twilio's, a number at others'.
  private let seconds: Double

  /// - Returns: nil for what is no JSON object.
  init?(_ body: [UInt8]) {
    guard let read = try? JSONDecoder().decode(GatewayReport.self, from: Data(body)) else { return nil }
    self = read
  }

  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    sid = try? values.decode(String.self, forKey: .sid)
    word = try? values.decode(String.self, forKey: .status)
    let text = try? values.decode(String.self, forKey: .duration)
    seconds = text.flatMap { Double($0) } ?? (try? values.decode(Double.self, forKey: .duration)) ?? 0
  }

  /// The identifier; nil unless it can stand in a URL as it is: letters, digits, `-` and `_`, at most 64.
  var checkedSid: String? {
    guard let sid, (1...64).contains(sid.utf8.count),
      sid.utf8.allSatisfy({ byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
          true
        default: false
        }
      })
    else { return nil }
    return sid
  }

  /// What the gateway's word means; nil for a word that is not known here.
  ///
  /// Words: twilio.com/docs, "Message status values" and "Call status values".
  func status(_ medium: GatewayMedium) -> CallStatus? {
    switch (medium, word) {
    case (_, "queued"), (.sms, "accepted"), (.sms, "scheduled"), (.sms, "sending"), (.voice, "initiated"): .queued
    case (.sms, "sent"): .sent
    case (.sms, "delivered"), (.sms, "read"): .delivered
    case (.voice, "ringing"): .ringing
    case (.voice, "in-progress"), (.voice, "answered"): .answered
    // A call that nobody picked up is over as well.
    case (.voice, "completed"): seconds > 0 ? .answered : .failed
    case (.voice, "busy"): .busy
    case (.voice, "no-answer"): .noAnswer
    case (_, "failed"), (_, "canceled"), (.sms, "undelivered"): .failed
    default: nil
    }
  }
}
