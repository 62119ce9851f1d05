import CGRPC
import CGRPCSupport

extension Metadata {
  /// Copies metadata out of a call, which owns the slices.
  init(copying array: grpc_metadata_array) {
    self.init()
    for index in 0..<array.count {
      let item = array.metadata[index]
      let key = String(copying: item.key)
      if key.utf8.hasBinarySuffix {
        append(key, binary: [UInt8](copying: item.value))
      } else {
        append(key, String(copying: item.value))
      }
    }
  }

  /// The key of the first entry that HTTP/2 does not allow, or nil.
  var firstIllegalKey: String? {
    for entry in self where !entry.isLegal { return entry.key }
    return nil
  }

  /// The size as HTTP/2 counts it: keys, values, and 32 bytes for each entry.
  var byteCount: Int {
    reduce(0) { sum, entry in
      let length =
        switch entry.value {
        case .text(let text): text.utf8.count
        case .bytes(let bytes): bytes.count
        }
      return sum + entry.key.utf8.count + length + 32
    }
  }

  /// What HTTP/2 allows of these entries.
  var legalEntries: Metadata {
    firstIllegalKey == nil ? self : Metadata(filter(\.isLegal))
  }

  /// Appends copies of all entries to what a call sends. Entries must be legal.
  func append(to array: inout grpc_metadata_array) {
    for entry in self {
      switch entry.value {
      case .text(let text): array.append(entry.key, Array(text.utf8))
      case .bytes(let bytes): array.append(entry.key, bytes)
      }
    }
  }
}

extension Metadata.Entry {
  fileprivate var isLegal: Bool {
    guard key.isLegalHeaderKey else { return false }
    return switch value {
    case .text(let text): !key.utf8.hasBinarySuffix && text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
    case .bytes: key.utf8.hasBinarySuffix
    }
  }
}

extension grpc_metadata_array {
  mutating func append(_ key: String, _ value: [UInt8]) {
    var key = key
    key.withUTF8 { key in
      value.withUnsafeBytes { value in
        tmrpc_metadata_append(&self, key.baseAddress, key.count, value.baseAddress, value.count)
      }
    }
  }
}

extension String {
  /// Copies text out of a slice; what is not UTF-8 is repaired.
  init(copying slice: grpc_slice) {
    self = slice.withBytes { String(decoding: $0, as: UTF8.self) }
  }

  fileprivate var isLegalHeaderKey: Bool {
    !isEmpty && utf8.first != UInt8(ascii: ":") && !hasPrefix("grpc-")
      && utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
          UInt8(ascii: "_"), UInt8(ascii: "."):
          true
        default: false
        }
      }
  }
}

extension String.UTF8View {
  fileprivate var hasBinarySuffix: Bool { suffix(4).elementsEqual("-bin".utf8) }
}

extension [UInt8] {
  /// Copies bytes out of a slice.
  init(copying slice: grpc_slice) {
    self = slice.withBytes { [UInt8]($0) }
  }
}

extension grpc_slice {
  func withBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
    try withUnsafePointer(to: self) { slice in
      try body(UnsafeRawBufferPointer(start: tmrpc_slice_bytes(slice), count: tmrpc_slice_length(slice)))
    }
  }
}
