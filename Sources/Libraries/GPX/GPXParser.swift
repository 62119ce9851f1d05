internal import CExpat

/// One pass over one file. Expat calls back for each element; nothing but the wanted points is kept.
final class GPXParser {
  /// No number or time is longer, and no name is wanted longer.
  private static let maxTextBytes = 256
  /// What Expat says of a document that ends before its end.
  private static let endsEarly = [XML_ERROR_NO_ELEMENTS, XML_ERROR_UNCLOSED_TOKEN, XML_ERROR_PARTIAL_CHAR]

  /// A track or route that is being read.
  private struct Way {
    var name = ""
    var points: [GPXPoint] = []
  }

  private let parser: XML_Parser
  /// Local names of the open elements.
  private var path: [String] = []
  private var elementCount = 0
  private var text: [UInt8] = []
  private var isTextWanted = false
  private var way = Way()
  private var track: Way?
  private var route: Way?
  private var failure: GPXError?

  init() {
    guard let parser = XML_ParserCreate(nil) else { preconditionFailure("no memory for an XML parser") }
    self.parser = parser
    // Unmanaged: no reference. Expat calls back inside `XML_Parse` only, where `parse` holds this object, and the
    // parser goes with it.
    XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
    XML_SetElementHandler(
      parser, { GPXParser.of($0).start(String(cString: $1!), $2) }, { context, _ in GPXParser.of(context).end() })
    XML_SetCharacterDataHandler(parser) { GPXParser.of($0).take(UnsafeBufferPointer(start: $1, count: Int($2))) }
    XML_SetUnknownEncodingHandler(parser, { _, name, encoding in GPXEncodings.fill(name, encoding) }, nil)
    XML_SetEntityDeclHandler(parser) { context, _, _, _, _, _, _, _, _ in
      let reader = GPXParser.of(context)
      reader.stop(.declaresEntities(line: reader.line))
    }
  }

  deinit { XML_ParserFree(parser) }

  /// - Parameter bytes: at most `GPXTrack.maxBytes`.
  func parse(_ bytes: ArraySlice<UInt8>) throws(GPXError) -> (name: String, points: [GPXPoint]) {
    // In one piece: Expat begins anew with a token that is cut, so a long one in many pieces would cost its square.
    let status = bytes.withUnsafeBytes { all in
      XML_Parse(parser, all.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(bytes.count), 1)
    }
    if let failure { throw failure }
    guard status == XML_STATUS_OK else {
      let code = XML_GetErrorCode(parser)
      let isCut = elementCount > 0 && Self.endsEarly.contains { $0 == code }
      let reason = isCut ? "it is cut short" : XML_ErrorString(code).map { String(cString: $0) } ?? "an error"
      throw .malformed(line: line, reason: reason)
    }
    guard let found = track ?? route else { throw .noPoints }
    return (found.name, found.points)
  }

  private static func of(_ context: UnsafeMutableRawPointer?) -> GPXParser {
    // Unmanaged: what `init` gave to Expat, within `parse`.
    Unmanaged<GPXParser>.fromOpaque(context!).takeUnretainedValue()
  }

  private var line: Int { Int(XML_GetCurrentLineNumber(parser)) }

  private func stop(_ error: GPXError) {
    if failure == nil { failure = error }
    XML_StopParser(parser, 0)
  }

  // MARK: What expat tells

  private func start(_ qualified: String, _ attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>?) {
    guard failure == nil else { return }
    elementCount += 1
    guard elementCount <= GPXTrack.maxElements else { return stop(.tooManyElements(line: line)) }
    let name = qualified.split(separator: ":", omittingEmptySubsequences: false).last.map { String($0) } ?? qualified
    if path.isEmpty, name != "gpx" { return stop(.notGPX(line: line)) }
    guard path.count < GPXTrack.maxDepth else { return stop(.tooDeep(line: line)) }
    path.append(name)
    switch path.count {
    case 2 where name == "trk" || name == "rte": way = Way()
    case 4 where path[1...] == ["trk", "trkseg", "trkpt"]: addPoint(attributes, isWanted: track == nil)
    case 3 where path[1...] == ["rte", "rtept"]: addPoint(attributes, isWanted: route == nil)
    default: break
    }
    text.removeAll(keepingCapacity: true)
    isTextWanted = isInPoint(name) || path.count == 3 && name == "name"
  }

  private func end() {
    guard failure == nil, let name = path.last else { return }
    if isTextWanted { takeText(of: name) }
    isTextWanted = false
    if path.count == 2, !way.points.isEmpty {
      if name == "trk", track == nil { track = way }
      if name == "rte", route == nil { route = way }
      way = Way()
    }
    path.removeLast()
  }

  private func take(_ characters: UnsafeBufferPointer<CChar>) {
    guard isTextWanted, text.count < Self.maxTextBytes else { return }
    text += characters.prefix(Self.maxTextBytes - text.count).lazy.map { UInt8(bitPattern: $0) }
  }

  // MARK: Points

  /// Whether the newest element is one of a point's own values.
  private func isInPoint(_ name: String) -> Bool {
    guard name == "ele" || name == "time", path.count > 2 else { return false }
    return path.count == 5 && path[1] == "trk" && path[3] == "trkpt"
      || path.count == 4 && path[1] == "rte" && path[2] == "rtept"
  }

  private func addPoint(_ attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>?, isWanted: Bool) {
    guard isWanted else { return }
    var latitude: Double?
    var longitude: Double?
    var next = attributes
    while let pair = next, let name = pair[0], let value = pair[1] {
      switch String(cString: name) {
      case "lat": latitude = GPXNumbers.number(String(cString: value))
      case "lon": longitude = GPXNumbers.number(String(cString: value))
      default: break
      }
      next = pair + 2
    }
    guard let latitude, let longitude, abs(latitude) <= 90, abs(longitude) <= 180 else {
      return stop(.invalidCoordinate(line: line))
    }
    way.points.append(GPXPoint(latitude: latitude, longitude: longitude))
  }

  private func takeText(of name: String) {
    let text = String(decoding: text, as: UTF8.self)
    switch name {
    case "name": way.name = text
    case "ele" where !way.points.isEmpty:
      // Deeper than any sea or higher than any mountain is an error of a device.
      way.points[way.points.count - 1].altitude = GPXNumbers.number(text).flatMap { abs($0) <= 12_000 ? $0 : nil }
    case "time" where !way.points.isEmpty:
      way.points[way.points.count - 1].time = GPXNumbers.time(text)
    default: break
    }
  }
}
