import Glibc
import Logging

/// How many files and sockets the process may have open, and what connections get of them.
enum DescriptorLimit {
  /// What is not for clients: PostgreSQL's connections, files, and connections to other servers. Of few descriptors at
  /// most half.
  static let reservedDescriptors = 256
  /// However few descriptors there are.
  static let minConnections = 16
  /// One in so many connections is of HTTP, where there are too few for all.
  static let httpPart = 3
  private static let few = 4_096

  /// Raises the limit as far as the system lets this process.
  /// - Returns: the limit in force.
  static func raise(_ logger: Logger) -> Int {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return few }
    if limit.rlim_cur < limit.rlim_max {
      limit.rlim_cur = limit.rlim_max
      _ = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      _ = getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
    let descriptors = Int(clamping: limit.rlim_cur)
    if descriptors < few {
      logger.warning(
        "few file descriptors: raise the hard limit (LimitNOFILE, ulimit -Hn)",
        metadata: ["descriptors": "\(descriptors)", "connections": "\(connections(of: descriptors))"])
    }
    return descriptors
  }

  /// How many connections clients can have at once.
  static func connections(of descriptors: Int) -> Int {
    max(minConnections, descriptors - min(reservedDescriptors, descriptors / 2))
  }

  /// Shares them out, so that whoever holds all of HTTP's connections keeps nobody from gRPC.
  /// - Parameters:
  ///   - descriptors: in all.
  ///   - grpc: how many there may be of gRPC if there are enough.
  ///   - http: the same of HTTP; 0 where it is not served.
  ///   - reserved: of those, how many there are even if there are too few for all.
  static func shares(of descriptors: Int, grpc: Int, http: Int, reserved: Int) -> (grpc: Int, http: Int) {
    let all = connections(of: descriptors)
    let part = min(http, max(all / httpPart, min(reserved, all - minConnections)))
    let ofHTTP = all >= grpc + http ? http : part
    return (min(grpc, all - ofHTTP), ofHTTP)
  }
}
