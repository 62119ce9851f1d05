import CGRPC

/// The C library, started once and never stopped.
///
/// After it has started the process must not `fork`: start child processes with `posix_spawn`, and before.
enum GRPCLibrary {
  private static let started: Void = grpc_init()

  /// Starts the library unless it is running.
  static func start() { _ = started }
}
