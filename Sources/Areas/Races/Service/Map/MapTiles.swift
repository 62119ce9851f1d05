internal import Domain
internal import HTTPServer
internal import Log
internal import Logging
internal import Places
internal import Postgres
internal import RPCRuntime
internal import Synchronization
internal import Threads

/// The map that pages draw: `/map` says what there is, `/map/{zoom}/{x}/{y}` has the land and the streets of a tile.
///
/// A tile is, for each of its layers, the number of the layer in one byte and its lines as TWKB: 0 is land, 1 paths,
/// 2 streets, 3 large streets. It is the same for everybody and says nothing of anybody.
final class MapTiles: Sendable {
  static let path = "/map"
  /// Grows when tiles of the same streets come to have other bytes.
  private static let form = 1
  /// Which is right so long until the database is asked again.
  private static let importedPause: Duration = .seconds(1)
  /// Tiles that are made at a time: a connection to PostgreSQL and a processor are busy with each.
  static let tilesAtOnce = 2
  static let waitingPerAddress = 64
  static let waitingMax = 512
  /// Of tiles that are kept in memory.
  static let cacheBytesMax = 32 << 20
  /// Of one tile: the layers of smaller streets are left out of one that would be larger.
  static let tileBytesMax = 512 << 10

  /// Turns of those who ask for tiles that have to be made.
  let turns = FairTurns(
    places: tilesAtOnce, perAsker: tilesAtOnce, waitingPerAsker: waitingPerAddress, waiting: waitingMax)
  private let roads: RoadTiles
  private let cache = TileCache(maxBytes: cacheBytesMax)
  /// Cuts land out of the world. Never full: no more tiles are made at once.
  private let land = WorkerThread("map tiles", priority: .low, maxWaiting: tilesAtOnce)
  private let newest = Mutex<(imported: RoadTiles.Imported?, asked: ContinuousClock.Instant)?>(nil)
  private let proxies: TrustedProxies
  private let logger: Logger

  init(storage: StorageSystem, proxies: TrustedProxies, logger: Logger) {
    roads = storage.roadTiles
    self.proxies = proxies
    self.logger = logger
  }

  /// Answers a request for the path or one below it.
  func answer(_ request: HTTPRequest) async -> HTTPResponse {
    guard ["GET", "HEAD"].contains(request.method) else {
      return HTTPResponse(status: 405, headers: [("allow", "GET, HEAD")])
    }
    do {
      let imported = try await imported()
      if request.path == Self.path { return description(imported) }
      let tile: MapTile
      switch TileAddress.read(request.path.dropFirst(Self.path.count)) {
      case .tile(let found): tile = found
      case .wrong(let problem): return .plain(400, problem)
      case .other: return .plain(404, "there is no such part of the map")
      }
      let client = ClientAddress(
        peer: request.peer, forwarded: request.headers("x-forwarded-for"), proxies: proxies)
      let (version, bytes) = try await self.tile(tile, imported, for: client)
      return answer(request, Self.name(version), bytes)
    } catch is FairTurns.Full {
      return Self.busy
    } catch {
      if !(error is CancellationError) {
        logger.warning("a part of the map could not be made", metadata: ["error": "\(error)"])
      }
      return Self.busy
    }
  }

  private static let busy = HTTPResponse(
    status: 503,
    headers: [
      ("content-type", "text/plain; charset=utf-8"), ("cache-control", "no-store"), ("retry-after", "1"),
    ], body: Array("the map has too much to do now\n".utf8))

  private static func name(_ version: Int64) -> String { "\(form)-\(version)" }

  // MARK: What there is

  /// The last import, as it was a second ago at most.
  private func imported() async throws -> RoadTiles.Imported? {
    if let known = newest.withLock({ $0 }), known.asked.duration(to: .now) < Self.importedPause {
      return known.imported
    }
    let asked = ContinuousClock.now
    let imported = try await roads.imported()
    newest.withLock { $0 = (imported, asked) }
    return imported
  }

  private func description(_ imported: RoadTiles.Imported?) -> HTTPResponse {
    let outlines = "Natural Earth"
    var fields = ["\"version\":\"\(Self.name(imported?.version ?? 0))\"", "\"maxZoom\":\(MapTile.maxZoom)"]
    if let imported {
      fields.append("\"attribution\":\(Self.quoted("\(imported.attribution); \(outlines)"))")
      fields.append("\"box\":[\(imported.west),\(imported.south),\(imported.east),\(imported.north)]")
    } else {
      fields.append("\"attribution\":\(Self.quoted(outlines))")
    }
    return HTTPResponse(
      status: 200, headers: [("content-type", "application/json"), ("cache-control", "no-cache")],
      body: Array("{\(fields.joined(separator: ","))}".utf8))
  }

  /// A text of JSON.
  private static func quoted(_ text: String) -> String {
    let escaped = text.unicodeScalars.map { scalar in
      switch scalar {
      case "\"", "\\": "\\\(scalar)"
      case _ where scalar.value < 0x20: "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
      default: String(scalar)
      }
    }
    return "\"\(escaped.joined())\""
  }

  // MARK: A tile

  private func tile(
    _ tile: MapTile, _ imported: RoadTiles.Imported?, for client: ClientAddress
  ) async throws -> (version: Int64, bytes: [UInt8]) {
    let version = imported?.version ?? 0
    if let kept = cache.bytes(of: tile, version: version) { return (version, kept) }
    return try await turns.run(for: .client(client.key)) {
      // Somebody else may have asked for the same.
      if let kept = cache.bytes(of: tile, version: version) { return (version, kept) }
      var bytes = try await landBytes(tile)
      guard let imported, tile.zoom >= RoadTiles.leastZoom,
        tile.touches(west: imported.west, south: imported.south, east: imported.east, north: imported.north)
      else {
        cache.keep(bytes, of: tile, version: version)
        return (version, bytes)
      }
      let streets = try await roads.streets(in: tile)
      var room = Self.tileBytesMax - bytes.count
      let layers = streets.layers.reversed().prefix { layer in
        room -= layer.lines.count + 1
        return room >= 0
      }
      for layer in layers.reversed() { bytes += [layer.number] + layer.lines }
      cache.keep(bytes, of: tile, version: streets.version)
      return (streets.version, bytes)
    }
  }

  private func landBytes(_ tile: MapTile) async throws -> [UInt8] {
    try await land.run {
      let lines = CountryMap.shared.land(in: tile)
      return lines.isEmpty ? [] : [0] + TinyLines.encoded(lines)
    }
  }

  /// A tile whose address names the version that it is of never changes.
  private func answer(_ request: HTTPRequest, _ version: String, _ bytes: [UInt8]) -> HTTPResponse {
    let entityTag = "\"\(version)\""
    let headers = [
      ("content-type", "application/octet-stream"), ("etag", entityTag),
      ("cache-control", request.query == "v=\(version)" ? "public, max-age=31536000, immutable" : "no-cache"),
    ]
    guard !request.hasKept(entityTag) else { return HTTPResponse(status: 304, headers: headers) }
    return HTTPResponse(status: 200, headers: headers, body: bytes)
  }
}
