extension EmbeddedCluster {
  /// How to connect to the server that another process runs in a directory; nil if none runs there.
  /// - Parameter directory: as given to `init(directory:)`.
  public static func running(in directory: String) -> ConnectionConfiguration? {
    guard let directory = FileSystem.resolved(directory + "/data"),
      let server = Postmaster.read(dataDirectory: directory), server.isReady,
      Postmaster.isAlive(server.processID, dataDirectory: directory)
    else { return nil }
    return ConnectionConfiguration(
      socketDirectory: server.socketDirectory, port: server.port, user: databaseName, database: databaseName)
  }
}
