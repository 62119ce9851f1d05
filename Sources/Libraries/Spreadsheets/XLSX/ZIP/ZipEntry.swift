internal import CZip

/// A part of an archive, which is inflated as it is read.
final class ZipEntry {
  struct Size {
    let packed: Int
    /// As the archive says.
    let unpacked: Int
  }

  /// As much of it may be inflated whatever its packed size.
  private static let freeBytes = 1 << 20

  let name: String
  private let handle: OpaquePointer
  /// Outlives the entry.
  private let archive: ZipArchive
  private let maxBytes: Int
  private var count = 0

  /// - Parameter handle: is closed with this object, or when it is refused.
  init(
    _ name: String, _ size: Size, handle: OpaquePointer, of archive: ZipArchive, limits: TableLimits
  ) throws(TableError) {
    self.name = name
    self.handle = handle
    self.archive = archive
    let (ratioBytes, isHuge) = size.packed.multipliedReportingOverflow(by: limits.ratio)
    maxBytes = min(limits.unpackedBytes, isHuge ? .max : max(Self.freeBytes, ratioBytes))
    guard size.unpacked <= maxBytes else { throw tooLarge }
  }

  deinit { zip_fclose(handle) }

  /// - Returns: how many bytes; 0 at the end, where they are what was packed.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(TableError) -> Int {
    let read = zip_fread(handle, buffer.baseAddress, zip_uint64_t(buffer.count))
    guard read >= 0 else {
      let reason = String(cString: zip_error_strerror(zip_file_get_error(handle)))
      throw TableError("\(name) is damaged: \(reason)")
    }
    count += Int(read)
    // What the archive says of its size may be wrong.
    guard count <= maxBytes else { throw tooLarge }
    return Int(read)
  }

  private var tooLarge: TableError {
    TableError("\(name) unpacks to more than \(maxBytes) bytes, more than a workbook of its size may")
  }
}
