internal import FoundationEssentials
internal import PaymentGateway
internal import Synchronization

/// The books of a provider for development: what was paid, and how often it was taken.
final class ProviderBooks: Sendable {
  /// A payment with its history.
  struct Entry: Codable, Sendable {
    let id: String
    let reference: String
    let amount: Int64
    let currency: String
    let description: String
    let url: String
    var status: PaymentStatus
    /// How often the amount was taken: it must never be more than once.
    var captures = 0
    var refunds = 0
    /// What the person has been charged now.
    var charged: Int64 = 0

    var payment: ProviderPayment {
      ProviderPayment(
        id: id, reference: reference, status: status, amount: amount, currency: currency,
        url: status == .pending ? url : nil)
    }
  }

  enum Action: String {
    case authorize, decline, capture, cancel, refund
  }

  /// What came of an action.
  enum Outcome {
    case noPayment
    /// The payment's status does not allow it.
    case refused(Entry)
    case unchanged(Entry)
    case changed(Entry)
  }

  private struct State {
    var entries: [Entry] = []
    var byReference: [String: Int] = [:]
    var byID: [String: Int] = [:]
  }

  private let state = Mutex(State())

  /// Makes a payment, once a reference.
  func create(
    reference: String, amount: Int64, currency: String, description: String, urlBase: String
  ) -> (entry: Entry, isNew: Bool) {
    state.withLock { state in
      if let known = state.byReference[reference] { return (state.entries[known], false) }
      let id = "pay_\(state.entries.count + 1)_\(String(UInt32.random(in: 0 ... .max), radix: 36))"
      let entry = Entry(
        id: id, reference: reference, amount: amount, currency: currency, description: description,
        url: "\(urlBase)/pay/\(id)", status: .pending)
      state.byReference[reference] = state.entries.count
      state.byID[id] = state.entries.count
      state.entries.append(entry)
      return (entry, true)
    }
  }

  func find(_ id: String) -> Entry? { state.withLock { state in state.byID[id].map { state.entries[$0] } } }

  func act(_ action: Action, on id: String) -> Outcome {
    state.withLock { state in
      guard let index = state.byID[id] else { return .noPayment }
      let status = state.entries[index].status
      let (from, to): (Set<PaymentStatus>, PaymentStatus) =
        switch action {
        case .authorize: ([.pending], .authorized)
        case .decline: ([.pending], .failed)
        case .capture: ([.authorized], .captured)
        case .cancel: ([.pending, .authorized], .cancelled)
        case .refund: ([.captured], .refunded)
        }
      if status == to { return .unchanged(state.entries[index]) }
      guard from.contains(status) else { return .refused(state.entries[index]) }
      state.entries[index].status = to
      if to == .captured {
        state.entries[index].captures += 1
        state.entries[index].charged += state.entries[index].amount
      } else if to == .refunded {
        state.entries[index].refunds += 1
        state.entries[index].charged -= state.entries[index].amount
      }
      return .changed(state.entries[index])
    }
  }

  /// All payments in the order in which they were made.
  func json() -> [UInt8] {
    struct List: Encodable { let payments: [Entry] }
    let list = List(payments: state.withLock(\.entries))
    return (try? JSONEncoder().encode(list)).map { Array($0) } ?? []
  }
}
