internal import CSodium

/// Comparisons of secrets: how long they take says nothing of where they differ.
package enum ConstantTime {
  /// Whether two have the same bytes; false if they are not equally long.
  package static func equal(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool {
    guard left.count == right.count else { return false }
    return sodium_memcmp(left.baseAddress, right.baseAddress, left.count) == 0
  }

  /// As above.
  package static func equal(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    left.withUnsafeBytes { left in right.withUnsafeBytes { equal(left, $0) } }
  }
}
