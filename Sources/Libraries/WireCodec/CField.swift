import CMessages
import CProtobufC

/// Reads the fields of decoded C structs. Field names are those of the .proto file; they are used only in errors.
enum CField {
  typealias Pointers<T> = UnsafeMutablePointer<UnsafeMutablePointer<T>?>

  static func string(_ c: UnsafeMutablePointer<CChar>?, _ field: String) throws(WireError) -> String {
    guard let c else { return "" }
    let count = trackme_arena_string_length(c)
    guard count > 0 else { return "" }
    let bytes = UnsafeBufferPointer(start: UnsafeRawPointer(c).assumingMemoryBound(to: UInt8.self), count: count)
    guard !bytes.contains(0) else { throw WireError(field: field, problem: "holds a NUL character") }
    guard let string = String(validating: bytes, as: UTF8.self) else {
      throw WireError(field: field, problem: "is not valid UTF-8")
    }
    return string
  }

  static func strings(_ c: Pointers<CChar>?, _ count: Int, _ field: String) throws(WireError) -> [String] {
    try each(c, count, field) { (element) throws(WireError) in try string(element, "") }
  }

  static func bytes(_ c: ProtobufCBinaryData) -> [UInt8] { array(c.data, c.len) }

  static func byteStrings(_ c: UnsafeMutablePointer<ProtobufCBinaryData>?, _ count: Int) -> [[UInt8]] {
    UnsafeBufferPointer(start: c, count: count).map(bytes)
  }

  /// Numbers, copied as a block.
  static func array<T: BitwiseCopyable>(_ c: UnsafeMutablePointer<T>?, _ count: Int) -> [T] {
    count == 0 ? [] : Array(UnsafeBufferPointer(start: c, count: count))
  }

  static func bools(_ c: UnsafeMutablePointer<protobuf_c_boolean>?, _ count: Int) -> [Bool] {
    UnsafeBufferPointer(start: c, count: count).map { $0 != 0 }
  }

  static func enumerations<C: RawRepresentable, E: RawRepresentable>(
    _ c: UnsafeMutablePointer<C>?, _ count: Int
  ) -> [E] where C.RawValue: FixedWidthInteger, E.RawValue == Int32 {
    UnsafeBufferPointer(start: c, count: count).compactMap { E(rawValue: Int32(truncatingIfNeeded: $0.rawValue)) }
  }

  // Inlined, as the two below: values of a few hundred bytes are then built in their place instead of being moved.
  @inline(__always)
  static func message<M: ArenaValue>(_ c: UnsafeMutablePointer<M.C>?, _ field: String) throws(WireError) -> M? {
    if c == nil { nil } else { try present(c, field) }
  }

  /// A message that is there.
  @inline(__always)
  static func present<M: ArenaValue>(_ c: UnsafeMutablePointer<M.C>!, _ field: String) throws(WireError) -> M {
    do throws(WireError) { return try M(UnsafePointer(c)) } catch { throw error.inside(field) }
  }

  static func messages<M: ArenaValue>(_ c: Pointers<M.C>?, _ count: Int, _ field: String) throws(WireError) -> [M] {
    try each(c, count, field) { (element) throws(WireError) in try M(UnsafePointer(element)) }
  }

  private static func each<T, R>(
    _ c: Pointers<T>?, _ count: Int, _ field: String, _ read: (UnsafeMutablePointer<T>) throws(WireError) -> R
  ) throws(WireError) -> [R] {
    guard count > 0 else { return [] }
    var result: [R] = []
    result.reserveCapacity(count)
    for (index, element) in UnsafeBufferPointer(start: c, count: count).enumerated() {
      guard let element else { throw WireError(field: "\(field)[\(index)]", problem: "is missing") }
      do throws(WireError) { result.append(try read(element)) } catch { throw error.inside("\(field)[\(index)]") }
    }
    return result
  }
}
