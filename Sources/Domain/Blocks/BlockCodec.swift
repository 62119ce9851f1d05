/// The one binary form of readings in storage: the payload of a log row, which keeps the order of arrival, and the
/// payload of a chunk, which also tells at which log position each reading was committed.
///
/// ## Format, version 1
/// All numbers are little-endian; "signed" is two's complement of the length given, and length 0 means 0.
///
/// ```
/// block    = version (1 byte: 1), flags (1 byte), sections in the order scalars, positions, waveforms
/// flags    = 1 scalars present | 2 positions present | 4 waveforms present | 8 with log positions
/// section  = count (4 bytes, at least 1), columns
///   scalars:   person, metric, source, time, value, [log position]
///   positions: person, metric, source, time, latitude, longitude, altitude, accuracy, speed, course, [log position]
///   waveforms: sample total (4 bytes, after the count),
///              person, metric, source, time, rate, sample count, samples (total entries), [log position]
/// ```
/// Person, metric, source, time, sample count and log position are *integer columns*, the others *value columns*.
///
/// ```
/// integer column = kind << 4 | width        1 byte
///                  divisor length << 4 | base length     1 byte
///                  step length              1 byte, only if kind is 1
///                  base                     signed
///                  divisor                  signed, positive; length 0 means 1
///                  step                     signed, only if kind is 1
///                  entries                  count × width bytes, unsigned
///   kind 0, frame: value[i] = base + divisor × entry[i]
///   kind 1, steps: value[i] = base + divisor × (i × step + entry[0] + … + entry[i]); width is at most 3
/// ```
/// Width is 0 to 8. Of width 8 the base is 0, the divisor 1 and the entry the signed value itself. Person, metric,
/// source and sample count are always frames with divisor 1, so that they can be searched as they lie there.
///
/// ```
/// value column = code (1 byte), rest
///   0 … 7         digits: an integer column follows, value = integer / 10^digits
///   8 + digits    the same; the column is a frame and entry 0 means NaN
///   0x10          every value is NaN
///   0x11          8 bytes: the one double that every value is
///   0x12          count × 8 bytes: doubles
///   0x13          count × 4 bytes: floats
/// ```
/// A column that has no entries of its own (width 0, 0x10, 0x11) has a count of at most 65,536: so a block never takes
/// more than a fixed multiple of its payload's size, plus half a megabyte a column.
///
/// Everything comes back bit for bit, -0 included; of NaN only the fact, where a column's other values are short
/// decimals.
public enum BlockCodec {
  static let version: UInt8 = 1

  struct Flags: OptionSet {
    let rawValue: UInt8
    static let scalars = Flags(rawValue: 1)
    static let positions = Flags(rawValue: 2)
    static let waveforms = Flags(rawValue: 4)
    static let logPositions = Flags(rawValue: 8)
    static let all: Flags = [.scalars, .positions, .waveforms, .logPositions]
  }

  /// The payload for `columns`, in their order.
  /// - Parameters:
  ///   - columns: the columns of each kind must be equally long, and the sample counts add up to the samples.
  ///   - positions: for a chunk, one log position a reading; nil for a row of the log.
  public static func encode(_ columns: ReadingColumns, positions: BlockPositions? = nil) -> [UInt8] {
    var encoder = BlockEncoder()
    return encoder.encode(columns, positions: positions)
  }

  /// The readings of a payload.
  /// - Throws: `BlockError` for bytes that `encode` does not write; nothing else happens to garbage.
  public static func decode(_ bytes: UnsafeRawBufferPointer) throws(BlockError) -> ReadingBlock {
    try BlockParser(bytes).block(selected: nil)
  }

  /// As `decode(_:)` for bytes in an array.
  public static func decode(_ bytes: [UInt8]) throws(BlockError) -> ReadingBlock {
    try withBytes(of: bytes) { buffer throws(BlockError) in try decode(buffer) }
  }

  /// `body` with the bytes of an array; the error's type is kept.
  static func withBytes<R>(
    of bytes: [UInt8], _ body: (UnsafeRawBufferPointer) throws(BlockError) -> R
  ) throws(BlockError) -> R {
    let result = bytes.withUnsafeBytes { buffer -> Result<R, BlockError> in
      do throws(BlockError) { return .success(try body(buffer)) } catch { return .failure(error) }
    }
    return try result.get()
  }
}
