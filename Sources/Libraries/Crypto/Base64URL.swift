internal import CSodium

/// Bytes as base64 for addresses (RFC 4648, 5), without padding.
package enum Base64URL {
  /// Writes the text of some bytes, and a NUL behind it.
  /// - Parameter text: has room for four characters for each three bytes, and the NUL.
  package static func write(_ bytes: UnsafeBufferPointer<UInt8>, to text: UnsafeMutableBufferPointer<UInt8>) {
    text.withMemoryRebound(to: CChar.self) {
      _ = sodium_bin2base64(
        $0.baseAddress!, $0.count, bytes.baseAddress, bytes.count, sodium_base64_VARIANT_URLSAFE_NO_PADDING)
    }
  }

  package static func text(of bytes: [UInt8]) -> String {
    let count = (bytes.count * 4 + 2) / 3
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: count + 1) { text in
      bytes.withUnsafeBufferPointer { write($0, to: text) }
      return String(decoding: text[..<count], as: UTF8.self)
    }
  }
}
