internal import WireCodec

/// Kinds of callers, as the option trackme.options.v1.callers of an RPC names them.
public struct Callers: OptionSet, Sendable, Hashable {
  /// Everyone; no token is needed.
  public static let anyone = Callers(.anyone)
  /// Persons, in sessions.
  public static let person = Callers(.person)
  /// Companies, doctors and institutes, in sessions.
  public static let thirdParty = Callers(.thirdParty)
  /// Devices of persons.
  public static let device = Callers(.device)
  /// Bridges.
  public static let bridge = Callers(.bridge)
  /// Systems of emergency services.
  public static let dispatcher = Callers(.dispatcher)
  /// People at dispatchers' desks, in sessions.
  public static let deskOperator = Callers(.deskOperator)
  /// Administrators, in sessions.
  public static let administrator = Callers(.administrator)
  /// Persons whose accounts are disabled, in sessions.
  public static let disabledPerson = Callers(.disabledPerson)
  /// The operator of the server.
  public static let `operator` = Callers(.operator)

  /// A bit for each number of the enum in the .proto file.
  public let rawValue: UInt32

  public init(rawValue: UInt32) { self.rawValue = rawValue }

  private init(_ caller: Trackme_Options_V1_Caller) { rawValue = 1 << UInt32(caller.rawValue) }
}

/// An RPC of a service; the raw value is its path, "/package.Service/Method".
public protocol ServiceMethod: RawRepresentable<String>, CaseIterable, Sendable {
  /// Who may make the call.
  var callers: Callers { get }
}

extension ServiceMethod {
  fileprivate static var callersByPath: [(String, Callers)] { allCases.map { ($0.rawValue, $0.callers) } }
}

extension ServiceDescriptors {
  /// Who may call each RPC of the .proto files, by its path.
  public static let callers = Dictionary(uniqueKeysWithValues: methods.flatMap { $0.callersByPath })
}
