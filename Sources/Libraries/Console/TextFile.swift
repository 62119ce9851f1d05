internal import Glibc

/// A whole file of text; nil if it can't be read.
public func readFile(_ path: String) -> String? { readBytes(path).flatMap { String(validating: $0, as: UTF8.self) } }

/// A whole file; nil if it can't be read.
public func readBytes(_ path: String) -> [UInt8]? {
  guard let file = fopen(path, "re") else { return nil }
  defer { fclose(file) }
  var bytes: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 65_536)
  while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { bytes += buffer[..<count] }
  return bytes
}
