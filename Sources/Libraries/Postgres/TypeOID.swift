/// Object identifiers of PostgreSQL's built-in types (src/include/catalog/pg_type.dat); they never change.
public enum TypeOID {
  public static let bool: UInt32 = 16
  public static let bytea: UInt32 = 17
  /// Of PostgreSQL's own names, as `pg_class.relname`: at most 63 bytes.
  public static let name: UInt32 = 19
  public static let int8: UInt32 = 20
  public static let int2: UInt32 = 21
  public static let int4: UInt32 = 23
  public static let text: UInt32 = 25
  /// A number of PostgreSQL's own, 32 bits without a sign.
  public static let oid: UInt32 = 26
  public static let json: UInt32 = 114
  public static let float4: UInt32 = 700
  public static let float8: UInt32 = 701
  /// A literal to which nothing gave a type, as in `SELECT 'a'`.
  public static let unknown: UInt32 = 705
  /// `character(n)`, filled up with blanks.
  public static let bpchar: UInt32 = 1042
  public static let varchar: UInt32 = 1043
  /// Microseconds since 2000-01-01 00:00 UTC, 64 bits; this module's functions give and take Unix time.
  public static let timestamptz: UInt32 = 1184
  public static let uuid: UInt32 = 2950
  /// What a function without a result gives: an empty value.
  public static let void: UInt32 = 2278

  public static let boolArray: UInt32 = 1000
  public static let byteaArray: UInt32 = 1001
  public static let int2Array: UInt32 = 1005
  public static let int4Array: UInt32 = 1007
  public static let textArray: UInt32 = 1009
  public static let int8Array: UInt32 = 1016
  public static let float4Array: UInt32 = 1021
  public static let float8Array: UInt32 = 1022
  public static let timestamptzArray: UInt32 = 1185
}

/// PostgreSQL counts microseconds from 2000-01-01 00:00 UTC, Unix time from 1970-01-01.
let postgresEpochUnixMicroseconds: Int64 = 946_684_800_000_000
