import Domain
import PaymentGateway
import Postgres
import Synchronization
import Testing

@testable import Admin
@testable import AreaKit
@testable import Identity
@testable import Log
@testable import Notifications
@testable import Payments
@testable import Races
@testable import Readings
@testable import ServiceKit
@testable import Sharing
@testable import Sos

@Suite("A-R21.1, A-D5: what the provider answers, and what is asked of it again")
struct PaymentDeskTests {
  /// Authorizes everything, and answers captures as it is told.
  private final class Provider: PaymentProvider {
    let capture: Swift.Result<PaymentStatus, PaymentProviderError>
    let captures = Mutex(0)

    init(_ capture: Swift.Result<PaymentStatus, PaymentProviderError>) { self.capture = capture }

    private func payment(_ reference: String, _ status: PaymentStatus) -> ProviderPayment {
      ProviderPayment(id: "pay_\(reference)", reference: reference, status: status, amount: 1_500, currency: "EUR")
    }

    func create(_ order: PaymentOrder) async throws(PaymentProviderError) -> ProviderPayment {
      payment(order.reference, .authorized)
    }

    func capture(_ id: String, reference: String) async throws(PaymentProviderError) -> ProviderPayment {
      captures.withLock { $0 += 1 }
      return payment(reference, try capture.get())
    }

    func cancel(_ id: String, reference: String) async throws(PaymentProviderError) -> ProviderPayment {
      payment(reference, .cancelled)
    }

    func refund(_ id: String, reference: String) async throws(PaymentProviderError) -> ProviderPayment {
      payment(reference, .refunded)
    }
  }

  @Test(
    "A capture that is refused for good ends at once, and one that is not done ends after a week",
    arguments: [
      (.failure(.refused(status: 402)), true), (.failure(.refused(status: 410)), true), (.success(.failed), true),
      (.success(.cancelled), true), (.failure(.unavailable("away")), false), (.failure(.unreadable), false),
      (.failure(.refused(status: 401)), false), (.failure(.refused(status: 404)), false),
      (.failure(.refused(status: 301)), false), (.success(.authorized), false), (.success(.pending), false),
    ] as [(Swift.Result<PaymentStatus, PaymentProviderError>, Bool)])
  func captures(_ answer: Swift.Result<PaymentStatus, PaymentProviderError>, isFinal: Bool) async throws {
    try await withServer("captures \(answer)") { rig in
      let (ada, runner) = (try await rig.party("ada"), try await rig.party("runner"))
      let race = try await rig.race(by: ada, in: .enrolmentOpen)
      try rig.connection().query("UPDATE race SET fee_minor_units = 1500, fee_currency = 'EUR' WHERE id = \(race)")
      let provider = Provider(answer)
      let events = Mutex<[PaymentDeskEvent]>([])
      let desk = PaymentDesk(
        payments: rig.house[PaymentsArea.self].store, provider: provider, clock: { ServiceRig.now },
        report: { event in events.withLock { $0.append(event) } })
      _ = try await rig.storage.enrolments.enrol(
        runner.id, in: race, name: "", link: nil, canPay: true, at: ServiceRig.now)
      func rounds() async throws {
        repeat {
          try rig.connection().query("UPDATE payment SET next_attempt_at = now()")
        } while await desk.round()
          > 0 && provider.captures.withLock { $0 } < 3
      }
      try await rounds()
      func state() async throws -> EnrolmentState? {
        try await rig.storage.enrolments.enrolment(of: runner.id, in: race)?.state
      }
      if !isFinal {
        #expect(provider.captures.withLock { $0 } == 3)
        #expect(try await state() == .enrolled)
        try rig.connection().query("UPDATE payment SET wished_at = now() - interval '7 days'")
        provider.captures.withLock { $0 = 0 }
        try await rounds()
      }
      #expect(provider.captures.withLock { $0 } == 1)
      #expect(try await state() == .expired)
      #expect(try await rig.told(runner, race).map(\.kind) == [.racePlace, .racePaymentFailed])
      let left = try rig.connection().query("SELECT wish::bigint FROM payment")
      #expect(try left.int64(0, 0) == 0)
      let ended = events.withLock { $0.contains { if case .givenUp = $0 { true } else { false } } }
      #expect(ended == (answer != .success(.cancelled)))
    }
  }
}
