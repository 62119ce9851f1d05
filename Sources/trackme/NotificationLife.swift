import Logging
import ServiceLifecycle
import Services

/// Looks for notifications and wakes their streams, until the server is told to end; then ends the streams.
struct NotificationLife: Service {
  let board: NotificationBoard
  let heartbeat: Duration
  let logger: Logger

  func run() async throws {
    await cancelWhenGracefulShutdown {
      await withTaskGroup(of: Void.self) { group in
        group.addTask { await board.run { logger.debug("notifications can't be read", metadata: ["error": "\($0)"]) } }
        group.addTask {
          while (try? await Task.sleep(for: heartbeat / 4)) != nil { board.beat(ifWaitingSince: .now - heartbeat) }
        }
      }
    }
    board.drain()
  }
}
