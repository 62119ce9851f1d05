import Domain
import Testing

@testable import GPX

@Suite("A-R17: courses from GPX files")
struct GPXTrackTests {
  private func file(_ body: String, head: String = #"<?xml version="1.0" encoding="UTF-8"?>"#) -> [UInt8] {
    Array("\(head)\n<gpx version=\"1.1\" xmlns=\"http://www.topografix.com/GPX/1/1\">\(body)</gpx>".utf8)
  }

  private func error(_ bytes: [UInt8]) -> GPXError? {
    do throws(GPXError) { _ = try GPXTrack(gpx: bytes) } catch { return error }
    return nil
  }

  @Test("The segments of the first track are one way, with altitudes and times")
  func track() throws {
    let track = try GPXTrack(
      gpx: file(
        """
        <metadata><name>file</name><time>2020-01-01T00:00:00Z</time></metadata>
        <wpt lat="1" lon="1"><ele>9</ele></wpt>
        <rte><rtept lat="2" lon="2"/></rte>
        <trk><name>A &amp; B</name><trkseg>
          <trkpt lat="45.5" lon="9.25"><ele> 120.5 </ele><time>2026-11-21T09:30:00.25Z</time>
            <extensions><x:ele xmlns:x="urn:x">7</x:ele></extensions></trkpt>
          <trkpt lat="-45.5" lon="-9.25"/></trkseg>
          <trkseg><trkpt lat="0" lon="180"><time>2026-11-21T10:30:00+01:00</time></trkpt></trkseg></trk>
        <trk><trkseg><trkpt lat="3" lon="3"/></trkseg></trk>
        """))
    let morning: Microseconds = 1_795_253_400_000_000
    #expect(track.name == "A & B")
    #expect(
      track.points == [
        GPXPoint(latitude: 45.5, longitude: 9.25, altitude: 120.5, time: morning + 250_000),
        GPXPoint(latitude: -45.5, longitude: -9.25), GPXPoint(latitude: 0, longitude: 180, time: morning),
      ])
  }

  @Test("Without a track with points the first route counts")
  func route() throws {
    let track = try GPXTrack(
      gpx: file(
        """
        <trk><trkseg/></trk><rte><name>R</name><rtept lat="2" lon="2"><ele>5</ele></rtept><rtept lat="3" lon="2"/></rte>
        """))
    #expect(track.name == "R")
    #expect(track.points.map(\.latitude) == [2, 3])
    #expect(track.points[0].altitude == 5)
  }

  @Test("GPX 1.0, prefixes that are declared or not, and ISO 8859-1 are understood")
  func forms() throws {
    let one = #"<gpx version="1.0"><trk><trkseg><trkpt lon="2" lat="1"/></trkseg></trk></gpx>"#
    #expect(try GPXTrack(gpx: Array(one.utf8)).points == [GPXPoint(latitude: 1, longitude: 2)])
    let prefixed =
      #"<g:gpx><g:trk><g:trkseg><g:trkpt lat="1" lon="2"><g:ele>3</g:ele></g:trkpt></g:trkseg></g:trk></g:gpx>"#
    #expect(try GPXTrack(gpx: Array(prefixed.utf8)).points[0].altitude == 3)
    let latin = Array(#"<?xml version="1.0" encoding="ISO-8859-1"?><gpx><trk><name>Forl"#.utf8) + [0xec]
    let rest = Array(#"</name><trkseg><trkpt lat="1" lon="2"/></trkseg></trk></gpx>"#.utf8)
    #expect(try GPXTrack(gpx: latin + rest).name == "Forlì")
    let utf16: [UInt8] = [0xff, 0xfe] + one.utf16.flatMap { [UInt8($0 & 0xff), UInt8($0 >> 8)] }
    #expect(try GPXTrack(gpx: utf16).points.count == 1)
  }

  @Test(
    "A coordinate that is none is named by its line",
    arguments: ["NaN", "nan", "inf", "1e999", "-1e999", "90.001", "", " ", "0x10", "1,5,5", "1.5,5", ",", "١", "1 2"])
  func coordinates(text: String) {
    #expect(
      error(file("<trk><trkseg>\n<trkpt lat=\"\(text)\" lon=\"1\"/></trkseg></trk>")) == .invalidCoordinate(line: 3))
  }

  @Test(
    "What exporters write differently reads the same: decimal commas, blanks before, zeros behind, a byte order mark")
  func exporters() throws {
    let body = "<trk><trkseg><trkpt lat=\"45,5\" lon=\"9,25\"><ele>120,5</ele>"
    let end = "<time>2026-11-21T09:30:00,25Z</time></trkpt></trkseg></trk>"
    let point = GPXPoint(latitude: 45.5, longitude: 9.25, altitude: 120.5, time: 1_795_253_400_250_000)
    let plain = file(body + end)
    for bytes in [plain, Array("\n\t  ".utf8) + plain, [0xEF, 0xBB, 0xBF, 0x20] + plain, plain + [0, 0, 0, 0x0A, 0]] {
      #expect(try GPXTrack(gpx: bytes).points == [point])
    }
  }

  @Test(
    "Encodings of one byte are read as they are declared",
    arguments: [
      ("windows-1252", [0x80, 0xE8], "€è"), ("ISO-8859-15", [0xA4, 0xE8], "€è"), ("iso-8859-1", [0xE8], "è"),
    ])
  func encodings(name: String, bytes: [UInt8], text: String) throws {
    let head = Array("<?xml version=\"1.0\" encoding=\"\(name)\"?><gpx><trk><name>".utf8)
    let tail = Array("</name><trkseg><trkpt lat=\"1\" lon=\"2\"/></trkseg></trk></gpx>".utf8)
    #expect(try GPXTrack(gpx: head + bytes + tail).name == text)
  }

  @Test("A file that is cut short says so: half a course is none")
  func cutShort() {
    let whole = file("<trk><trkseg><trkpt lat=\"1\" lon=\"2\"/><trkpt lat=\"1\" lon=\"3\"/></trkseg></trk>")
    for length in [whole.count - 1, whole.count - 8, whole.count - 40] {
      #expect(error(Array(whole.prefix(length))) == .malformed(line: 2, reason: "it is cut short"))
    }
  }

  @Test("A point without a longitude is refused")
  func missing() {
    #expect(error(file("<trk><trkseg><trkpt lat=\"1\"/></trkseg></trk>")) == .invalidCoordinate(line: 2))
  }

  @Test("Altitudes and times that cannot be read count as unknown", arguments: ["NaN", "1e999", "99999", "x", ""])
  func unknown(text: String) throws {
    let track = try GPXTrack(
      gpx: file("<trk><trkseg><trkpt lat=\"1\" lon=\"2\"><ele>\(text)</ele><time>\(text)</time></trkpt></trkseg></trk>")
    )
    #expect(track.points == [GPXPoint(latitude: 1, longitude: 2)])
  }

  @Test("Entities are refused before they do harm")
  func entities() {
    let laughs = """
      <?xml version="1.0"?>
      <!DOCTYPE gpx [ <!ENTITY a "ha"> <!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">
      <!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;"> ]>
      <gpx><trk><name>&c;</name></trk></gpx>
      """
    #expect(error(Array(laughs.utf8)) == .declaresEntities(line: 2))
    let external = """
      <!DOCTYPE gpx [ <!ENTITY x SYSTEM "file:///etc/passwd"> ]><gpx><trk><name>&x;</name></trk></gpx>
      """
    #expect(error(Array(external.utf8)) == .declaresEntities(line: 1))
    guard case .malformed = error(Array("<gpx><trk><name>&x;</name></trk></gpx>".utf8)) else {
      Issue.record("an undefined entity was taken")
      return
    }
  }

  @Test("Nothing, something else, no points, too much and too deep are told apart")
  func refused() {
    for bytes in [[], Array("x".utf8), [0], [0xff, 0xff, 0xff, 0xff], Array("{\"a\":1}".utf8)] as [[UInt8]] {
      guard case .malformed(line: 1, _) = error(bytes) else {
        Issue.record("\(bytes) was taken")
        continue
      }
    }
    #expect(error(Array("<html/>".utf8)) == .notGPX(line: 1))
    #expect(error(file("")) == .noPoints)
    #expect(error(file("<trk><trkpt lat=\"1\" lon=\"1\"/></trk>")) == .noPoints)
    let bytes = [UInt8](repeating: 0x20, count: GPXTrack.maxBytes + 1)
    #expect(error(bytes) == .tooLarge(GPXTrack.maxBytes + 1))
    #expect(error(file(String(repeating: "<a>", count: 1_000))) == .tooDeep(line: 2))
    let foreign = file("<trk/>", head: #"<?xml version="1.0" encoding="EBCDIC"?>"#)
    guard case .malformed(line: 1, _) = error(foreign) else {
      Issue.record("an unknown encoding was taken")
      return
    }
  }

  @Test("A file of more elements than there may be is refused at the one too many, wherever they are")
  func elements() throws {
    let way = "<trk><trkseg><trkpt lat=\"1\" lon=\"2\"/></trkseg></trk>"
    let most = String(repeating: "<a/>", count: GPXTrack.maxElements - 4)
    #expect(try GPXTrack(gpx: file(way + most)).points.count == 1)
    #expect(error(file(way + most + "\n<a/>")) == .tooManyElements(line: 3))
    var flood = Array("<gpx>".utf8)
    while flood.count + 4 <= GPXTrack.maxBytes { flood += "<a/>".utf8 }
    #expect(error(flood) == .tooManyElements(line: 1))
    let levels = GPXTrack.maxDepth - 1
    let deep = String(repeating: "<a>", count: levels) + String(repeating: "</a>", count: levels)
    #expect(error(file(way + deep)) == nil)
    #expect(error(file(way + "<a>\(deep)</a>")) == .tooDeep(line: 2))
  }

  @Test("A file that is cut anywhere, or has any byte changed, is an error or a track, and never a crash")
  func hostile() {
    let whole = file(
      "<trk><name>x</name><trkseg><trkpt lat=\"1\" lon=\"2\"><ele>3</ele><time>2026-11-21T09:30:00Z</time></trkpt></trkseg></trk>"
    )
    #expect(error(whole) == nil)
    for count in 0..<whole.count { #expect(error(Array(whole[..<count])) != nil) }
    var random = SystemRandomNumberGenerator()
    for index in whole.indices {
      for _ in 0..<8 {
        var changed = whole
        changed[index] = UInt8.random(in: 0...255, using: &random)
        if let track = try? GPXTrack(gpx: changed) {
          #expect(track.points.allSatisfy { abs($0.latitude) <= 90 && abs($0.longitude) <= 180 })
        }
      }
    }
  }
}

@Suite("GPX files of runs")
struct GPXWriterTests {
  @Test("What is written reads back the same, to the last bit")
  func roundTrip() throws {
    let points = [
      GPXPoint(latitude: 45.464_203_125_7, longitude: 9.189_982, altitude: -3.25, time: 1_795_253_400_123_456),
      GPXPoint(latitude: -0.1 - 0.2, longitude: -180, time: 0), GPXPoint(latitude: 90, longitude: 1.0 / 3),
    ]
    let writer = GPXWriter(name: "<A> & \"B\"\u{0}\u{1f} é 🏃")
    let track = try GPXTrack(gpx: writer.head + writer.points(points[..<1]) + writer.points(points[1...]) + writer.tail)
    #expect(track.points == points)
    #expect(track.name == "<A> & \"B\" é 🏃")
  }

  @Test("Small numbers are written without an exponent, and numbers that are none are left out")
  func numbers() throws {
    let writer = GPXWriter(name: "")
    let bytes = writer.points([
      GPXPoint(latitude: 1e-7, longitude: -0.00001234, altitude: .nan), GPXPoint(latitude: .infinity, longitude: 0),
    ])
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(text == "<trkpt lat=\"0.0000001000\" lon=\"-0.0000123400\"></trkpt>\n")
  }

  @Test("A file without points is well-formed")
  func empty() {
    let writer = GPXWriter(name: "")
    #expect(throws: GPXError.noPoints) { try GPXTrack(gpx: writer.head + writer.tail) }
  }
}
