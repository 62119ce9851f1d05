import CGRPC
import CGRPCSupport

/// A call that came over the network: its operations are gRPC's.
struct GRPCWire {
  let slots: UnsafeMutablePointer<tmrpc_call>

  /// Takes over the call that `request` received.
  init(request: UnsafeMutablePointer<tmrpc_request>) {
    slots = tmrpc_call_create(request.pointee.call, nil, UInt32(TMRPC_SERVER_RECEIVE))
    tmrpc_request_move(request, slots)
  }

  func destroy() { tmrpc_call_destroy(slots) }

  // MARK: What the client said

  var metadata: Metadata { Metadata(copying: slots.pointee.initial) }

  func headers(_ key: String) -> [String] {
    // What gRPC received does not change.
    let received = slots.pointee.initial
    return (0..<received.count).compactMap { index in
      let entry = received.metadata[index]
      return grpc_slice_str_cmp(entry.key, key) == 0 ? String(copying: entry.value) : nil
    }
  }

  var peer: String {
    guard let text = grpc_call_get_peer(slots.pointee.call) else { return "" }
    defer { gpr_free(text) }
    return String(cString: text)
  }

  // MARK: Life

  func attach(_ call: ServerCall) {
    // Unmanaged: the reference belongs to the three tags that gRPC holds; `detach` releases it, when the last one is back.
    let owner = Unmanaged.passRetained(call).toOpaque()
    slots.pointee.receive_tag.owner = owner
    slots.pointee.send_tag.owner = owner
    slots.pointee.end_tag.owner = owner
    let error = tmrpc_start_server_end(slots)
    precondition(error == GRPC_CALL_OK, "gRPC refused to watch a new call")
  }

  func detach(_ call: ServerCall) {
    // Unmanaged: what `attach` took. It runs once: `ServerCallState.finishes()` is true once.
    Unmanaged.passUnretained(call).release()
  }

  func cancel(with status: RPCStatus) {
    _ = grpc_call_cancel_with_status(
      slots.pointee.call, grpc_status_code(Int32(status.code.rawValue)), status.message, nil)
  }

  // MARK: Messages

  func startReceive() -> Bool { tmrpc_start_receive(slots) == GRPC_CALL_OK }

  @inline(__always)
  func startSend(_ message: RPCMessage?, initialMetadata: Metadata?, holdsBack: Bool) -> Bool {
    var batch = tmrpc_send()
    if let initialMetadata { take(initialMetadata, &batch) }
    batch.message_flags = holdsBack ? tmrpc_buffer_hint() : 0
    return start(&batch, with: message)
  }

  func startStatus(
    _ status: RPCStatus, last: RPCMessage?, initialMetadata: Metadata?, trailingMetadata: Metadata
  ) -> Bool {
    var batch = tmrpc_send()
    if let initialMetadata { take(initialMetadata, &batch) }
    batch.with_status = 1
    batch.status = grpc_status_code(status.code.rawValue)
    trailingMetadata.append(to: &slots.pointee.sent_trailing)
    if !status.details.isEmpty { slots.pointee.sent_trailing.append("grpc-status-details-bin", status.details) }
    var text = status.message
    let isStarted = text.withUTF8 { text in
      batch.status_message = UnsafeRawPointer(text.baseAddress)?.assumingMemoryBound(to: CChar.self)
      batch.status_message_length = text.count
      return start(&batch, with: last)
    }
    // The call ends with a cancellation instead of a status; its end comes with RECV_CLOSE.
    if !isStarted { grpc_call_cancel(slots.pointee.call, nil) }
    return isStarted
  }

  private func take(_ initialMetadata: Metadata, _ batch: inout tmrpc_send) {
    batch.with_initial = 1
    // They are there already when gRPC refused the send that was to take them.
    if slots.pointee.sent_initial.count == 0 { initialMetadata.append(to: &slots.pointee.sent_initial) }
  }

  @inline(__always)
  private func start(_ batch: inout tmrpc_send, with message: RPCMessage?) -> Bool {
    guard let message else { return tmrpc_start_send(slots, &batch) == GRPC_CALL_OK }
    return withUnsafePointer(to: message.slice) { slice in
      batch.message = slice
      return tmrpc_start_send(slots, &batch) == GRPC_CALL_OK
    }
  }

  /// The message that a read brought; nil when it brought none.
  func takeReceived() -> RPCMessage? {
    var slice = grpc_slice()
    return tmrpc_take_received(slots, &slice) != 0 ? RPCMessage(owning: slice) : nil
  }

  /// The same of one that is marked as compressed, and its length before.
  func takeDecompressed(atMost limit: Int) throws(RPCStatus) -> (RPCMessage?, receivedBytes: Int) {
    var (slice, receivedBytes) = (grpc_slice(), 0)
    switch tmrpc_take_inflated(slots, limit, &slice, &receivedBytes) {
    case TMRPC_NOTHING: return (nil, 0)
    case TMRPC_INFLATED: return (RPCMessage(owning: slice), receivedBytes)
    case TMRPC_UNNAMED:
      throw RPCStatus(.internal, "a message is marked as compressed, but the call names no encoding")
    case TMRPC_TOO_LONG:
      throw RPCStatus(.resourceExhausted, "the message has more than \(limit) bytes when it is decompressed: the limit")
    default: throw RPCStatus(.invalidArgument, "the message cannot be decompressed")
    }
  }

  /// Lets go of the message last sent.
  func sendDone() { tmrpc_send_done(slots) }
}

extension ServerCall {
  /// gRPC's read came back. Loop thread only.
  func grpcReceiveCompleted(_ success: Bool) {
    guard case .grpc(let wire) = wire else { return }
    guard tmrpc_is_received_compressed(wire.slots) != 0 else {
      let message = wire.takeReceived()
      if let message { connection?.received(message.count) }
      return receiveCompleted(message, success)
    }
    let limit = server.maxDecompressedBytes(of: self)
    do throws(RPCStatus) {
      let (message, receivedBytes) = try wire.takeDecompressed(atMost: limit)
      if message != nil { connection?.received(receivedBytes) }
      receiveCompleted(message, success)
    } catch {
      wire.cancel(with: error)
      receiveCompleted(nil, false)
    }
  }

  /// gRPC's send came back. Loop thread only.
  func grpcSendCompleted(_ success: Bool) {
    guard case .grpc(let wire) = wire else { return }
    wire.sendDone()
    sendCompleted(success)
  }
}
