internal import Glibc

/// The program files of this product, which stand side by side.
public enum Program {
  /// The file that this process runs; nil where the system does not tell.
  public static var own: String? {
    var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/exe", &buffer, buffer.count)
    return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
  }

  /// Where another program stands if it is there: beside this one.
  public static func beside(_ name: String) -> String? {
    guard let own, let slash = own.lastIndex(of: "/") else { return nil }
    return own[...slash] + name
  }

  /// Becomes another program: the process, its files and its parent stay what they are.
  ///
  /// - Returns: only if that is not possible, with the reason as an error number.
  public static func become(_ path: String, arguments: [String]) -> Int32 {
    var words = ([path] + arguments).map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    execv(path, &words)
    return errno
  }
}
