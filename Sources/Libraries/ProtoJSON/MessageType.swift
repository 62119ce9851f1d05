public import WireCodec

/// A kind of message, with its two forms: the bytes of protobuf, and proto3 JSON
/// (https://protobuf.dev/programming-guides/json/). Between both nothing is lost but unknown fields.
public struct MessageType: Sendable {
  private let tables: SchemaTables
  private let index: Int32

  init(_ tables: SchemaTables, _ index: Int32) {
    self.tables = tables
    self.index = index
  }

  /// The full name, such as "trackme.readings.v1.Reading".
  public var name: String { tables.view.string(tables.view.messages[Int(index)].name) }

  /// A message of this type as JSON, without spaces. Field names are in lowerCamelCase, fields stand in the order of
  /// their numbers, fields without presence that have their default are left out, unknown fields too. Numbers of 64
  /// bits are text; of the floating-point ones the shortest digits are written that give the same number again.
  ///
  /// The JSON of a hostile message is not longer than `ProtoSchema.growth` says.
  /// - Parameter message: its protobuf bytes, which are not kept.
  /// - Throws: `WireError` with the path of the field at fault, for bytes that are no such message, strings that are
  ///   not UTF-8 or hold a NUL, and what JSON can't tell, such as a time after the year 9999; and at a depth of more
  ///   than 100 messages.
  public func json(_ message: UnsafeRawBufferPointer) throws(WireError) -> [UInt8] {
    try withExtendedLifetime(tables) { () throws(WireError) in
      try JSONPrinter.print(message, index, tables.view)
    }
  }

  /// The protobuf bytes of the message that JSON tells, in the order in which it tells the fields.
  ///
  /// The JSON is strict RFC 8259. Fields are known by their names in lowerCamelCase or in the .proto file; unknown
  /// fields, names that come twice, two fields of one oneof, and numbers out of range are refused. Null means that a
  /// field is absent. The bytes take at most eight times the space of the JSON.
  /// - Parameter json: one JSON value in UTF-8, which is not kept.
  /// - Throws: `WireError` with the path of the field at fault in the names of the .proto file, such as
  ///   "batch.readings.sources[2]".
  public func message(fromJSON json: UnsafeRawBufferPointer) throws(WireError) -> [UInt8] {
    try withExtendedLifetime(tables) { () throws(WireError) in
      try JSONParser.parse(json, index, tables.view)
    }
  }

  /// A message of this type as JSON.
  public func json(_ message: [UInt8]) throws(WireError) -> [UInt8] {
    try message.reading { (bytes) throws(WireError) in try json(bytes) }
  }

  /// The protobuf bytes of the message that JSON tells.
  public func message(fromJSON json: [UInt8]) throws(WireError) -> [UInt8] {
    try json.reading { (bytes) throws(WireError) in try message(fromJSON: bytes) }
  }
}
