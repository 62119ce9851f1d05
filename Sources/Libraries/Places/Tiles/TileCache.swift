internal import Synchronization

/// Keeps the bytes of tiles that were made, of one version of the map, in so much memory at most: those that were asked for
/// last. Safe from any thread.
public final class TileCache: Sendable {
  private struct Entry {
    let bytes: [UInt8]
    var lastUse: UInt64
  }

  private struct State {
    var version: Int64 = 0
    var entries: [MapTile: Entry] = [:]
    var byteCount = 0
    var uses: UInt64 = 0
  }

  /// What a tile takes beside its bytes.
  static let entryBytes = 100

  private let maxBytes: Int
  private let state = Mutex(State())

  /// - Parameter maxBytes: of all tiles together. One that is larger than half of that is not kept.
  public init(maxBytes: Int) { self.maxBytes = maxBytes }

  /// How many bytes are kept.
  public var byteCount: Int { state.withLock(\.byteCount) }

  /// A tile of a version, if it is kept.
  public func bytes(of tile: MapTile, version: Int64) -> [UInt8]? {
    state.withLock { state in
      guard state.version == version, state.entries[tile] != nil else { return nil }
      state.uses += 1
      state.entries[tile]?.lastUse = state.uses
      return state.entries[tile]?.bytes
    }
  }

  /// Keeps a tile. Those of older versions are forgotten; one of an older version is not kept.
  public func keep(_ bytes: [UInt8], of tile: MapTile, version: Int64) {
    let size = bytes.count + Self.entryBytes
    guard size <= maxBytes / 2 else { return }
    state.withLock { state in
      guard version >= state.version else { return }
      if version > state.version { state = State(version: version) }
      state.uses += 1
      state.byteCount += size
      if let old = state.entries.updateValue(Entry(bytes: bytes, lastUse: state.uses), forKey: tile) {
        state.byteCount -= old.bytes.count + Self.entryBytes
      }
      if state.byteCount > maxBytes { Self.makeRoom(in: &state, below: maxBytes * 3 / 4) }
    }
  }

  /// A quarter at a time, so that it need not be looked for the oldest with each tile.
  private static func makeRoom(in state: inout State, below limit: Int) {
    for (tile, entry) in state.entries.sorted(by: { $0.value.lastUse < $1.value.lastUse }) {
      guard state.byteCount > limit else { return }
      state.entries[tile] = nil
      state.byteCount -= entry.bytes.count + entryBytes
    }
  }
}
