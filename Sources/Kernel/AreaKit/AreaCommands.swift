package import Log

extension AreaTables {
  /// While a command of an area runs: what the server keeps in the database. A command that may come before the first start
  /// of a server puts the tables there itself.
  @TaskLocal package static var ofServer: [AreaTables] = []
}
