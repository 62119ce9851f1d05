/// The parallel arrays libpq wants for the parameters of one statement.
struct ParameterArrays {
  let count: Int32
  let types: UnsafePointer<UInt32>?
  let values: UnsafePointer<UnsafePointer<CChar>?>?
  let lengths: UnsafePointer<Int32>?
  let formats: UnsafePointer<Int32>?
  /// Bytes of all values, for flow control.
  let byteCount: Int

  /// Byte arrays above this are handed to libpq where they are; smaller ones are cheaper to copy than to pin.
  private static let copyLimitBytes = 1024

  /// Calls `body` with arrays that are valid during the call.
  static func with<R>(
    _ parameters: [Parameter], _ body: (ParameterArrays) throws(PostgresError) -> R
  ) throws(PostgresError) -> R {
    if parameters.isEmpty {
      return try body(ParameterArrays(count: 0, types: nil, values: nil, lengths: nil, formats: nil, byteCount: 0))
    }
    let sizes = try measured(parameters)
    let scratch = UnsafeMutableRawBufferPointer.allocate(byteCount: max(1, sizes.scratch), alignment: 8)
    let count = parameters.count
    let types = UnsafeMutablePointer<UInt32>.allocate(capacity: count)
    let values = UnsafeMutablePointer<UnsafePointer<CChar>?>.allocate(capacity: count)
    let integers = UnsafeMutablePointer<Int32>.allocate(capacity: 2 * count)
    defer {
      scratch.deallocate()
      types.deallocate()
      values.deallocate()
      integers.deallocate()
    }
    let lengths = integers
    let formats = integers + count
    formats.initialize(repeating: 1, count: count)

    var used = 0
    var pinned: [(index: Int, bytes: [UInt8])] = []
    func keep(_ bytes: UnsafeRawBufferPointer, at index: Int) {
      let slot = UnsafeMutableRawBufferPointer(rebasing: scratch[used..<(used + bytes.count)])
      slot.copyMemory(from: bytes)
      // An empty value still needs an address: libpq reads a null pointer as NULL.
      values[index] = UnsafePointer((scratch.baseAddress! + used).assumingMemoryBound(to: CChar.self))
      lengths[index] = Int32(bytes.count)
      used += bytes.count
    }
    for (index, parameter) in parameters.enumerated() {
      types[index] = parameter.oid
      values[index] = nil
      lengths[index] = 0
      switch parameter.value {
      case .null, .invalid: break
      case .fixed(let bits, let size):
        withUnsafeBytes(of: bits.bigEndian) { keep(UnsafeRawBufferPointer(rebasing: $0[(8 - size)...]), at: index) }
      case .text(var text): text.withUTF8 { keep(UnsafeRawBufferPointer($0), at: index) }
      case .owned(let bytes) where bytes.count <= copyLimitBytes: bytes.withUnsafeBytes { keep($0, at: index) }
      case .owned(let bytes): pinned.append((index, bytes))
      case .unowned(let bytes) where bytes.isEmpty: keep(bytes, at: index)
      case .unowned(let bytes):
        values[index] = bytes.baseAddress!.assumingMemoryBound(to: CChar.self)
        lengths[index] = Int32(bytes.count)
      }
    }
    let arrays = ParameterArrays(
      count: Int32(count), types: types, values: values, lengths: lengths, formats: formats, byteCount: sizes.total)

    func pin(_ next: Int) throws(PostgresError) -> R {
      if next == pinned.count { return try body(arrays) }
      // `withUnsafeBytes` does not carry a typed error out, so the outcome travels as a value.
      let outcome: Swift.Result<R, PostgresError> = pinned[next].bytes.withUnsafeBytes { bytes in
        values[pinned[next].index] = bytes.baseAddress!.assumingMemoryBound(to: CChar.self)
        lengths[pinned[next].index] = Int32(bytes.count)
        do throws(PostgresError) { return .success(try pin(next + 1)) } catch { return .failure(error) }
      }
      return try outcome.get()
    }
    return try pin(0)
  }

  private static func measured(_ parameters: [Parameter]) throws(PostgresError) -> (scratch: Int, total: Int) {
    guard parameters.count <= 65_535 else {
      throw PostgresError(.invalidParameter, "a statement takes at most 65535 parameters, not \(parameters.count)")
    }
    var scratch = 0
    var total = 0
    for (index, parameter) in parameters.enumerated() {
      let size: Int
      switch parameter.value {
      case .null: size = 0
      case .fixed(_, let bytes): size = bytes
      case .text(let text):
        if text.utf8.contains(0) { throw invalid(index, Parameter.holdsNUL) }
        size = text.utf8.count
      case .owned(let bytes): size = bytes.count
      case .unowned(let bytes): size = bytes.count
      case .invalid(let reason): throw invalid(index, reason)
      }
      // PostgreSQL holds no value of 1 GiB or more.
      guard size < 1 << 30 else { throw invalid(index, "is larger than 1 GiB") }
      total += size
      switch parameter.value {
      case .fixed, .text: scratch += size
      case .owned where size <= copyLimitBytes: scratch += size
      default: break
      }
    }
    return (scratch, total)
  }

  private static func invalid(_ index: Int, _ reason: String) -> PostgresError {
    PostgresError(.invalidParameter, "parameter $\(index + 1) \(reason)")
  }
}
