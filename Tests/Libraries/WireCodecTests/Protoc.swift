import Foundation
import TestSupport

/// protoc as an independent judge of what bytes mean.
enum Protoc {
  struct Failure: Error { let text: String }

  /// The bytes of a message given in protobuf's text format.
  static func encode(_ text: String, as type: String) throws -> [UInt8] {
    try run("--encode=\(type)", for: type, input: Array(text.utf8))
  }

  /// The text format of a message.
  static func decode(_ bytes: [UInt8], as type: String) throws -> String {
    String(decoding: try run("--decode=\(type)", for: type, input: bytes), as: UTF8.self)
  }

  private static func run(_ option: String, for type: String, input: [UInt8]) throws -> [UInt8] {
    let folder = FileManager.default.temporaryDirectory.appending(path: "trackme-protoc-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    // Files instead of pipes: nobody has to empty them while protoc writes.
    let names = ["in", "out", "err"].map { folder.appending(path: $0) }
    try Data(input).write(to: names[0])
    for name in names.dropFirst() { try Data().write(to: name) }
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.currentDirectoryURL = Repository.root.appending(path: "Protos")
    process.arguments = ["protoc", "-I", ".", "-I", "/usr/include", option, try file(declaring: type)]
    process.standardInput = try FileHandle(forReadingFrom: names[0])
    process.standardOutput = try FileHandle(forWritingTo: names[1])
    process.standardError = try FileHandle(forWritingTo: names[2])
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Failure(text: String(decoding: try Data(contentsOf: names[2]), as: UTF8.self))
    }
    return [UInt8](try Data(contentsOf: names[1]))
  }

  private static func file(declaring type: String) throws -> String {
    let files = [
      "google.rpc.ErrorInfo": "google/rpc/error_details.proto",
      "google.rpc.Status": "google/rpc/status.proto",
      "grpc.health.v1": "grpc/health/v1/health.proto",
      "grpc.reflection.v1.": "grpc/reflection/v1/reflection.proto",
      "trackme.ingest.v1": "trackme/ingest/v1/ingest_service.proto",
      "trackme.readings.v1.Reading": "trackme/readings/v1/reading.proto",
      "trackme.readings.v1.List": "trackme/readings/v1/reading_service.proto",
      "trackme.readings.v1.Summarize": "trackme/readings/v1/reading_service.proto",
      "trackme.sharing.v1": "trackme/sharing/v1/subscription_service.proto",
    ]
    guard let file = files.first(where: { type.hasPrefix($0.key) }) else { throw Failure(text: "no file of \(type)") }
    return file.value
  }
}
