internal import AreaKit
internal import Emergencies
internal import Log
internal import Notifications

/// The desk before there is a database.
struct StartedDesk: Sendable {
  let desk: EmergencyDesk
  /// By which contacts are asked.
  let contacts: (any Gateway)?
  /// Where they find the page on which they answer; nil: there is none.
  let pageOrigin: PageOrigin?
  private let metrics: RememberedMetrics

  /// - Throws: `ValidationError`; what the journal's folder throws.
  init(_ start: AreaStart) throws {
    let metrics = RememberedMetrics(directory: start.dataDirectory + "/emergencies")
    let settings = try DispatchSettings(start.environment, sender: start[NotificationsArea.self].sender)
    let configuration = settings.desk(dataDirectory: start.dataDirectory) { metrics.catalog }
    desk = try EmergencyDesk(configuration: configuration, logger: start.logger)
    contacts = configuration.gateways?.contacts
    pageOrigin = try start.pageOrigin()
    self.metrics = metrics
  }

  /// The database is there.
  /// - Throws: `PostgresError`.
  func attach(to storage: StorageSystem) async throws {
    metrics.take { storage.metrics.catalog }
    try await desk.attach(archive: storage.emergencies)
  }
}
