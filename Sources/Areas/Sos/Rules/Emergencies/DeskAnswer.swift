public import Domain

/// What a dispatcher says of a call. The numbers are those of `trackme.sos.v1.AnswerKind`.
public enum DispatcherAnswer: Int32, Sendable, Codable {
  case accepted = 1
  case refused
  case enRoute
  case resolved
  case falseAlarm
}

/// Somebody who answers calls at a dispatcher's desk.
public struct DeskOperator: Sendable, Hashable, Codable {
  public let account: AccountID
  /// What colleagues and administrators see.
  public let name: String

  public init(account: AccountID, name: String) {
    self.account = account
    self.name = name
  }
}

/// What somebody at a desk says of a call. It is kept with the emergency.
public struct DeskAnswer: Sendable, Hashable, Codable {
  public let kind: DispatcherAnswer
  /// Who says it.
  public let person: DeskOperator

  public init(kind: DispatcherAnswer, person: DeskOperator) {
    self.kind = kind
    self.person = person
  }
}

/// Who goes on with a call, as its dispatcher's desk sees it.
public enum CallHolder: Sendable, Hashable {
  case nobody
  /// Somebody at this desk.
  case person(DeskOperator)
  /// The dispatcher's own program.
  case program
  /// Another dispatcher, or a webhook.
  case another
}

/// What becomes of an answer.
public enum DeskVerdict: Sendable, Equatable {
  /// It is taken down, and holds.
  case taken
  /// It was given before, by the same person: it holds, and changes nothing.
  case known
  /// Somebody else has the call.
  case late(CallHolder)
  /// The call is over, and stays in this state.
  case over(EmergencyState)
  /// So much was taken down of this call that only its end is.
  case tooMany
}

extension DeskAnswer {
  /// Of several who answer a call one has it, and no answer changes how it has ended.
  ///
  /// - Parameters:
  ///   - holder: who goes on with the call.
  ///   - isAway: whether the holder, of this desk, can't go on any more: the account has ended, or the program is not
  ///     connected. Then colleagues do.
  public func verdict(on emergency: Emergency, holder: CallHolder, isAway: Bool) -> DeskVerdict {
    if emergency.state.isFinal {
      return emergency.transitions.last { $0.state.isFinal && $0.answer != nil }?.answer == self
        ? .known : .over(emergency.state)
    }
    switch holder {
    case .nobody: return isNoted(in: emergency)
    case .person(let own) where own.account == person.account:
      switch kind {
      case .accepted: return .known
      case .enRoute: return emergency.state == .enRoute ? .known : .taken
      case .refused: return isNoted(in: emergency)
      case .resolved, .falseAlarm: return .taken
      }
    case .person, .program: return isAway ? isNoted(in: emergency) : .late(holder)
    case .another: return .late(holder)
    }
  }

  /// The end of a call is always taken down, and so is who has it; refusals, without which nobody can have it again and
  /// again, are not without end.
  private func isNoted(in emergency: Emergency) -> DeskVerdict {
    guard kind == .refused else { return .taken }
    return emergency.transitions.count { $0.answer != nil } < Emergency.maxDeskAnswers ? .taken : .tooMany
  }
}

extension Emergency {
  /// The answers of people at desks after which none of them can refuse a call: far more than a call needs.
  public static let maxDeskAnswers = 100
}
