package import AreaKit
internal import Console
package import Domain
package import Log
package import Metering
internal import Outbound
package import RPCRuntime
internal import ServiceKit
package import ServiceLifecycle

/// Inboxes and mails.
package struct NotificationsArea: Area {
  /// How it tells.
  package struct Settings: Sendable {
    let mail: MailLife.Transport?
    let inboxInterval: Duration
    /// The address that mails come from.
    package var sender: String { mail?.sender ?? MailSettings.senderDefault }

    /// - Parameter inboxInterval: how often the database is asked for news in inboxes when nothing happens here.
    package init(inboxInterval: Duration = .seconds(1)) { self.init(mail: nil, inboxInterval: inboxInterval) }

    init(mail: MailLife.Transport?, inboxInterval: Duration = .seconds(1)) {
      self.mail = mail
      self.inboxInterval = inboxInterval
    }
  }

  package static let tables = AreaTables.notifications

  /// Wakes streams of inboxes; whoever puts something there nudges it.
  package let board: NotificationBoard
  /// The kinds of all areas: each adds its own.
  package let notices = Notices()
  private let store: NotificationStore
  private let service: NotificationService
  private let mail: MailLife?
  /// Where mails wait for a thread.
  private let queues: [OutboundThreads]
  private let house: House

  package static func settings(_ start: AreaStart) throws -> Settings {
    Settings(mail: MailLife.Transport(try MailSettings(start.environment), dataDirectory: start.dataDirectory))
  }

  package init(_ house: House, _ settings: Settings) {
    self.house = house
    store = house.storage.notifications
    board = NotificationBoard(storage: house.storage, streams: house.streams, interval: settings.inboxInterval)
    service = NotificationService(store: store, board: board, notices: notices, seal: house.storage.seal)
    queues = settings.mail?.transport.queues ?? []
    mail = settings.mail.map { [notices] in
      MailLife($0, queue: house.storage.mail, notices: notices, logger: house.logger)
    }
  }

  package var methods: [RPCMethod] { service.methods }

  package var tasks: [@Sendable () async -> Void] {
    [
      { [board, house] in
        await board.run { house.logger.debug("inboxes can't be read", metadata: ["error": "\($0)"]) }
      }
    ]
  }

  package var measures: [Measure] {
    let queue = house.storage.mail
    return [
      .queue("mails", limit: nil) { try? await queue.waitingCount() }, .queue("outbound_mail", of: queues),
    ]
  }

  package var lives: [any Service] { mail.map { [$0] } ?? [] }

  package func begin() async throws { try await store.write(notices.kinds) }

  package func forget(_ account: AccountID) async throws { try await mail?.sender.forget(account) }
}
