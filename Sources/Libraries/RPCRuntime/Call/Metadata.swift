/// The headers or trailers of a call: an ordered multi-map.
///
/// Keys are lower-case ASCII. A key that ends in `-bin` holds bytes, any other holds printable ASCII text. Entries
/// keep the order they were appended in, and a key may repeat.
public struct Metadata: Sendable, Equatable {
  /// What an entry holds.
  public enum Content: Sendable, Equatable {
    /// Printable ASCII (0x20 to 0x7E).
    case text(String)
    /// Any bytes; the key ends in `-bin`.
    case bytes([UInt8])
  }

  /// One key with its value.
  public struct Entry: Sendable, Equatable {
    /// Lower-case ASCII.
    public let key: String
    /// Text or bytes.
    public let value: Content
  }

  private var entries: [Entry] = []

  /// Makes empty metadata.
  public init() {}

  init(_ entries: [Entry]) { self.entries = entries }

  /// The first text under `key`, or nil.
  public func first(_ key: String) -> String? {
    for entry in entries where entry.key == key {
      if case .text(let text) = entry.value { return text }
    }
    return nil
  }

  /// The first bytes under `key`, which ends in `-bin`, or nil.
  public func firstBinary(_ key: String) -> [UInt8]? {
    for entry in entries where entry.key == key {
      if case .bytes(let bytes) = entry.value { return bytes }
    }
    return nil
  }

  /// Every value under `key`, in order.
  public func all(_ key: String) -> [Content] { entries.filter { $0.key == key }.map(\.value) }

  /// Adds text under `key`, which is lower-cased. The call that sends a key or a value which HTTP/2 does not allow
  /// fails with INTERNAL.
  public mutating func append(_ key: String, _ text: String) {
    entries.append(Entry(key: key.lowercased(), value: .text(text)))
  }

  /// Adds bytes under `key`, which is lower-cased and must end in `-bin`.
  public mutating func append(_ key: String, binary bytes: [UInt8]) {
    entries.append(Entry(key: key.lowercased(), value: .bytes(bytes)))
  }

  /// Removes every entry under `key`.
  public mutating func removeAll(_ key: String) { entries.removeAll { $0.key == key } }
}

extension Metadata: RandomAccessCollection {
  /// Always 0.
  public var startIndex: Int { 0 }
  /// The number of entries.
  public var endIndex: Int { entries.count }
  /// The entry at a place.
  public subscript(position: Int) -> Entry { entries[position] }
}

extension Metadata: ExpressibleByDictionaryLiteral {
  /// Text entries are written as key and text.
  public typealias Key = String
  /// Text entries are written as key and text.
  public typealias Value = String

  /// Makes metadata of text entries, in the order written.
  public init(dictionaryLiteral elements: (String, String)...) {
    for (key, text) in elements { append(key, text) }
  }
}
