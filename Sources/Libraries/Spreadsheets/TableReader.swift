/// Reads the rows of one table, from the first to the last.
package protocol TableReader: AnyObject {
  var format: TableFormat { get }

  /// The next row that is not empty; nil at the end.
  /// - Throws: what is wrong with the next row or with the file; the same again when it is called again.
  func next() throws(TableError) -> TableRow?
}
