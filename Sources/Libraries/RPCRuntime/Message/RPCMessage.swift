import CGRPC
import CGRPCSupport
import Synchronization

/// The bytes of one message, immutable and shared.
///
/// The bytes belong to a reference-counted gRPC slice: a message read from the network is held where gRPC put it, and
/// sending one message to many calls copies nothing (messages under 24 bytes live in the slice itself and are copied
/// by value). A received message keeps alive the piece of the connection's read buffer that it came in, so copy out
/// what is to be kept for long.
public final class RPCMessage: Sendable {
  // nonisolated(unsafe): immutable after init; the slice's own reference count is atomic.
  nonisolated(unsafe) let slice: grpc_slice
  // The bytes when they are outside `slice`; nil when they are in it.
  // nonisolated(unsafe): immutable after init, as the bytes are, which live as long as the slice.
  private nonisolated(unsafe) let outside: UnsafePointer<UInt8>?

  private let derivation = AtomicLazyReference<Derivation>()

  /// The number of bytes.
  public let count: Int

  /// Takes over one reference to `slice`.
  init(owning slice: grpc_slice) {
    self.slice = slice
    (outside, count) = withUnsafePointer(to: slice) { slice in
      (tmrpc_slice_is_inline(slice) == 0 ? tmrpc_slice_bytes(slice) : nil, tmrpc_slice_length(slice))
    }
    tmrpc_live_messages_add(1)
  }

  /// Copies `bytes`.
  public convenience init(_ bytes: UnsafeRawBufferPointer) {
    self.init(
      owning: grpc_slice_from_copied_buffer(bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count))
  }

  /// Copies `bytes`.
  public convenience init(_ bytes: [UInt8]) {
    self.init(owning: bytes.withUnsafeBytes { grpc_slice_from_copied_buffer($0.baseAddress, $0.count) })
  }

  /// Makes a message written in place.
  ///
  /// - Parameters:
  ///   - capacity: the size of the buffer handed to `fill`, in bytes.
  ///   - fill: writes the message from the buffer's start and returns its length, at most `capacity`.
  public convenience init(capacity: Int, _ fill: (UnsafeMutableRawBufferPointer) -> Int) {
    var slice = grpc_slice_malloc(capacity)
    withUnsafeMutablePointer(to: &slice) { slice in
      let buffer = UnsafeMutableRawBufferPointer(start: tmrpc_slice_mutable_bytes(slice), count: capacity)
      let length = fill(buffer)
      precondition((0...capacity).contains(length), "a message was filled beyond its capacity")
      tmrpc_slice_set_length(slice, length)
    }
    self.init(owning: slice)
  }

  deinit {
    grpc_slice_unref(slice)
    tmrpc_live_messages_add(-1)
  }

  /// Lends the bytes to `body`; the pointer is good until `body` returns.
  public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
    if let outside { return try body(UnsafeRawBufferPointer(start: outside, count: count)) }
    return try slice.withBytes(body)
  }

  /// Other bytes that say the same, such as another encoding: made once for all who send the message, and kept for as
  /// long as it lives.
  ///
  /// - Parameter make: the same for everybody, as a message has one derivation. Who comes while it is made waits for it.
  /// - Throws: what `make` throws; then nothing is kept.
  public func derived<Failure: Error>(
    _ make: (UnsafeRawBufferPointer) throws(Failure) -> [UInt8]
  ) throws(Failure) -> [UInt8] {
    let derivation = derivation.load() ?? derivation.storeIfNil(Derivation())
    return try derivation.bytes.withLock { bytes throws(Failure) in
      if let bytes { return bytes }
      let made = try withUnsafeBytes { source -> Result<[UInt8], Failure> in
        do throws(Failure) { return .success(try make(source)) } catch { return .failure(error) }
      }.get()
      bytes = made
      return made
    }
  }

  private final class Derivation: Sendable {
    let bytes = Mutex<[UInt8]?>(nil)
  }

  /// A copy of the bytes.
  public var bytes: [UInt8] { withUnsafeBytes { [UInt8]($0) } }

  /// How many messages the process holds at this moment. For tests and metrics: a number that only grows is a leak.
  public static var liveCount: Int { Int(tmrpc_live_messages()) }
}
