internal import CoreMetrics
package import Metering
internal import SosRules

/// What came of calls for help, by the channel by which they went: never of whom, and to which number.
package enum DispatchChannel: String, CaseIterable, Sendable {
  /// SMS to an emergency number.
  case sms
  case voice
  /// SMS to persons' contacts.
  case contacts
  case webhooks
  /// Dispatchers' systems that are connected.
  case dispatchers
}

/// How far one came.
package enum DispatchResult: String, CaseIterable, Sendable {
  /// Somebody was told, and has not taken it yet.
  case placed
  case taken
  case declined
  case failed
  /// Nobody knows.
  case unknown
}

extension MetricFamily {
  /// A gateway first has a call placed, and says later that it was taken: that counts twice.
  package static let dispatchCalls = MetricFamily(
    .counter, "trackme_dispatch_calls_total",
    "Calls for help, and what came of them; one that is placed counts again later.",
    labels: [
      Label("channel", DispatchChannel.allCases.map(\.rawValue)),
      Label("outcome", DispatchResult.allCases.map(\.rawValue)),
    ])

  /// Counts one.
  func count(_ channel: DispatchChannel, _ result: DispatchResult) {
    counter(channel.rawValue, result.rawValue).increment()
  }
}

extension DispatchResult {
  /// - Parameter isQuestion: whether it is what a gateway says of a call that is placed already; then only what is new counts.
  init?(_ outcome: DeliveryOutcome, isQuestion: Bool) {
    switch outcome {
    case .taken: self = .taken
    case .placed(_, let status) where status.isTaken: self = .taken
    case .placed(_, let status) where status.hasFailed: self = .failed
    case .placed where !isQuestion: self = .placed
    case .declined where !isQuestion: self = .declined
    case .failed where !isQuestion: self = .failed
    case .unknown where !isQuestion: self = .unknown
    case .placed, .declined, .failed, .unknown: return nil
    }
  }
}

extension DispatchResult {
  init?(_ answer: DispatcherAnswer) {
    switch answer {
    case .accepted: self = .taken
    case .refused: self = .declined
    case .enRoute, .resolved, .falseAlarm: return nil
    }
  }
}

extension Channel {
  var counted: DispatchChannel {
    switch self {
    case .sms: .sms
    case .voice: .voice
    case .contacts: .contacts
    case .webhook: .webhooks
    case .looks(let channel): channel.counted
    }
  }
}
