internal import Synchronization

/// A body that is there.
final class BodyInMemory: HTTPBodySource {
  private let bytes: Mutex<[UInt8]?>
  let announcedBytes: Int?

  init(_ bytes: [UInt8]) {
    self.bytes = Mutex(bytes.isEmpty ? nil : bytes)
    announcedBytes = bytes.count
  }

  func nextPart() -> [UInt8]? {
    bytes.withLock { bytes in
      defer { bytes = nil }
      return bytes
    }
  }

  func stopReading() {}
}
