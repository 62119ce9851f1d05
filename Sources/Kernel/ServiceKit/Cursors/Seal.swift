internal import Crypto
internal import Log

/// Signs the texts that clients keep for a server, cursors, page tokens and nonces, so that only those are read that a server of
/// the same database has made.
///
/// A text is `2`, numbers in base 36, and a tag of 22 characters, with points between them. The tag is keyed BLAKE2b
/// (RFC 7693, 16 bytes) of what the text is for and of everything before the tag. Nothing in a text is secret, and it
/// grants nothing.
package struct Seal: Sendable {
  /// What a text is for; one of one kind is none of another. Areas have kinds of their own, each with a number
  /// that no other area has.
  package struct Kind: Sendable, Hashable {
    let number: UInt8

    package init(_ number: UInt8) { self.number = number }

    /// A place in the log.
    package static let log = Kind(1)
    /// The beginning of a page.
    package static let page = Kind(5)
  }

  /// No text is longer.
  private static let maxBytes = 100
  private static let hashBytes = 16
  /// Of the hash in base 64.
  private static let tagBytes = 22

  private let keyed: KeyedHash

  /// - Parameter key: 32 bytes, the same on every server of a database.
  package init(key: [UInt8]) {
    keyed = KeyedHash(key: key)
  }

  /// The text of at most four numbers.
  package func text(_ kind: Kind, _ numbers: Int64...) -> String {
    precondition(numbers.count <= 4, "a text has at most four numbers")
    // What the tag is of, then a point, the tag and a NUL.
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 1 + Self.maxBytes + 1) { buffer in
      buffer[0] = kind.number
      buffer[1] = UInt8(ascii: "2")
      var end = 2
      for number in numbers {
        buffer[end] = UInt8(ascii: ".")
        end += 1
        for digit in String(number, radix: 36).utf8 {
          buffer[end] = digit
          end += 1
        }
      }
      buffer[end] = UInt8(ascii: ".")
      writeTag(
        of: UnsafeBufferPointer(rebasing: buffer[..<end]),
        to: UnsafeMutableBufferPointer(rebasing: buffer[(end + 1)...]))
      return String(decoding: buffer[1..<end + 1 + Self.tagBytes], as: UTF8.self)
    }
  }

  /// The numbers of a text; nil if no server of this database has made it for this, with so many numbers.
  package func numbers(_ kind: Kind, in text: String, count: Int) -> [Int64]? {
    guard text.utf8.count <= Self.maxBytes, text.hasPrefix("2."),
      let point = text.utf8.lastIndex(of: UInt8(ascii: "."))
    else { return nil }
    let tag = Array(text.utf8[text.utf8.index(after: point)...])
    guard tag.count == Self.tagBytes else { return nil }
    let message = [kind.number] + text.utf8[..<point]
    let isRight = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Self.tagBytes + 1) { expected in
      message.withUnsafeBufferPointer { writeTag(of: $0, to: expected) }
      return tag.withUnsafeBytes {
        ConstantTime.equal($0, UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(expected)[..<Self.tagBytes]))
      }
    }
    guard isRight else { return nil }
    let numbers = text[..<point].split(separator: ".").dropFirst().compactMap { Int64($0, radix: 36) }
    return numbers.count == count ? numbers : nil
  }

  /// - Parameter tag: has room for the tag and a NUL.
  private func writeTag(of message: UnsafeBufferPointer<UInt8>, to tag: UnsafeMutableBufferPointer<UInt8>) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Self.hashBytes) { hash in
      keyed.write(of: message, to: hash)
      Base64URL.write(UnsafeBufferPointer(hash), to: tag)
    }
  }
}

extension StorageSystem {
  /// Signs what clients keep for the servers of this database.
  package var seal: Seal { Seal(key: cursorKey) }
}
