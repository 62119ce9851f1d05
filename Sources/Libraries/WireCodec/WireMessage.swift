/// A protobuf message as a Swift value.
///
/// Decoding is strict where protobuf-c is not: strings are valid UTF-8 and hold no NUL. Unknown fields are dropped,
/// unknown enum numbers are kept.
public protocol WireMessage: Sendable {
  /// Reads the whole of `bytes`, which are not kept.
  static func decode(_ bytes: UnsafeRawBufferPointer) throws(WireError) -> Self

  /// Calls `body` with the encoded size in bytes and a function that writes the message into a buffer of at least that
  /// size and returns how many bytes it wrote. Both are valid only within `body`. A NUL in a string, which protobuf-c
  /// can't carry, goes out as U+FFFD.
  func withEncoded<R>(_ body: (_ size: Int, _ write: (UnsafeMutableRawBufferPointer) -> Int) -> R) -> R
}

extension WireMessage {
  /// Reads the whole of `bytes`.
  public static func decode(_ bytes: [UInt8]) throws(WireError) -> Self {
    let result: Result<Self, WireError> = bytes.withUnsafeBytes { buffer in
      do throws(WireError) { return .success(try decode(buffer)) } catch { return .failure(error) }
    }
    return try result.get()
  }

  /// The encoded message in an array of its own.
  public func encoded() -> [UInt8] {
    withEncoded { size, write in
      // Uninitialized: `write` says how many bytes it wrote, at most `size`.
      [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
        count = write(UnsafeMutableRawBufferPointer(buffer))
      }
    }
  }
}
