internal import CCurl
internal import Synchronization

/// Handles of libcurl that no call uses, each with the connection of its last call, so that the next call to the same
/// server needs no new one. There are never more than calls run at once.
final class IdleHandles: Sendable {
  // @unchecked: a handle is in the list or with one call, never both.
  private struct Handle: @unchecked Sendable {
    let pointer: OpaquePointer
  }

  private let idle = Mutex<[Handle]>([])

  deinit {
    idle.withLock { for handle in $0 { curl_easy_cleanup(UnsafeMutableRawPointer(handle.pointer)) } }
  }

  /// The handle that was given back last; nil if there is none.
  func take() -> OpaquePointer? { idle.withLock { $0.popLast() }?.pointer }

  /// Keeps a handle's connection; everything that was set is forgotten.
  func give(_ pointer: OpaquePointer) {
    curl_easy_reset(UnsafeMutableRawPointer(pointer))
    let handle = Handle(pointer: pointer)
    idle.withLock { $0.append(handle) }
  }
}
