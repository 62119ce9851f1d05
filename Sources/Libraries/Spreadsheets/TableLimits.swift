/// How much of a file is read before it is refused. Memory is bounded by them, whatever the file holds.
package struct TableLimits: Sendable {
  /// Of the file as it lies on disk.
  package var fileBytes: Int
  /// That are not empty, the heading among them.
  package var rows: Int
  package var columns: Int
  package var cellBytes: Int
  /// Of each part of an XLSX file, once inflated.
  package var unpackedBytes: Int
  /// How many times its packed size a part of an XLSX file may have, once more than 1 MiB of it is inflated.
  package var ratio: Int
  /// Of the texts that an XLSX file keeps beside its sheets, with 16 bytes for each.
  package var sharedStringBytes: Int
  /// Of an XLSX file, which is a ZIP archive.
  package var entries: Int

  package init(
    fileBytes: Int = 1 << 30, rows: Int = 2_000_000, columns: Int = 256, cellBytes: Int = 32 << 10,
    unpackedBytes: Int = 2 << 30, ratio: Int = 200, sharedStringBytes: Int = 64 << 20, entries: Int = 10_000
  ) {
    self.fileBytes = fileBytes
    self.rows = rows
    self.columns = columns
    self.cellBytes = cellBytes
    self.unpackedBytes = unpackedBytes
    self.ratio = ratio
    self.sharedStringBytes = sharedStringBytes
    self.entries = entries
  }
}
