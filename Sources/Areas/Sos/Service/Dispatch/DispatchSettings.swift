internal import ArgumentParser
internal import Console
internal import Domain
internal import Emergencies
internal import Outbound
internal import Places
internal import SosRules

/// Where calls for help go.
struct DispatchSettings: Sendable {
  let webhooks: [OutboundURL]
  /// The bearer token for all of them.
  let webhookToken: String?
  /// Nil: SMS and calls become files in the data directory.
  let gateway: Gateway?
  let numbers: EmergencyNumbers
  /// PEM file of the authorities to trust in connections to others; nil: the system's.
  let certificateAuthority: String?
  /// Who sends CAP messages.
  let sender: String

  /// A gateway for SMS and voice, by HTTP.
  struct Gateway: Sendable {
    let base: OutboundURL
    let credentials: HTTPCredentials
    /// The number that SMS and calls come from.
    let from: String
    /// What is called in an exercise.
    let exerciseNumber: PhoneNumber
    /// How long it may take to say that an SMS was delivered or a call answered; nil: as the desk has it.
    let patience: Microseconds?
  }

  init(_ environment: Environment, sender: String) throws {
    webhooks = try Self.addresses(environment["TRACKME_DISPATCH_WEBHOOKS"])
    webhookToken = try environment.secret("TRACKME_DISPATCH_WEBHOOK_TOKEN_FILE")
    gateway = try Self.gateway(environment)
    numbers = EmergencyNumbers(
      elsewhere: try Self.number("TRACKME_EMERGENCY_NUMBER", environment["TRACKME_EMERGENCY_NUMBER"] ?? "112"),
      byCountry: try Self.numbersByCountry(environment["TRACKME_EMERGENCY_NUMBERS"]))
    certificateAuthority = environment["TRACKME_OUTBOUND_CA"]
    self.sender = sender
  }

  private static func addresses(_ text: String?) throws -> [OutboundURL] {
    let parts = (text ?? "").split(separator: ",").map { $0.trimming() }
    guard parts.count <= 16 else { throw ValidationError("TRACKME_DISPATCH_WEBHOOKS: at most 16") }
    return try parts.map { try address("TRACKME_DISPATCH_WEBHOOKS", $0) }
  }

  /// Health data leaves this machine encrypted only.
  private static func address(_ name: String, _ text: String) throws -> OutboundURL {
    guard let url = OutboundURL(text, schemes: ["https", "http"]), url.scheme == "https" || url.isLoopback else {
      throw ValidationError(
        "\(name): \(text) must be an https URL, or an http one of this machine, without user and password")
    }
    return url
  }

  private static func gateway(_ environment: Environment) throws -> Gateway? {
    guard let text = environment["TRACKME_GATEWAY_URL"] else { return nil }
    let base = try address("TRACKME_GATEWAY_URL", text.hasSuffix("/") ? String(text.dropLast()) : text)
    guard !text.contains("?"), !text.contains("#") else {
      throw ValidationError("TRACKME_GATEWAY_URL must have no query: /Messages.json is added to it")
    }
    guard let user = environment["TRACKME_GATEWAY_USERNAME"], !user.contains(":"),
      let password = try environment.secret("TRACKME_GATEWAY_PASSWORD_FILE")
    else {
      throw ValidationError(
        "TRACKME_GATEWAY_URL needs TRACKME_GATEWAY_USERNAME, without a colon, and TRACKME_GATEWAY_PASSWORD_FILE")
    }
    guard let from = environment["TRACKME_GATEWAY_FROM"] else {
      throw ValidationError("TRACKME_GATEWAY_URL needs TRACKME_GATEWAY_FROM")
    }
    guard let exercise = environment["TRACKME_EXERCISE_NUMBER"].flatMap({ PhoneNumber($0) }) else {
      throw ValidationError(
        "TRACKME_GATEWAY_URL needs TRACKME_EXERCISE_NUMBER: what is called in an exercise, such as +393331234567")
    }
    return Gateway(
      base: base, credentials: .basic(user: user, password: password), from: from, exerciseNumber: exercise,
      patience: try environment.number("TRACKME_GATEWAY_PATIENCE_S", 5...3_600).map { Microseconds($0) * 1_000_000 })
  }

  private static func numbersByCountry(_ text: String?) throws -> [String: String] {
    var numbers: [String: String] = [:]
    for part in (text ?? "").split(separator: ",") {
      let pair = part.split(separator: "=", omittingEmptySubsequences: false).map { $0.trimming() }
      guard pair.count == 2, pair[0].utf8.count == 2, pair[0].utf8.allSatisfy({ (0x41...0x5a).contains($0) }) else {
        throw ValidationError("TRACKME_EMERGENCY_NUMBERS must be like CA=911,JP=119")
      }
      numbers[pair[0]] = try number("TRACKME_EMERGENCY_NUMBERS", pair[1])
    }
    return numbers
  }

  private static func number(_ name: String, _ text: String) throws -> String {
    let isShort = (2...6).contains(text.utf8.count) && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
    guard isShort || PhoneNumber(text) != nil else {
      throw ValidationError("\(name): \(text) must be digits such as 112, or a number such as +393331234567")
    }
    return text
  }
}

extension DispatchSettings {
  /// The desk's configuration.
  /// - Parameter catalog: names and units of metrics, as they stand.
  func desk(dataDirectory: String, catalog: @escaping @Sendable () -> MetricCatalog) -> DeskConfiguration {
    var limits = OutboundLimits()
    limits.certificateAuthority = certificateAuthority
    limits.connect = .seconds(5)
    limits.whole = .seconds(10)
    func client() -> HTTPClient { HTTPClient(threads: OutboundThreads(threadsMax: 16), limits: limits) }
    var configuration = DeskConfiguration(directory: dataDirectory + "/emergencies")
    configuration.webhooks = webhooks.map { HTTPWebhook(url: $0, token: webhookToken, client: client()) }
    if let gateway {
      func make() -> HTTPGateway {
        HTTPGateway(
          base: gateway.base.description, credentials: gateway.credentials, sender: gateway.from, makeClient: client)
      }
      configuration.gateways = Gateways(sms: make(), voice: make(), contacts: make())
      configuration.exerciseNumber = gateway.exerciseNumber.description
      configuration.gatewayPatience = gateway.patience ?? configuration.gatewayPatience
    } else {
      func make() -> FileGateway { FileGateway(path: dataDirectory + "/gateway") }
      configuration.gateways = Gateways(sms: make(), voice: make(), contacts: make())
      configuration.exerciseNumber = "nobody: an exercise"
    }
    configuration.elsewhere = numbers.elsewhere
    configuration.numberAt = { [numbers] in numbers.number(latitude: $0, longitude: $1) }
    configuration.catalog = catalog
    configuration.sender = sender
    return configuration
  }
}

extension StringProtocol {
  fileprivate func trimming() -> String {
    String(drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
  }
}
