import ArgumentParser
import Log
import Logging
import CoreMetrics
import Metering
import PrometheusText
import ServiceLifecycle
import Threads

struct ServeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve", abstract: "Serves in the foreground until SIGTERM or SIGINT.",
    discussion: areas.map { $0.help }.filter { !$0.isEmpty }.joined(separator: "\n\n"))

  @Option(help: ArgumentHelp("Where to listen.", valueName: "host:port"))
  var listen = "127.0.0.1:50051"

  @Option(help: ArgumentHelp("Where to keep data and the operator's token.", valueName: "dir"))
  var dataDir: String

  @Flag(help: "Let other machines connect without TLS: a proxy in front of the server encrypts.")
  var insecure = false

  func run() async throws {
    MemoryArenas.limit()
    MemoryArenas.giveBackRegularly()
    let settings = try Settings(listen: listen, dataDirectory: dataDir, isInsecure: insecure)
    let level = settings.logLevel
    LoggingSystem.bootstrap { label in
      var handler = StreamLogHandler.standardError(label: label)
      handler.logLevel = level
      return handler
    }
    let logger = Logger(label: "trackme")
    // Before anything that counts is made. Without somebody who reads them nothing is counted.
    let metrics = settings.metrics.map { _ in
      PrometheusMetrics(counting: MetricFamily.ofLog + areas.flatMap { $0.counted })
    }
    if let metrics { MetricsSystem.bootstrap(metrics) }
    let node = try await Node.start(settings, metrics: metrics, logger: logger)

    var lifecycle = Logger(label: "trackme.lifecycle")
    lifecycle.logLevel = .warning
    try await ServiceGroup(
      configuration: .init(
        services: node.services.map { .init(service: $0, failureTerminationBehavior: .gracefullyShutdownGroup) },
        gracefulShutdownSignals: [.sigterm, .sigint], logger: lifecycle)
    ).run()
    logger.notice("ended")
  }
}
