internal import Emergencies
internal import RPCRuntime
internal import ServiceAPI
internal import ServiceLifecycle
internal import Threads
internal import WireCodec

/// Keeps a dispatcher connected until the process is to end.
struct DispatcherLife: Service {
  let server: String
  let security: ClientSecurity
  let token: String
  let behaviour: DispatcherBehaviour
  let incidents: IncidentFile
  let console: DispatcherConsole

  /// A stream that has lived so long was a success: the next pause is short again.
  private static let steadyAfter: Duration = .seconds(5)

  func run() async throws {
    let loops = EventLoopGroup(count: 1)
    var options = ChannelOptions()
    options.maxReconnectBackoff = .milliseconds(500)
    options.keepalive = Keepalive(interval: .seconds(10), timeout: .seconds(5))
    let channel = Channel(target: server, security: security, options: options, loops: loops)
    let desk = DispatcherDesk(behaviour: behaviour, incidents: incidents, console: console)
    await cancelWhenGracefulShutdown { await handle(over: channel, desk) }
    await channel.close()
    loops.shutdown()
  }

  /// Connects again and again, until the task is cancelled or the dispatcher vanishes.
  private func handle(over channel: Channel, _ desk: DispatcherDesk) async {
    var backOff = BackOff(initial: .milliseconds(50), max: .seconds(2))
    while !Task.isCancelled {
      let began = ContinuousClock.now
      do {
        let stream = DispatchServiceClient(channel: channel).handleEmergencies(
          metadata: ["authorization": "Bearer \(token)"])
        if try await desk.serve(stream) == .vanished { return }
        console.disconnected("the server has ended the stream")
      } catch {
        if Task.isCancelled { return }
        let status = error as? RPCStatus
        console.disconnected(status.map { "\($0.code): \($0.message)" } ?? "\(error)")
      }
      if began.duration(to: .now) > Self.steadyAfter { backOff.reset() }
      try? await Task.sleep(for: backOff.next())
    }
  }
}
