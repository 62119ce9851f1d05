internal import Glibc

/// The environment's variables; one that is set to nothing counts as not set.
public struct Environment: Sendable {
  public init() {}

  public subscript(name: String) -> String? {
    guard let value = getenv(name), value.pointee != 0 else { return nil }
    return String(cString: value)
  }
}
