internal import Glibc

/// Prints one line. Whoever reads a pipe gets it at once.
public func say(_ line: String) {
  print(line)
  fflush(nil)
}
