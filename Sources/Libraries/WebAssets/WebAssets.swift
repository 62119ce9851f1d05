internal import CWebAssets

/// The pages of `clients/web` and what they need, as `clients/web/build.mjs` packs it.
public struct WebAssets: Sendable {
  /// Why bytes are not a packed file.
  public struct Malformed: Error, Equatable {
    /// The line of the index that is wrong, from 0; nil where the bytes do not fit the index.
    public let line: Int?
  }

  /// What is built into the program. It is read once, when it is first asked for.
  public static let builtIn: WebAssets = {
    let bytes = UnsafeBufferPointer(start: trackme_web_assets(), count: trackme_web_assets_size)
    do {
      return try WebAssets(Array(bytes))
    } catch {
      // The build wrote it, and a test reads it.
      preconditionFailure("assets.bin is malformed: \(error)")
    }
  }()

  /// The addresses of pages, such as "/races/{raceId}": a part in braces stands for any part.
  public let pageAddresses: [String]
  /// Every file, by its path.
  public let files: [String: WebAsset]
  /// What every page's address is answered with.
  private let shell: WebAsset

  /// Reads a packed file.
  public init(_ bytes: [UInt8]) throws(Malformed) {
    var pages: [String] = []
    var entries: [(line: Int, columns: [String])] = []
    var place = 0
    var line = 0
    while let end = bytes[place...].firstIndex(of: UInt8(ascii: "\n")), end > place {
      let columns = String(decoding: bytes[place..<end], as: UTF8.self).split(separator: "\t").map(String.init)
      switch (columns.first, columns.count) {
      case ("page", 2): pages.append(columns[1])
      case ("file", 8): entries.append((line, columns))
      default: throw Malformed(line: line)
      }
      place = end + 1
      line += 1
    }
    // Behind the empty line.
    place += 1
    var files: [String: WebAsset] = [:]
    for (line, columns) in entries {
      var parts: [[UInt8]] = []
      for column in columns[5...] {
        guard let length = Int(column), length >= 0 else { throw Malformed(line: line) }
        guard length <= bytes.count - place else { throw Malformed(line: nil) }
        parts.append(Array(bytes[place..<place + length]))
        place += length
      }
      files[columns[1]] = WebAsset(
        path: columns[1], contentType: columns[2], isImmutable: columns[3] == "immutable", hash: columns[4],
        identity: parts[0], brotli: parts[1].isEmpty ? nil : parts[1], gzip: parts[2].isEmpty ? nil : parts[2])
    }
    guard place == bytes.count, let shell = files.removeValue(forKey: "/index.html") else {
      throw Malformed(line: nil)
    }
    pageAddresses = pages
    self.files = files
    self.shell = shell
  }

  /// What a page's address is answered with; nil where no page has this address.
  /// - Parameter path: of the request, without its query.
  public func page(at path: String) -> WebAsset? {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    let isPage = pageAddresses.contains { address in
      let wanted = address.split(separator: "/", omittingEmptySubsequences: false)
      return wanted.count == parts.count
        && zip(wanted, parts).allSatisfy { wanted, part in
          wanted.hasPrefix("{") ? !part.isEmpty : wanted == part
        }
    }
    return isPage ? shell : nil
  }
}
