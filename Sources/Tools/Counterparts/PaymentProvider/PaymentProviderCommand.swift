internal import ArgumentParser
internal import Console
internal import HTTPServer
internal import Logging
internal import Outbound
internal import PaymentGateway
internal import ServiceLifecycle

struct PaymentProviderCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "payment-provider",
    abstract: "A payment provider for development: takes no money, until SIGTERM or SIGINT.",
    discussion: """
      It keeps its books in memory and lists them at GET /payments. Who pays posts "action=authorize" or \
      "action=decline" to /pay/<id>, or opens that page. News go to the webhook, signed, again and again until they are \
      taken.
      """)

  @Option(help: ArgumentHelp("Where to listen.", valueName: "host:port"))
  var listen = "127.0.0.1:50080"

  @Option(help: ArgumentHelp("A file that holds the bearer key of the shop.", valueName: "file"))
  var keyFile: String

  @Option(help: ArgumentHelp("A file that holds the secret that webhooks are signed with.", valueName: "file"))
  var secretFile: String

  @Option(help: ArgumentHelp("Where to post news.", valueName: "url"))
  var webhook = "http://127.0.0.1:50081/v1/payment-events"

  @Option(help: "What becomes of each payment by itself: authorize, decline or never.")
  var auto = ProviderBehaviour.Automatic.never

  @Option(help: ArgumentHelp("Wait so long before that.", valueName: "ms"))
  var delayMs = 0

  @Flag(help: "Post all news twice.")
  var duplicateWebhooks = false

  @Flag(help: "Post news in another order than that of the events.")
  var shuffleWebhooks = false

  @Option(
    help: ArgumentHelp("Answer the first requests with 503; every other one is done all the same.", valueName: "n"))
  var failFirst = 0

  @Option(
    help: ArgumentHelp(
      "Refuse this for good, with status 402: create, capture, cancel or refund; may be given several times.",
      valueName: "request"))
  var refuse: [ProviderBehaviour.Request] = []

  func validate() throws {
    guard (0...3_600_000).contains(delayMs) else { throw ValidationError("--delay-ms must be from 0 to 3,600,000") }
    guard failFirst >= 0 else { throw ValidationError("--fail-first must not be negative") }
  }

  func run() async throws {
    guard let url = OutboundURL(webhook, schemes: ["https", "http"]) else {
      throw ValidationError("--webhook must be an http or https URL")
    }
    guard let address = ListenAddress(listen) else { throw ValidationError("--listen: \(listen) must be host:port") }
    let behaviour = ProviderBehaviour(
      automatic: auto, delay: .milliseconds(delayMs), duplicatesWebhooks: duplicateWebhooks,
      shufflesWebhooks: shuffleWebhooks, failures: failFirst, refused: Set(refuse))
    let key = try Self.secret("--key-file", keyFile)
    let news = ProviderNews(
      webhook: url, signature: WebhookSignature(secret: try Self.secret("--secret-file", secretFile)),
      behaviour: behaviour)
    let desk = ProviderDesk(key: key, news: news, behaviour: behaviour, urlBase: "http://\(listen)")
    let server = try HTTPServer(host: address.host, port: address.port) { await desk.answer($0) }
    var logger = Logger(label: "trackme.lifecycle")
    logger.logLevel = .warning
    print("taking payments for nothing at http://\(address.host):\(server.port)")
    try await ServiceGroup(
      configuration: .init(
        services: [.init(service: ServerLife(server: server))],
        gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
    ).run()
  }

  private static func secret(_ name: String, _ path: String) throws -> String {
    guard let text = readFile(path), case let line = text.filter({ !$0.isWhitespace }), !line.isEmpty else {
      throw ValidationError("\(name): cannot read a secret from \(path)")
    }
    return line
  }
}

/// Listens until the process is to end.
private struct ServerLife: Service {
  let server: HTTPServer

  func run() async throws {
    await cancelWhenGracefulShutdown { await server.run() }
  }
}
