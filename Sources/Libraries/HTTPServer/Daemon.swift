internal import CMicroHTTPD
internal import CMicroHTTPDSupport
internal import Glibc

/// libmicrohttpd's thread, and what it calls. Nothing here waits, and no task runs here.
// @unchecked: the pointer is the daemon's own, and libmicrohttpd locks what its functions touch; `heads` is touched on
// libmicrohttpd's thread alone.
final class Daemon: @unchecked Sendable {
  /// For those that have been cut and not yet closed, and as many as libmicrohttpd accepts in a row.
  private static let spareConnections = 64
  /// Of a longer body, so much is copied and sent at a time.
  private static let blockBytes = 16 << 10

  private let service: Service
  private var daemon: OpaquePointer?
  /// Whose heads are being read.
  private var heads: [ObjectIdentifier: Exchange] = [:]

  init(_ service: Service) { self.service = service }

  /// Begins to accept. The socket stays the caller's.
  func start(_ listener: Int32) {
    var calls = tmhttpd_calls(
      accept: { context, address, _ in Daemon.of(context).accepts(address) ? .YES : .NO },
      connection: { context, handle, slot, event in Daemon.of(context).connection(handle!, slot!, event) },
      uri: { context, uri, handle in Daemon.of(context).begin(uri!, handle!) },
      request: { context, handle, _, method, version, bytes, count, slot in
        Daemon.of(context).request(handle!, method!, version!, bytes, count!, slot!.pointee)
      },
      completed: { context, _, slot, code in Daemon.of(context).completed(slot!, code) },
      said: { context, format, _ in Daemon.of(context).said(String(cString: format!)) },
      // Unmanaged: whoever has this object keeps it until `stop` has returned, and nothing is called after that.
      context: Unmanaged.passUnretained(self).toOpaque())
    let connections = UInt32(clamping: service.limits.connections + Self.spareConnections)
    daemon = tmhttpd_start(listener, connections, service.limits.connectionBytes, &calls)
    // Without a thread and an epoll descriptor the process cannot do its work at all.
    precondition(daemon != nil, "libmicrohttpd did not start")
  }

  /// Accepts no more.
  func quiesce() { MHD_quiesce_daemon(daemon) }

  /// Closes all connections and ends the thread; no connection is suspended, nor will be. Waits for the thread.
  func stop() { MHD_stop_daemon(daemon) }

  private static func of(_ context: UnsafeMutableRawPointer?) -> Daemon {
    // Unmanaged: see `start`.
    Unmanaged<Daemon>.fromOpaque(context!).takeUnretainedValue()
  }

  // MARK: Connections

  private func accepts(_ address: UnsafePointer<sockaddr>?) -> Bool {
    guard let address, !service.isEnding else { return false }
    return service.table.admits(service.group(of: PeerAddress(address)))
  }

  private func connection(
    _ handle: OpaquePointer, _ slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>,
    _ event: MHD_ConnectionNotificationCode
  ) {
    if event == .CONNECTION_NOTIFY_STARTED {
      let peer = PeerAddress(tmhttpd_address(handle))
      let connection = Connection(
        ConnectionHandle(pointer: handle), file: tmhttpd_socket(handle), peer: peer, group: service.group(of: peer),
        until: .now + service.limits.headTime)
      service.table.add(connection)
      // Unmanaged: libmicrohttpd keeps it until it says that the connection is closed, once.
      slot.pointee = Unmanaged.passRetained(connection).toOpaque()
    } else if let context = slot.pointee {
      slot.pointee = nil
      let connection = Unmanaged<Connection>.fromOpaque(context).takeRetainedValue()
      if connection.closed(), !service.isEnding { service.lingering.add(connection.file) }
      service.table.remove(connection)
    }
  }

  // MARK: Requests

  /// The first line has come; the fields may follow.
  private func begin(_ uri: UnsafePointer<CChar>, _ handle: OpaquePointer) -> UnsafeMutableRawPointer? {
    guard let context = tmhttpd_socket_context(handle) else { return nil }
    // Unmanaged: see `connection`.
    let connection = Unmanaged<Connection>.fromOpaque(context).takeUnretainedValue()
    let bytes = Array(UnsafeRawBufferPointer(start: uri, count: strlen(uri)))
    let exchange = Exchange(connection, service, target: (bytes, UInt(bitPattern: uri)))
    heads[ObjectIdentifier(exchange)] = exchange
    // libmicrohttpd itself would find no room for its answer, and say nothing. What comes of the rest goes nowhere.
    if !service.hasRoom(headBytes: bytes.count, valueCount: Self.parts(ofQueryIn: bytes)) { connection.refuse(431) }
    // Unmanaged: libmicrohttpd keeps it until it says that the request has ended, once.
    return Unmanaged.passRetained(exchange).toOpaque()
  }

  /// What stands between the ampersands of a query: each takes memory.
  private static func parts(ofQueryIn target: [UInt8]) -> Int {
    guard let mark = target.firstIndex(of: UInt8(ascii: "?")) else { return 0 }
    return target[mark...].count { $0 == UInt8(ascii: "&") } + 1
  }

  /// libmicrohttpd is about to act on something. A length that is none it would answer by itself, and twice over: only then is
  /// there a head that it has read to the end and that nobody has been asked about.
  private func said(_ format: String) {
    guard format.contains("Content-Length") else { return }
    let status = format.hasPrefix("Too large") ? 413 : 400
    for exchange in heads.values where tmhttpd_head_bytes(exchange.connection.handle.pointer) > 0 {
      exchange.connection.refuse(status)
    }
  }

  private func request(
    _ handle: OpaquePointer, _ method: UnsafePointer<CChar>, _ version: UnsafePointer<CChar>,
    _ bytes: UnsafePointer<CChar>?, _ count: UnsafeMutablePointer<Int>, _ context: UnsafeMutableRawPointer?
  ) -> MHD_Result {
    guard let context else { return .NO }
    // Unmanaged: see `begin`.
    let exchange = Unmanaged<Exchange>.fromOpaque(context).takeUnretainedValue()
    let step: Exchange.Step
    if count.pointee > 0 {
      // libmicrohttpd goes on with the next chunk that it has, also when the one before has suspended the connection.
      if tmhttpd_is_suspended(handle) != 0 { return .YES }
      step = exchange.receive(UnsafeRawBufferPointer(start: bytes, count: count.pointee))
      count.pointee = 0
    } else if exchange.isAtHead {
      heads[ObjectIdentifier(exchange)] = nil
      step = exchange.begin(
        UnsafeRawBufferPointer(start: method, count: tmhttpd_head_bytes(handle)),
        versionAddress: UInt(bitPattern: version),
        valueCount: Int(tmhttpd_values(handle)))
    } else {
      step = exchange.step()
    }
    switch step {
    case .goOn: return .YES
    case .end: return .NO
    case .answer(let response, let isLast): return answer(exchange, response, isLast: isLast, handle)
    }
  }

  private func answer(
    _ exchange: Exchange, _ response: HTTPResponse, isLast: Bool, _ handle: OpaquePointer
  ) -> MHD_Result {
    guard let made = make(response, for: exchange) else { return .NO }
    defer { MHD_destroy_response(made) }
    for (name, value) in response.sentHeaders { MHD_add_response_header(made, name, value) }
    if exchange.hidesBody || response.status == 304, case .stream = response.body { tmhttpd_without_chunks(made) }
    if isLast { MHD_add_response_header(made, "Connection", "close") }
    return MHD_queue_response(handle, UInt32(response.status), made)
  }

  private func make(_ response: HTTPResponse, for exchange: Exchange) -> OpaquePointer? {
    switch response.body {
    case .whole(let bytes) where bytes.count <= Service.copiedBytes:
      return bytes.withUnsafeBytes {
        // MUST_COPY: it only reads them.
        MHD_create_response_from_buffer($0.count, UnsafeMutableRawPointer(mutating: $0.baseAddress), .RESPMEM_MUST_COPY)
      }
    case .whole(let bytes):
      return make(count: Int64(bytes.count), block: Self.blockBytes, for: exchange) { context, _, buffer, max in
        Unmanaged<Exchange>.fromOpaque(context!).takeUnretainedValue().fill(
          UnsafeMutableRawBufferPointer(start: buffer, count: max))
      }
    case .stream:
      // Nothing of it goes through a block.
      return make(count: -1, block: 1, for: exchange) { context, _, _, _ in
        Unmanaged<Exchange>.fromOpaque(context!).takeUnretainedValue().pump()
      }
    }
  }

  private func make(
    count: Int64, block: Int, for exchange: Exchange, _ reader: @escaping MHD_ContentReaderCallback
  ) -> OpaquePointer? {
    // Unmanaged: the response keeps it until it is destroyed.
    let kept = Unmanaged.passRetained(exchange)
    let made = tmhttpd_response(
      count, block, reader, kept.toOpaque(), { context in Unmanaged<Exchange>.fromOpaque(context!).release() })
    if made == nil { kept.release() }
    return made
  }

  private func completed(
    _ slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>, _ code: MHD_RequestTerminationCode
  ) {
    guard let context = slot.pointee else { return }
    slot.pointee = nil
    // Unmanaged: see `begin`.
    let exchange = Unmanaged<Exchange>.fromOpaque(context).takeRetainedValue()
    heads[ObjectIdentifier(exchange)] = nil
    exchange.completed(isWhole: code == .REQUEST_TERMINATED_COMPLETED_OK)
  }
}
