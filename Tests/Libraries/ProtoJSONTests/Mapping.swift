import Foundation
import ProtoJSON
import TestSupport

/// The messages of Tests/fixtures/proto_json/mapping.proto, which have a field of each kind.
enum Mapping {
  struct Failure: Error { let text: String }

  static let schema = Result { try ProtoSchema(descriptorSet()) }

  static func message(_ name: String) throws -> MessageType {
    guard let type = try schema.get().message("trackme.test.mapping.\(name)") else {
      throw Failure(text: "no message \(name)")
    }
    return type
  }

  /// What protoc makes of the file.
  private static func descriptorSet() throws -> [UInt8] {
    let set = FileManager.default.temporaryDirectory.appending(path: "trackme-mapping-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: set) }
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.currentDirectoryURL = Repository.fixtures
    process.arguments = [
      "protoc", "-I", ".", "-I", "/usr/include", "--include_imports", "--descriptor_set_out=\(set.path)",
      "proto_json/mapping.proto",
    ]
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Failure(text: "protoc failed") }
    return [UInt8](try Data(contentsOf: set))
  }
}

extension MessageType {
  func jsonText(_ message: [UInt8]) throws -> String { String(decoding: try json(message), as: UTF8.self) }

  func message(fromJSON text: String) throws -> [UInt8] { try message(fromJSON: Array(text.utf8)) }

  /// The JSON that comes back of a JSON.
  func again(_ text: String) throws -> String { try jsonText(message(fromJSON: text)) }
}

/// Pieces of the wire format.
enum Wire {
  static func varint(_ value: UInt64) -> [UInt8] {
    value < 0x80 ? [UInt8(value)] : [UInt8(value & 0x7F) | 0x80] + varint(value >> 7)
  }

  static func number(_ field: UInt64, _ value: UInt64) -> [UInt8] { varint(field << 3) + varint(value) }

  static func bytes(_ field: UInt64, _ content: [UInt8]) -> [UInt8] {
    varint(field << 3 | 2) + varint(UInt64(content.count)) + content
  }

  static func text(_ field: UInt64, _ text: String) -> [UInt8] { bytes(field, Array(text.utf8)) }

  static func double(_ field: UInt64, _ value: Double) -> [UInt8] {
    varint(field << 3 | 1) + (0..<8).map { UInt8(truncatingIfNeeded: value.bitPattern >> ($0 * 8)) }
  }
}
