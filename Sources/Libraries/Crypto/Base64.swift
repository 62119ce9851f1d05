internal import CSodium

/// Bytes as base64 (RFC 4648, 4).
package enum Base64 {
  /// - Parameter isPadded: whether "=" fills the text up to a multiple of four characters.
  package static func text(_ bytes: [UInt8], isPadded: Bool = true) -> String {
    let variant = isPadded ? sodium_base64_VARIANT_ORIGINAL : sodium_base64_VARIANT_ORIGINAL_NO_PADDING
    let count = sodium_base64_encoded_len(bytes.count, variant)
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: count) { text in
      _ = sodium_bin2base64(text.baseAddress!, count, bytes, bytes.count, variant)
      return String(cString: text.baseAddress!)
    }
  }
}
