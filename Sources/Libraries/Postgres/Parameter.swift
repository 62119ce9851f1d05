/// One `$n` of a statement: a type and its value in PostgreSQL's binary form, sent apart from the SQL text.
// @unchecked: all cases are immutable values; the one pointer is read-only memory that the caller keeps alive.
public struct Parameter: @unchecked Sendable {
  enum Value {
    case null
    /// The last `size` bytes of `bits`, in network order.
    case fixed(bits: UInt64, size: Int)
    case text(String)
    case owned([UInt8])
    case unowned(UnsafeRawBufferPointer)
    /// Cannot be sent; the text says why, without the value.
    case invalid(String)
  }

  let oid: UInt32
  let value: Value

  public static func bool(_ value: Bool) -> Parameter {
    Parameter(oid: TypeOID.bool, value: .fixed(bits: value ? 1 : 0, size: 1))
  }

  public static func int2(_ value: Int16) -> Parameter {
    Parameter(oid: TypeOID.int2, value: .fixed(bits: UInt64(UInt16(bitPattern: value)), size: 2))
  }

  public static func int4(_ value: Int32) -> Parameter {
    Parameter(oid: TypeOID.int4, value: .fixed(bits: UInt64(UInt32(bitPattern: value)), size: 4))
  }

  public static func int8(_ value: Int64) -> Parameter {
    Parameter(oid: TypeOID.int8, value: .fixed(bits: UInt64(bitPattern: value), size: 8))
  }

  /// NaN and the infinities arrive as such.
  public static func float4(_ value: Float) -> Parameter {
    Parameter(oid: TypeOID.float4, value: .fixed(bits: UInt64(value.bitPattern), size: 4))
  }

  /// NaN and the infinities arrive as such.
  public static func float8(_ value: Double) -> Parameter {
    Parameter(oid: TypeOID.float8, value: .fixed(bits: value.bitPattern, size: 8))
  }

  /// A text without NUL; one with NUL is refused when the statement is sent.
  public static func text(_ value: String) -> Parameter { Parameter(oid: TypeOID.text, value: .text(value)) }

  /// Less than 1 GiB, as every value; a larger one is refused when the statement is sent.
  public static func bytea(_ value: [UInt8]) -> Parameter { Parameter(oid: TypeOID.bytea, value: .owned(value)) }

  /// Bytes that are not copied here: the caller keeps them alive and unchanged until the call that sends the parameter
  /// (`query`, `queryPrepared`, `Pipeline.append`) has returned.
  public static func bytea(unowned buffer: UnsafeRawBufferPointer) -> Parameter {
    Parameter(oid: TypeOID.bytea, value: .unowned(buffer))
  }

  /// A moment, in microseconds since 1970-01-01 00:00 UTC.
  public static func timestamptz(microsecondsSinceUnixEpoch value: Int64) -> Parameter {
    let (shifted, overflow) = value.subtractingReportingOverflow(postgresEpochUnixMicroseconds)
    return Parameter(
      oid: TypeOID.timestamptz,
      value: overflow ? .invalid("is a time out of range") : .fixed(bits: UInt64(bitPattern: shifted), size: 8))
  }

  /// An array of one dimension without NULLs, as all arrays here. It is encoded now, not when it is sent.
  public static func int2Array(_ values: [Int16]) -> Parameter {
    Parameter(oid: TypeOID.int2Array, value: .owned(BinaryArray.fixed(values, element: TypeOID.int2)))
  }

  public static func int4Array(_ values: [Int32]) -> Parameter {
    Parameter(oid: TypeOID.int4Array, value: .owned(BinaryArray.fixed(values, element: TypeOID.int4)))
  }

  public static func int8Array(_ values: [Int64]) -> Parameter {
    Parameter(oid: TypeOID.int8Array, value: .owned(BinaryArray.fixed(values, element: TypeOID.int8)))
  }

  public static func float8Array(_ values: [Double]) -> Parameter {
    let bits = values.map(\.bitPattern)
    return Parameter(oid: TypeOID.float8Array, value: .owned(BinaryArray.fixed(bits, element: TypeOID.float8)))
  }

  /// Texts without NUL; an array with one is refused when the statement is sent.
  public static func textArray(_ values: [String]) -> Parameter {
    guard !values.contains(where: { $0.utf8.contains(0) }) else {
      return Parameter(oid: TypeOID.textArray, value: .invalid(holdsNUL))
    }
    return Parameter(oid: TypeOID.textArray, value: .owned(BinaryArray.texts(values, element: TypeOID.text)))
  }

  public static func byteaArray(_ values: [[UInt8]]) -> Parameter {
    Parameter(oid: TypeOID.byteaArray, value: .owned(BinaryArray.variable(values, element: TypeOID.bytea)))
  }

  /// NULL of the given type (a constant of `TypeOID`).
  public static func null(_ oid: UInt32) -> Parameter { Parameter(oid: oid, value: .null) }

  /// A value of any type, already in PostgreSQL's binary form.
  public static func raw(oid: UInt32, bytes: [UInt8]) -> Parameter { Parameter(oid: oid, value: .owned(bytes)) }

  static let holdsNUL = "holds a NUL character, which PostgreSQL cannot store in a text"
}
