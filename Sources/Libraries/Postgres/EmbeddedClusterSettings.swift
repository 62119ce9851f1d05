/// How an embedded PostgreSQL is tuned. Given to the server on its command line at each start; what the cluster's own
/// `postgresql.conf` says about other settings stays in force.
public struct EmbeddedClusterSettings: Sendable {
  /// Page cache of the server, in MiB.
  public var sharedBuffersMiB = 128
  /// Connections at a time (`max_connections`), with the few that PostgreSQL reserves for superusers.
  public var connectionsMax = 50
  /// False leaves writing to the disk to the kernel: for tests, whose data need not outlive the machine.
  public var isDurable = true
  /// Further settings by name; they win over ours.
  public var extra: [String: String] = [:]

  public init() {}

  func arguments(socketDirectory: String) -> [String] {
    let durable = isDurable ? "on" : "off"
    var settings = [
      // The only way in is the socket, in a directory that only the server's account may enter.
      "listen_addresses": "", "unix_socket_directories": socketDirectory, "unix_socket_permissions": "0700",
      "port": "5432",
      "max_connections": String(connectionsMax), "shared_buffers": "\(sharedBuffersMiB)MB", "huge_pages": "off",
      // A commit reaches the kernel in any case, so that it survives the death of the server if not of the machine.
      "synchronous_commit": "on", "fsync": durable, "full_page_writes": durable,
      "max_wal_size": "4GB", "checkpoint_timeout": "15min", "wal_compression": "lz4",
      "default_toast_compression": "lz4", "jit": "off", "autovacuum": "on", "max_logical_replication_workers": "0",
      // Readings are personal: no statement, parameter or row may reach the log. `terse` drops DETAIL, which quotes
      // rows, and errors of statements, whose texts can quote values, go to the client alone (the level `log` is above
      // ERROR).
      "log_min_messages": "log", "log_min_error_statement": "panic", "log_error_verbosity": "terse",
      "log_statement": "none", "log_min_duration_statement": "-1", "log_parameter_max_length": "0",
      "log_parameter_max_length_on_error": "0", "log_checkpoints": "off", "logging_collector": "off",
      "log_timezone": "UTC", "timezone": "UTC",
    ]
    settings.merge(extra) { $1 }
    return settings.sorted { $0.key < $1.key }.flatMap { ["-c", "\($0.key)=\($0.value)"] }
  }
}
