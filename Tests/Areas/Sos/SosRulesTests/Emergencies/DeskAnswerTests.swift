import Domain
import Testing

@testable import SosRules

/// Whose answer counts, and what is left to do.
@Suite struct DeskAnswerTests {
  private let anna = DeskOperator(account: 1, name: "Anna Bianchi")
  private let bruno = DeskOperator(account: 2, name: "Bruno Verdi")

  private func emergency(_ transitions: [(EmergencyState, DeskAnswer?)] = []) -> Emergency {
    let first = EmergencyTransition(state: .dispatching, at: 1, actor: "desk")
    let rest = transitions.enumerated().map { place, transition in
      EmergencyTransition(
        state: transition.0, at: Microseconds(place + 2), actor: "dispatcher 9", answer: transition.1)
    }
    return Emergency(
      id: EmergencyID(person: 7, metric: 1, began: 1), person: 7, status: .exercise, detected: 1, crossings: [],
      vitals: [], position: nil, age: nil, sex: nil, callbackNumber: nil, contacts: [], number: "112", country: "IT",
      transitions: [first] + rest)
  }

  private func said(_ kind: DispatcherAnswer, _ person: DeskOperator) -> DeskAnswer {
    DeskAnswer(kind: kind, person: person)
  }

  @Test(arguments: [DispatcherAnswer.accepted, .refused, .enRoute, .resolved, .falseAlarm])
  func whatNobodyHasIsWhoseAnswerComesFirst(kind: DispatcherAnswer) {
    #expect(said(kind, anna).verdict(on: emergency(), holder: .nobody, isAway: false) == .taken)
  }

  @Test(arguments: [DispatcherAnswer.accepted, .refused, .enRoute, .resolved, .falseAlarm])
  func whatSomebodyElseHasIsNobodysToAnswer(kind: DispatcherAnswer) {
    let known = emergency([(.accepted, said(.accepted, anna))])
    for holder in [CallHolder.person(anna), .program, .another] {
      #expect(said(kind, bruno).verdict(on: known, holder: holder, isAway: false) == .late(holder))
    }
    // A dispatcher that is away has its call still, an own colleague or program not.
    #expect(said(kind, bruno).verdict(on: known, holder: .another, isAway: true) == .late(.another))
    for holder in [CallHolder.person(anna), .program] {
      #expect(said(kind, bruno).verdict(on: known, holder: holder, isAway: true) == .taken)
    }
  }

  @Test func whoHasACallGoesOnAndTheSameAgainIsKnown() {
    let accepted = emergency([(.accepted, said(.accepted, anna))])
    let onTheWay = emergency([(.accepted, said(.accepted, anna)), (.enRoute, said(.enRoute, anna))])
    let cases: [(DispatcherAnswer, Emergency, DeskVerdict)] = [
      (.accepted, accepted, .known), (.accepted, onTheWay, .known), (.enRoute, accepted, .taken),
      (.enRoute, onTheWay, .known), (.refused, accepted, .taken), (.resolved, onTheWay, .taken),
      (.falseAlarm, accepted, .taken),
    ]
    for (kind, emergency, verdict) in cases {
      #expect(said(kind, anna).verdict(on: emergency, holder: .person(anna), isAway: false) == verdict, "\(kind)")
    }
  }

  @Test func noAnswerChangesHowACallHasEnded() {
    let over: [(EmergencyState, DispatcherAnswer)] = [(.resolved, .resolved), (.cancelled, .falseAlarm)]
    for (state, end) in over {
      let known = emergency([(.accepted, said(.accepted, anna)), (state, said(end, anna))])
      for person in [anna, bruno] {
        for kind in [DispatcherAnswer.accepted, .refused, .enRoute, .resolved, .falseAlarm] {
          let isTheSame = kind == end && person == anna
          #expect(
            said(kind, person).verdict(on: known, holder: .person(anna), isAway: true)
              == (isTheSame ? .known : .over(state)))
        }
      }
    }
    // Its person has cancelled it.
    let cancelled = emergency([(.accepted, said(.accepted, anna)), (.cancelled, nil)])
    #expect(said(.accepted, anna).verdict(on: cancelled, holder: .person(anna), isAway: false) == .over(.cancelled))
  }

  @Test func aCallIsNotGivenBackWithoutEnd() {
    let answers = (0..<Emergency.maxDeskAnswers).map { place in
      (EmergencyState.accepted, Optional(said(place % 2 == 0 ? .accepted : .refused, anna)))
    }
    let last = emergency(answers.dropLast())
    #expect(said(.refused, anna).verdict(on: last, holder: .person(anna), isAway: false) == .taken)
    let full = emergency(answers)
    for holder in [CallHolder.person(anna), .nobody] {
      #expect(said(.refused, anna).verdict(on: full, holder: holder, isAway: false) == .tooMany)
      #expect(said(.resolved, anna).verdict(on: full, holder: holder, isAway: false) == .taken)
    }
    #expect(said(.accepted, bruno).verdict(on: full, holder: .nobody, isAway: false) == .taken)
  }

  @Test func whatIsLeftToDoFollowsFromThePlace() {
    #expect(CallPlace.waiting.left(in: .dispatching) == [.accepted, .refused])
    #expect(CallPlace.refused.left(in: .dispatching) == [.accepted])
    #expect(CallPlace.ours.left(in: .accepted) == [.enRoute, .resolved, .falseAlarm])
    #expect(CallPlace.ours.left(in: .enRoute) == [.resolved, .falseAlarm])
    #expect(CallPlace.taken.left(in: .accepted) == [] && CallPlace.over.left(in: .resolved) == [])
  }
}
