public import Domain

/// Where an emergency stands. The numbers are those of `trackme.sos.v1.EmergencyState`.
public enum EmergencyState: Int32, Sendable, Codable {
  case detected = 1
  case dispatching
  case accepted
  case enRoute
  case resolved
  case cancelled

  /// Whether nothing follows.
  public var isFinal: Bool { self == .resolved || self == .cancelled }

  /// Whether a step to another state is allowed. A step to the same state is how another channel says the same: allowed
  /// for `accepted` only.
  public func mayBecome(_ next: EmergencyState) -> Bool {
    switch (self, next) {
    case (.detected, .dispatching), (.dispatching, .accepted), (.accepted, .accepted), (.enRoute, .accepted): true
    case (.dispatching, .enRoute), (.accepted, .enRoute): true
    case (.dispatching, .resolved), (.accepted, .resolved), (.enRoute, .resolved): true
    case (_, .cancelled): !isFinal
    default: false
    }
  }
}

/// Whether calls are meant. The numbers are those of `trackme.sos.v1.DispatchStatus`.
public enum DispatchStatus: Int32, Sendable, Codable {
  case exercise = 1
  case actual
}

/// One step in the life of an emergency.
public struct EmergencyTransition: Sendable, Hashable, Codable {
  /// The state from here on. A step that another channel has taken before keeps the state: `enRoute` stays when a gateway
  /// accepts later.
  public var state: EmergencyState
  /// The server's time; rises strictly from one transition of this server to the next.
  public var at: Microseconds
  /// "evaluator", "person", "sms", "voice", "contact 0 sms", "webhook 1", "dispatcher 1000000007".
  public var actor: String
  /// What the actor said; may be empty.
  public var note: String
  /// What is known of an SMS or a voice call from here on; nil for everything else.
  public var call: CallStatus?
  /// What somebody at a dispatcher's desk has said; the actor is the dispatcher then. Nil for everything else.
  public var answer: DeskAnswer?

  public init(
    state: EmergencyState, at: Microseconds, actor: String, note: String = "", call: CallStatus? = nil,
    answer: DeskAnswer? = nil
  ) {
    self.state = state
    self.at = at
    self.actor = actor
    self.note = note
    self.call = call
    self.answer = answer
  }
}

/// One episode of one person: everything that crosses until the person is well again joins it.
public struct Emergency: Sendable, Hashable, Codable {
  /// How long after the detection the person can cancel.
  public static let cancellable: Microseconds = 10 * 60 * 1_000_000
  /// Emergencies of a person within `callWindow` that are called by every channel at once. Those beyond it are told to
  /// dispatchers and webhooks, and the rest waits as long as one of these may take them.
  public static let callBudget = 3
  public static let callWindow: Microseconds = 10 * 60 * 1_000_000

  public let id: EmergencyID
  public let person: PersonID
  /// As it was when the emergency was detected.
  public var status: DispatchStatus
  /// The server's time of the decision.
  public var detected: Microseconds
  /// In the order in which they were completed; at most `maxCrossings`, the newest of them.
  public var crossings: [Crossing]
  /// The newest reading of each vital sign, as of the newest crossing.
  public var vitals: [Vital]
  public var position: LastPosition?
  /// Whole years; nil: not known.
  public var age: Int?
  public var sex: Sex?
  public var callbackNumber: PhoneNumber?
  public var contacts: [EmergencyContact]
  /// That is called for the position.
  public var number: String
  /// ISO 3166-1 alpha-2, or empty.
  public var country: String
  /// Oldest first.
  public var transitions: [EmergencyTransition]
  /// Channels that have taken the call: "sms", "voice", "contact 0 sms"; they are not tried again.
  public var delivered: Set<String>
  /// SMS and voice calls that have been handed over and not been taken, by the same names.
  public var placed: [String: PlacedCall] {
    get { placedCalls ?? [:] }
    set { placedCalls = newValue.isEmpty ? nil : newValue }
  }
  /// Nil where there is none, and in what was written before calls were followed.
  private var placedCalls: [String: PlacedCall]?
  /// Emergencies of the same person, cancelled ones too, in the `callWindow` before this one.
  public var earlier: Int {
    get { earlierOnes ?? 0 }
    set { earlierOnes = newValue == 0 ? nil : newValue }
  }
  /// Nil for the first one, and in what was written before they were counted.
  private var earlierOnes: Int?
  /// Whether the person has used up the budget of calls.
  public var isBeyondBudget: Bool { earlier >= Self.callBudget }

  public init(
    id: EmergencyID, person: PersonID, status: DispatchStatus, detected: Microseconds, crossings: [Crossing],
    vitals: [Vital], position: LastPosition?, age: Int?, sex: Sex?, callbackNumber: PhoneNumber?,
    contacts: [EmergencyContact], number: String, country: String, transitions: [EmergencyTransition],
    delivered: Set<String> = []
  ) {
    self.id = id
    self.person = person
    self.status = status
    self.detected = detected
    self.crossings = crossings
    self.vitals = vitals
    self.position = position
    self.age = age
    self.sex = sex
    self.callbackNumber = callbackNumber
    self.contacts = contacts
    self.number = number
    self.country = country
    self.transitions = transitions
    self.delivered = delivered
  }

  public var state: EmergencyState { transitions.last?.state ?? .detected }
  /// When anything about it changed last.
  public var changed: Microseconds { transitions.last?.at ?? detected }
}

/// Keeps emergencies for good. A call never waits for it.
public protocol EmergencyArchive: Sendable {
  /// Writes an emergency as it stands; writing it again, or an older one after a newer one, changes nothing.
  func record(_ emergency: Emergency) async throws
  /// The emergencies that are not final, and those that changed after a time.
  func unfinished(orChangedAfter time: Microseconds) async throws -> [Emergency]
}
