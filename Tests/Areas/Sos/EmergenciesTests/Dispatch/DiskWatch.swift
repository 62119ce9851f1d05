import Glibc
import Synchronization

/// What a power cut would leave of folders that tests name.
///
/// `fdatasync` and `fsync` of this process come through here on their way to the system, so nothing stands in for the code
/// that calls them. The model is the worst that POSIX allows: of a file there is what it held when it was last synced, and
/// in a folder are the names that it held when the folder was.
enum DiskWatch {
  struct Disk: Sendable {
    fileprivate var files: [ino_t: [UInt8]] = [:]
    fileprivate var names: [String: ino_t] = [:]
    /// Whether the folder itself can be found.
    fileprivate(set) var isInItsParent = false
    /// Called before a file is synced, on the thread that does it.
    fileprivate var beforeSync: @Sendable () -> Void = {}

    /// A file after a power cut; nil if it is not there.
    func file(_ name: String) -> [UInt8]? { names[name].map { files[$0] ?? [] } }
  }

  private static let disks = Mutex<[String: Disk]>([:])

  /// Watches a folder, from before anything is in it.
  static func watch(_ folder: String, beforeSync: @escaping @Sendable () -> Void = {}) {
    disks.withLock { $0[resolved(folder)] = Disk(beforeSync: beforeSync) }
  }

  static func afterPowerCut(_ folder: String) -> Disk { disks.withLock { $0[resolved(folder)] ?? Disk() } }

  /// A folder that is not there yet has a parent that is.
  private static func resolved(_ folder: String) -> String {
    let parts = folder.split(separator: "/")
    let parent = "/" + parts.dropLast().joined(separator: "/")
    guard let path = realpath(parent, nil) else { return folder }
    defer { free(path) }
    return "\(String(cString: path))/\(parts.last ?? "")"
  }

  fileprivate static func sync(_ file: Int32, _ original: (Int32) -> Int32) -> Int32 {
    let isWatching = disks.withLock { !$0.isEmpty }
    guard isWatching, let path = path(of: file) else { return original(file) }
    let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
    disks.withLock { $0[folder]?.beforeSync }?()
    let status = original(file)
    guard status == 0 else { return status }
    var facts = stat()
    fstat(file, &facts)
    if facts.st_mode & S_IFMT == S_IFREG {
      let bytes = contents(file, Int(facts.st_size))
      disks.withLock { $0[folder]?.files[facts.st_ino] = bytes }
    } else {
      let names = names(in: path)
      disks.withLock { disks in
        disks[path]?.names = names
        for watched in disks.keys where watched.hasPrefix(path + "/") {
          if names[String(watched.dropFirst(path.count + 1))] != nil { disks[watched]?.isInItsParent = true }
        }
      }
    }
    return status
  }

  private static func path(of file: Int32) -> String? {
    var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/fd/\(file)", &bytes, bytes.count)
    return count > 0 ? String(decoding: bytes[..<count], as: UTF8.self) : nil
  }

  private static func contents(_ file: Int32, _ count: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    let read = pread(file, &bytes, count, 0)
    return Array(bytes.prefix(max(0, read)))
  }

  private static func names(in folder: String) -> [String: ino_t] {
    var names: [String: ino_t] = [:]
    guard let stream = opendir(folder) else { return names }
    defer { closedir(stream) }
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      names[name] = entry.pointee.d_ino
    }
    return names
  }

  /// The system's function of a name: the next one after those of this executable.
  fileprivate static func system(_ name: String) -> @convention(c) (Int32) -> Int32 {
    unsafeBitCast(
      dlsym(UnsafeMutableRawPointer(bitPattern: -1), name), to: (@convention(c) (Int32) -> Int32).self)
  }
}

private let systemFdatasync = DiskWatch.system("fdatasync")
private let systemFsync = DiskWatch.system("fsync")

@_cdecl("fdatasync") public func watchedFdatasync(_ file: Int32) -> Int32 {
  DiskWatch.sync(file) { systemFdatasync($0) }
}

@_cdecl("fsync") public func watchedFsync(_ file: Int32) -> Int32 { DiskWatch.sync(file) { systemFsync($0) } }
