/// How a table is stored.
package enum TableFormat: String, Sendable {
  case csv
  case xlsx
}
