/// A payload whose headers have all been checked; columns are decoded only when asked for.
struct BlockParser {
  /// The columns that readings of every kind have.
  struct Keys {
    let person, metric, source, time: IntegerColumn

    init(_ reader: inout BlockReader, count: Int) throws(BlockError) {
      person = try IntegerColumn(&reader, scannable: count)
      metric = try IntegerColumn(&reader, scannable: count)
      source = try IntegerColumn(&reader, scannable: count)
      time = try IntegerColumn(&reader, count: count)
    }
  }

  struct Scalars {
    let keys: Keys
    let value: ValueColumn
    let logPosition: IntegerColumn?
  }

  struct Positions {
    let keys: Keys
    let latitude, longitude, altitude, accuracy, speed, course: ValueColumn
    let logPosition: IntegerColumn?
  }

  struct Waveforms {
    let keys: Keys
    let rate: ValueColumn
    let sampleCount: IntegerColumn
    let samples: ValueColumn
    let logPosition: IntegerColumn?
  }

  private(set) var scalars: Scalars?
  private(set) var positions: Positions?
  private(set) var waveforms: Waveforms?

  init(_ bytes: UnsafeRawBufferPointer) throws(BlockError) {
    var reader = BlockReader(bytes)
    let version = try reader.byte()
    guard version == BlockCodec.version else { throw .unknownVersion(version) }
    let flags = BlockCodec.Flags(rawValue: try reader.byte())
    guard flags.isSubset(of: .all) else { throw .malformed(.flags) }
    let hasLogPositions = flags.contains(.logPositions)
    if flags.contains(.scalars) {
      let count = Int(try reader.unsigned(size: 4))
      scalars = Scalars(
        keys: try Keys(&reader, count: count),
        value: try ValueColumn(&reader, count: count),
        logPosition: hasLogPositions ? try IntegerColumn(&reader, count: count) : nil)
    }
    if flags.contains(.positions) {
      let count = Int(try reader.unsigned(size: 4))
      positions = Positions(
        keys: try Keys(&reader, count: count),
        latitude: try ValueColumn(&reader, count: count),
        longitude: try ValueColumn(&reader, count: count),
        altitude: try ValueColumn(&reader, count: count),
        accuracy: try ValueColumn(&reader, count: count),
        speed: try ValueColumn(&reader, count: count),
        course: try ValueColumn(&reader, count: count),
        logPosition: hasLogPositions ? try IntegerColumn(&reader, count: count) : nil)
    }
    if flags.contains(.waveforms) {
      let count = Int(try reader.unsigned(size: 4))
      let total = Int(try reader.unsigned(size: 4))
      waveforms = Waveforms(
        keys: try Keys(&reader, count: count),
        rate: try ValueColumn(&reader, count: count),
        sampleCount: try IntegerColumn(&reader, scannable: count),
        samples: try ValueColumn(&reader, count: total),
        logPosition: hasLogPositions ? try IntegerColumn(&reader, count: count) : nil)
    }
    guard reader.remaining == 0 else { throw .malformed(.trailingBytes) }
  }
}

extension BlockParser {
  /// Decodes all columns, of every reading or of those selected.
  func block(selected: BlockMatches?) throws(BlockError) -> ReadingBlock {
    var block = ReadingBlock()
    if let scalars {
      let indices = selected?.scalars
      block.columns.scalars.person = scalars.keys.person.int64(at: indices)
      block.columns.scalars.metric = try scalars.keys.metric.int32(at: indices)
      block.columns.scalars.source = try scalars.keys.source.int32(at: indices)
      block.columns.scalars.time = scalars.keys.time.int64(at: indices)
      block.columns.scalars.value = scalars.value.doubles(at: indices)
      block.positions.scalars = scalars.logPosition?.int64(at: indices) ?? []
    }
    if let positions {
      let indices = selected?.positions
      block.columns.positions.person = positions.keys.person.int64(at: indices)
      block.columns.positions.metric = try positions.keys.metric.int32(at: indices)
      block.columns.positions.source = try positions.keys.source.int32(at: indices)
      block.columns.positions.time = positions.keys.time.int64(at: indices)
      block.columns.positions.latitude = positions.latitude.doubles(at: indices)
      block.columns.positions.longitude = positions.longitude.doubles(at: indices)
      block.columns.positions.altitude = positions.altitude.doubles(at: indices)
      block.columns.positions.accuracy = positions.accuracy.doubles(at: indices)
      block.columns.positions.speed = positions.speed.doubles(at: indices)
      block.columns.positions.course = positions.course.doubles(at: indices)
      block.positions.positions = positions.logPosition?.int64(at: indices) ?? []
    }
    if let waveforms {
      let indices = selected?.waveforms
      block.columns.waveforms.person = waveforms.keys.person.int64(at: indices)
      block.columns.waveforms.metric = try waveforms.keys.metric.int32(at: indices)
      block.columns.waveforms.source = try waveforms.keys.source.int32(at: indices)
      block.columns.waveforms.time = waveforms.keys.time.int64(at: indices)
      block.columns.waveforms.rate = waveforms.rate.doubles(at: indices)
      let (counts, samples) = try waveforms.samples(at: indices)
      block.columns.waveforms.sampleCount = counts
      block.columns.waveforms.samples = samples
      block.positions.waveforms = waveforms.logPosition?.int64(at: indices) ?? []
    }
    return block
  }
}

extension BlockParser.Waveforms {
  /// Sample counts and samples, of all waveforms or of those selected.
  fileprivate func samples(at selected: [Int32]?) throws(BlockError) -> ([Int32], [Double]) {
    let counts = try sampleCount.int32()
    var total = 0
    for count in counts {
      guard count >= 0 else { throw .malformed(.sampleCounts) }
      total += Int(count)
    }
    guard total == samples.count else { throw .malformed(.sampleCounts) }
    guard let selected else { return (counts, samples.doubles()) }
    var wanted: [Int32] = []
    var (waveform, sample) = (0, 0)
    for index in selected {
      while waveform < Int(index) {
        sample += Int(counts[waveform])
        waveform += 1
      }
      wanted.append(contentsOf: Int32(sample)..<Int32(sample + Int(counts[waveform])))
    }
    return (selected.map { counts[Int($0)] }, samples.doubles(at: wanted))
  }
}

extension IntegerColumn {
  /// A column that must be a frame without divisor.
  fileprivate init(_ reader: inout BlockReader, scannable count: Int) throws(BlockError) {
    try self.init(&reader, count: count)
    guard kind == .frame, divisor == 1 else { throw .malformed(.columnKind) }
  }
}
