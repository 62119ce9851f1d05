internal import CExpat

/// An XML file in an archive, which is read a piece at a time. Entities and types of documents are refused.
final class XMLPart {
  private static let chunkBytes = 64 << 10
  /// Of a tag: Expat has a whole one in memory, and begins anew with it at each chunk.
  private static let maxTokenBytes = 4 * chunkBytes
  /// Of elements within each other. A workbook's own are at the eighth level.
  private static let maxDepth = 64

  private let entry: ZipEntry
  private let handler: any XMLHandler
  private let parser: XML_Parser
  private var names = XMLNames()
  private var depth = 0
  private var fedBytes = 0
  private var failure: TableError?

  init(_ entry: ZipEntry, for handler: any XMLHandler) {
    guard let parser = XML_ParserCreate(nil) else { preconditionFailure("no memory for an XML parser") }
    self.entry = entry
    self.handler = handler
    self.parser = parser
    // Unmanaged: no reference. Expat calls back inside `XML_ParseBuffer` only, where `step` holds this object, and the
    // parser goes with it.
    XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
    XML_SetElementHandler(
      parser, { XMLPart.of($0).start(XMLElement(XMLName($1!), $2)) }, { XMLPart.of($0).end(XMLName($1!)) })
    XML_SetCharacterDataHandler(parser) {
      XMLPart.of($0).text(UnsafeRawBufferPointer(start: $1, count: Int($2)))
    }
    XML_SetStartDoctypeDeclHandler(parser) { context, _, _, _, _ in
      let part = XMLPart.of(context)
      part.stop(TableError("\(part.place): declares a type of documents, as no workbook does"))
    }
  }

  deinit { XML_ParserFree(parser) }

  func readAll() throws(TableError) {
    while try step() {}
  }

  /// Reads the next piece, and tells the handler what is in it.
  /// - Returns: false: that was the last.
  func step() throws(TableError) -> Bool {
    guard let chunk = XML_GetBuffer(parser, CInt(Self.chunkBytes)) else { throw malformed }
    let count = try entry.read(into: UnsafeMutableRawBufferPointer(start: chunk, count: Self.chunkBytes))
    let status = XML_ParseBuffer(parser, CInt(count), count == 0 ? 1 : 0)
    if let failure { throw failure }
    guard status == XML_STATUS_OK else { throw malformed }
    fedBytes += count
    guard fedBytes - XML_GetCurrentByteIndex(parser) <= Self.maxTokenBytes else {
      throw TableError("\(place): a tag has more than \(Self.maxTokenBytes) bytes")
    }
    return count > 0
  }

  private static func of(_ context: UnsafeMutableRawPointer?) -> XMLPart {
    // Unmanaged: what `init` gave to Expat, within `step`.
    Unmanaged<XMLPart>.fromOpaque(context!).takeUnretainedValue()
  }

  private var place: String { "\(entry.name), line \(XML_GetCurrentLineNumber(parser))" }

  private var malformed: TableError {
    let reason = XML_ErrorString(XML_GetErrorCode(parser)).map { String(cString: $0) } ?? "an error"
    return TableError("\(place): \(reason)")
  }

  private func stop(_ error: TableError) {
    if failure == nil { failure = error }
    XML_StopParser(parser, 0)
  }

  // MARK: What Expat tells

  private func start(_ element: XMLElement) {
    guard failure == nil else { return }
    depth += 1
    guard depth <= Self.maxDepth else { return stop(TableError("\(place): elements are nested too deep")) }
    guard names.take(element) else { return stop(TableError("\(place): has too many different names")) }
    do throws(TableError) { try handler.start(element) } catch { stop(error) }
  }

  private func end(_ name: XMLName) {
    guard failure == nil else { return }
    depth -= 1
    do throws(TableError) { try handler.end(name) } catch { stop(error) }
  }

  private func text(_ bytes: UnsafeRawBufferPointer) {
    guard failure == nil else { return }
    do throws(TableError) { try handler.text(bytes) } catch { stop(error) }
  }
}
