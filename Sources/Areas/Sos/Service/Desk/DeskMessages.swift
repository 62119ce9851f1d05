internal import Domain
internal import Emergencies
internal import Log
internal import ServiceAPI
internal import SosRules
internal import WireCodec

// Calls at a desk on the wire.

extension DispatchService {
  /// A call, with names out of memory: it does not wait for the database.
  func message(of call: DeskCall) -> Trackme_Sos_V1_DeskCall {
    let names = EmergencyNames(
      catalog: metrics.catalog, sources: sources.namesAtHand(of: call.emergency.sources))
    return .init(
      place: .init(rawValue: call.place.rawValue), emergency: .init(call.emergency, names), text: call.text,
      holder: call.holder.flatMap { .init($0) },
      answers: call.answers.map { answer, transition in
        .init(
          kind: .init(rawValue: answer.kind.rawValue), atUs: transition.at, accountID: answer.person.account,
          name: answer.person.name, note: transition.note)
      },
      left: call.place.left(in: call.emergency.state).map { .init(rawValue: $0.rawValue) })
  }
}

extension Trackme_Sos_V1_CallHolder {
  /// Nil unless it is somebody at the desk, or the dispatcher's program.
  fileprivate init?(_ holder: CallHolder) {
    switch holder {
    case .person(let person): self.init(accountID: person.account, name: person.name)
    case .program: self.init()
    case .nobody, .another: return nil
    }
  }
}
