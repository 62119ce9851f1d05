/// The number of a stream of readings, by which a server tells those that are open apart. 0: of no stream.
public typealias StreamNumber = UInt64

/// Somebody who looks at readings as they arrive: after validation, before they are committed, whether or not they can be.
/// No method waits.
public protocol ReadingTap: AnyObject, Sendable {
  /// Whether nobody's readings are looked at: then nothing needs to be passed on.
  var isIdle: Bool { get }
  /// Looks at the next piece of a batch of readings, what takes less than 100 µs.
  /// - Parameter progress: new for the first piece, then as it was left.
  /// - Returns: whether there is more.
  func takePiece(
    _ columns: borrowing ReadingColumns, receivedAt: Microseconds, from stream: StreamNumber,
    _ progress: inout CheckProgress
  ) -> Bool
  /// A source that was known by a number for the time being has got its own.
  func rename(source old: SourceID, to new: SourceID, of person: PersonID)
  /// A stream has ended; in order: the device has said that nothing more will come.
  func streamEnded(_ stream: StreamNumber, inOrder: Bool)
  /// A device has said how it is.
  func report(_ person: PersonID, isWorn: Bool?, hasLowBattery: Bool, at now: Microseconds)
}

/// How far a tap has looked at a batch; nobody else looks into it.
public struct CheckProgress: Sendable {
  /// Persons whose readings are looked at before those of others; nil until a large batch has been looked through.
  public var urgent: [PersonID]?
  /// How far theirs have been looked at, of all of the batch.
  public var ahead = 0
  public var scalars = 0
  public var positions = 0

  public init() {}
}
