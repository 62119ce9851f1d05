import CZip
import Foundation
import Testing

@testable import Spreadsheets

/// Files that last as long as a test.
final class TableFiles {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "spreadsheets-\(UUID().uuidString)")
  private var count = 0

  init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// - Returns: its path.
  func write(_ bytes: some Sequence<UInt8>) throws -> String {
    count += 1
    let file = folder.appending(path: "\(count)")
    try Data(bytes).write(to: file)
    return file.path
  }

  func zip(_ parts: [String: String], configure: (OpaquePointer) -> Void = { _ in }) throws -> String {
    count += 1
    let path = folder.appending(path: "\(count)").path
    let archive = try #require(zip_open(path, ZIP_CREATE | ZIP_TRUNCATE, nil))
    let bytes = parts.sorted { $0.key < $1.key }.map { ($0.key, Array($0.value.utf8)) }
    for (name, bytes) in bytes {
      // libzip frees it.
      let copy = malloc(max(bytes.count, 1))!
      bytes.withUnsafeBytes { if let base = $0.baseAddress { memcpy(copy, base, bytes.count) } }
      let source = zip_source_buffer(archive, copy, zip_uint64_t(bytes.count), 1)
      #expect(zip_file_add(archive, name, source, 0) >= 0)
    }
    configure(archive)
    #expect(zip_close(archive) == 0)
    return path
  }
}

/// What a file gives: the rows up to its end, or up to an error.
struct TableContent {
  var rows: [TableRow] = []
  var error: TableError?

  var cells: [[String]] { rows.map(\.cells) }

  init(_ path: String, limits: TableLimits = TableLimits()) {
    do throws(TableError) {
      let reader = try TableFile.open(path, limits: limits)
      while let row = try reader.next() { rows.append(row) }
    } catch { self.error = error }
  }
}
