internal import CZip

/// The parts of an XLSX file.
final class ZipArchive {
  private let handle: OpaquePointer
  private let limits: TableLimits

  /// - Throws: if it is no ZIP archive, is damaged, or has more entries than the limits allow.
  init(_ file: InputFile, limits: TableLimits) throws(TableError) {
    // libzip has every entry in memory from here on.
    try ZipDirectory.check(file, maxEntries: limits.entries)
    var code: CInt = 0
    guard let handle = zip_open(file.path, ZIP_RDONLY | ZIP_CHECKCONS, &code) else {
      var error = zip_error_t()
      zip_error_init_with_code(&error, code)
      defer { zip_error_fini(&error) }
      throw TableError("is a damaged ZIP archive: \(String(cString: zip_error_strerror(&error)))")
    }
    self.handle = handle
    self.limits = limits
  }

  deinit { zip_discard(handle) }

  /// Opens an entry, whatever the case of its name's letters.
  /// - Returns: nil: there is none.
  func open(_ name: String) throws(TableError) -> ZipEntry? {
    let index = zip_name_locate(handle, name, zip_flags_t(ZIP_FL_NOCASE))
    guard index >= 0 else { return nil }
    var status = zip_stat_t()
    let wanted = zip_uint64_t(ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE | ZIP_STAT_COMP_METHOD | ZIP_STAT_ENCRYPTION_METHOD)
    guard zip_stat_index(handle, zip_uint64_t(index), 0, &status) == 0, status.valid & wanted == wanted else {
      throw failure(of: name)
    }
    guard status.encryption_method == ZIP_EM_NONE else {
      throw TableError("\(name) is encrypted: save the workbook without a password")
    }
    guard status.comp_method == ZIP_CM_DEFLATE || status.comp_method == ZIP_CM_STORE else {
      throw TableError("\(name) is packed in a way that workbooks are not (method \(status.comp_method))")
    }
    let size = ZipEntry.Size(packed: Int(clamping: status.comp_size), unpacked: Int(clamping: status.size))
    guard let opened = zip_fopen_index(handle, zip_uint64_t(index), 0) else { throw failure(of: name) }
    return try ZipEntry(name, size, handle: opened, of: self, limits: limits)
  }

  private func failure(of name: String) -> TableError {
    TableError("\(name) is damaged: \(String(cString: zip_error_strerror(zip_get_error(handle))))")
  }
}
