internal import Glibc
public import Outbound

/// How a gateway reaches somebody.
public enum GatewayMedium: String, Sendable {
  case sms
  /// The text is read out.
  case voice
}

/// Something to send by a gateway.
public struct GatewayMessage: Sendable, Equatable {
  public var medium: GatewayMedium
  /// "112", or a number in E.164 form.
  public var to: String
  public var text: String
  /// The same for every attempt, before and after a crash.
  public var key: String

  public init(medium: GatewayMedium, to: String, text: String, key: String) {
    self.medium = medium
    self.to = to
    self.text = text
    self.key = key
  }
}

/// Sends text messages and makes calls.
public protocol Gateway: Sendable {
  /// Hands a message over and returns at once.
  /// - Parameter completion: is called once, from any thread.
  func send(_ message: GatewayMessage, completion: @escaping @Sendable (DeliveryOutcome) -> Void)
}

/// A gateway with an HTTP API in the manner of Twilio's (`2010-04-01/Accounts/{sid}`): forms with To, From and Body or
/// Twiml, basic authentication, 201 when it is taken.
public struct HTTPGateway: Gateway {
  /// Text messages and calls have threads of their own: one that hangs does not delay the other.
  private let clients: (sms: HTTPClient, voice: HTTPClient)
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
    clients = (makeClient(), makeClient())
  }

  public func send(_ message: GatewayMessage, completion: @escaping @Sendable (DeliveryOutcome) -> Void) {
    let (resource, content) =
      switch message.medium {
      case .sms: ("Messages.json", ("Body", message.text))
      case .voice: ("Calls.json", ("Twiml", Self.speech(message.text)))
      }
    guard let url = OutboundURL("\(base)/\(resource)", schemes: ["https", "http"]) else {
      return completion(.failed("the gateway's URL is none"))
    }
    let post = HTTPPost(
      url: url, contentType: "application/x-www-form-urlencoded",
      content: HTTPPost.form([("To", message.to), ("From", sender), content]), credentials: credentials,
      idempotencyKey: message.key)
    let client = message.medium == .sms ? clients.sms : clients.voice
    client.post(post) { completion(DeliveryOutcome($0)) }
  }

  /// TwiML that reads a text out twice.
  private static func speech(_ text: String) -> String {
    let say = "<Say language=\"en-US\">\(XMLText.escaped(text))</Say>"
    return "<Response>\(say)<Pause length=\"1\"/>\(say)</Response>"
  }
}

/// A gateway for development: each message is a file in a folder, named after its key, so that a repeat is the same file.
public struct FileGateway: Gateway {
  private let path: String
  private let threads = OutboundThreads(threadsMax: 1)

  /// - Parameter path: is made when the first message comes.
  public init(path: String) { self.path = path }

  public func send(_ message: GatewayMessage, completion: @escaping @Sendable (DeliveryOutcome) -> Void) {
    let isTaken = threads.submit { [self] in
      completion(write(message) ? .taken : .failed("cannot write into \(path): \(String(cString: strerror(errno)))"))
    }
    if !isTaken { completion(.failed("too many messages wait")) }
  }

  private func write(_ message: GatewayMessage) -> Bool {
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else { return false }
    let name = String(message.key.map { $0 == "/" ? "." : $0 })
    // Whoever looks into the folder finds whole messages only.
    let (draft, final) = ("\(path)/.\(name).\(UInt32.random(in: 0 ... .max))", "\(path)/\(name).txt")
    guard let file = fopen(draft, "wxe") else { return false }
    let text = "\(message.medium.rawValue) to \(message.to)\n\n\(message.text)\n"
    let isWritten = fputs(text, file) >= 0
    guard fclose(file) == 0, isWritten, rename(draft, final) == 0 else {
      unlink(draft)
      return false
    }
    return true
  }
}
