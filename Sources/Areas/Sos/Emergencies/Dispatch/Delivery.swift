internal import Domain
internal import SosRules

/// Who can take a call for good: a connected dispatcher, or a webhook.
enum CallTarget: Hashable, Sendable {
  case dispatcher(AccountID)
  /// By its place in the configuration, from 0.
  case webhook(Int)

  /// How transitions name it.
  var actor: String {
    switch self {
    case .dispatcher(let account): "dispatcher \(account)"
    case .webhook(let index): "webhook \(index + 1)"
    }
  }

  init?(actor: String) {
    let words = actor.split(separator: " ")
    guard words.count == 2 else { return nil }
    switch words[0] {
    case "dispatcher":
      guard let account = AccountID(words[1]) else { return nil }
      self = .dispatcher(account)
    case "webhook":
      guard let number = Int(words[1]), number > 0 else { return nil }
      self = .webhook(number - 1)
    default: return nil
    }
  }
}

/// Where calls queue: nothing that hangs on one delays another.
indirect enum Channel: Hashable, Sendable {
  case sms
  case voice
  case contacts
  case webhook(Int)
  /// Questions about what a channel has handed over.
  case looks(Channel)
}

/// One thing to hand over about an emergency.
enum Delivery: Hashable, Sendable {
  case sms
  case voice
  case contact(Int)
  case smsCancel
  case contactCancel(Int)
  case alert(webhook: Int)
  case update(webhook: Int, number: Int)
  case alertCancel(webhook: Int)

  var channel: Channel {
    switch self {
    case .sms, .smsCancel: .sms
    case .voice: .voice
    case .contact, .contactCancel: .contacts
    case .alert(let webhook), .update(let webhook, _), .alertCancel(let webhook): .webhook(webhook)
    }
  }

  /// How `Emergency.delivered` names it.
  var name: String {
    switch self {
    case .sms: "sms"
    case .voice: "voice"
    case .contact(let index): "contact \(index) sms"
    case .smsCancel: "sms cancel"
    case .contactCancel(let index): "contact \(index) sms cancel"
    case .alert(let webhook): "webhook \(webhook + 1)"
    case .update(let webhook, let number): "webhook \(webhook + 1) update \(number)"
    case .alertCancel(let webhook): "webhook \(webhook + 1) cancel"
    }
  }

  /// The idempotency key: the same for every request of an attempt, whatever crashed between. Only after a gateway has
  /// said that one has failed, or knows of none, there is a next one.
  func key(_ id: EmergencyID, attempt: Int = 1) -> String {
    attempt > 1 ? "\(firstKey(id))/\(attempt)" : firstKey(id)
  }

  private func firstKey(_ id: EmergencyID) -> String {
    switch self {
    case .sms: "\(id)/sms"
    case .voice: "\(id)/voice"
    case .contact(let index): "\(id)/contact-\(index)/sms"
    case .smsCancel: "\(id)/sms/cancel"
    case .contactCancel(let index): "\(id)/contact-\(index)/sms/cancel"
    case .alert: "\(id)"
    case .update(_, let number): "\(id)/update-\(number)"
    case .alertCancel: "\(id)/cancel"
    }
  }

  var isCancel: Bool {
    switch self {
    case .smsCancel, .contactCancel, .alertCancel: true
    default: false
    }
  }
}

/// What a channel's queue holds.
indirect enum DeliveryJob: Hashable, Sendable {
  case emergency(EmergencyID, Delivery)
  /// To a contact of a person whose heart rate has not come since then.
  case silence(PersonID, since: Microseconds, contact: Int)
  /// What has become of it?
  case look(DeliveryJob)

  var channel: Channel {
    switch self {
    case .emergency(_, let delivery): delivery.channel
    case .silence: .contacts
    case .look(let job): .looks(job.channel)
    }
  }

  /// What it is about.
  var subject: DeliveryJob { if case .look(let job) = self { job } else { self } }
}

extension Emergency {
  /// What the note of a refusal begins with.
  static let refusal = "refused"

  /// Who has taken the call for good, as far as the transitions say.
  var owner: CallTarget? { ownership.owner }

  /// The same, and who of its people has it: whoever of the owner's has spoken last, as nobody else may.
  var ownership: (owner: CallTarget?, holder: DeskOperator?) {
    var (owner, holder): (CallTarget?, DeskOperator?)
    for transition in transitions {
      guard let target = CallTarget(actor: transition.actor) else { continue }
      if transition.note.hasPrefix(Self.refusal) {
        if owner == target { (owner, holder) = (nil, nil) }
      } else if owner == nil || owner == target {
        (owner, holder) = (target, transition.answer?.person)
      }
    }
    return (owner, holder)
  }

  /// How often the evaluator has had news since it opened the emergency.
  var newsCount: Int { max(0, transitions.count { $0.actor == Self.evaluator } - 1) }

  /// The count of news that somebody knows who has taken the call; nil if it has not.
  func newsKnown(to target: CallTarget) -> Int? {
    var news = -1
    for transition in transitions {
      if transition.actor == Self.evaluator { news += 1 }
      if transition.actor == target.actor {
        var updates = 0
        if case .webhook(let index) = target {
          let prefix = "\(Delivery.alert(webhook: index).name) update "
          updates = delivered.compactMap { $0.hasPrefix(prefix) ? Int($0.dropFirst(prefix.count)) : nil }.max() ?? 0
        }
        return max(news, updates, 0)
      }
    }
    return nil
  }

  static let evaluator = "evaluator"

  /// Whether the call to a person's contact or to the emergency number has been taken back.
  var isCancelled: Bool { state == .cancelled }
}
