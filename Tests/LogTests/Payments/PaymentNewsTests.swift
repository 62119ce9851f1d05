import Domain
import Postgres
import Testing

@testable import Identity
@testable import Log
@testable import Notifications
@testable import Payments
@testable import Races
@testable import Sharing
@testable import Sos

@Suite("A-D5: news of a payment are compared with it before anything is put down")
struct PaymentNewsTests {
  /// A payment as it is stored.
  private func stored(_ payment: String, _ rig: Rig) throws -> String {
    try rig.connection().query(
      "SELECT p::text FROM payment p WHERE id = $1::text::uuid", [.text(payment)]
    ).string(0, 0)
  }

  @Test(
    "Another amount, currency or name there is refused and changes nothing, whatever is told",
    arguments: [PaymentState.authorized, .captured, .cancelled, .refunded, .failed])
  func anotherPayment(told: PaymentState) async throws {
    try await withStorage("another payment \(told)") { rig in
      let race = try await rig.race(capacity: 2, fee: 1_500)
      let persons = try await rig.persons(2)
      let payment = try #require(try await rig.enrol(persons[0], in: race).payment)
      let other = try #require(try await rig.enrol(persons[1], in: race).payment)
      for one in [payment, other] {
        #expect(try await rig.payments.created(one, as: "pay_\(one)", url: "https://pay/1"))
      }
      // Those that are asked for in time, so that nothing but the difference speaks against what is told.
      if told != .authorized { try await rig.told(.authorized, of: payment) }
      if told == .refunded { try await rig.told(.captured, of: payment) }
      let before = try stored(payment, rig)
      #expect(try await rig.told(told, of: payment, fee: 1_499) == .refused(.amount))
      #expect(try await rig.told(told, of: payment, fee: 150_000) == .refused(.amount))
      #expect(try await rig.told(told, of: payment, currency: "USD") == .refused(.currency))
      #expect(try await rig.told(told, of: payment, as: "pay_of_nobody") == .refused(.id))
      #expect(try await rig.told(told, of: payment, as: "pay_\(other)") == .refused(.id))
      #expect(try await !rig.payments.created(payment, as: "pay_\(other)", url: "https://pay/other"))
      #expect(try stored(payment, rig) == before)
      #expect(try await rig.told(told, of: payment) == .done)
      #expect(try stored(payment, rig) != before || told == .failed)
    }
  }

  @Test("A name that the provider has told of another payment is refused also where none is known yet")
  func nameOfAnother() async throws {
    try await withStorage { rig in
      let race = try await rig.race(capacity: 2, fee: 1_500)
      let persons = try await rig.persons(2)
      let payment = try await rig.enrol(persons[0], in: race).payment
      let other = try await rig.enrol(persons[1], in: race).payment
      try await rig.told(.authorized, of: other, as: "pay_1")
      #expect(try await rig.told(.authorized, of: payment, as: "pay_1") == .refused(.id))
      #expect(try rig.payment(payment) == [1, 1])
    }
  }

  @Test(
    "A state that can't follow the one that is known is refused and changes nothing",
    arguments: [
      ([], [.captured, .refunded]), ([.authorized], [.refunded]), ([.authorized, .captured], [.cancelled]),
      ([.authorized, .captured, .refunded], [.cancelled]), ([.cancelled], [.captured, .refunded]),
      ([.failed], [.captured, .refunded]), ([.authorized, .cancelled], [.captured, .refunded]),
    ] as [([PaymentState], [PaymentState])])
  func order(known: [PaymentState], refused: [PaymentState]) async throws {
    try await withStorage("order \(known)") { rig in
      let race = try await rig.race(fee: 1_500)
      let payment = try #require(try await rig.enrol(try await rig.persons(1)[0], in: race).payment)
      for state in known { #expect(try await rig.told(state, of: payment) == .done) }
      let before = try stored(payment, rig)
      for state in refused { #expect(try await rig.told(state, of: payment) == .refused(.state)) }
      #expect(try stored(payment, rig) == before)
    }
  }

  @Test("What was taken though nobody had asked for it is refused: only reserved, and never to be captured")
  func takenUnasked() async throws {
    try await withStorage { rig in
      let race = try await rig.race(fee: 1_500)
      let persons = try await rig.persons(2)
      let late = try await rig.enrol(persons[0], in: race).payment
      try await rig.enrol(persons[1], in: race)
      try await rig.enrolments.lookAfterPlaces(at: Rig.now + 900_000_000)
      try await rig.told(.authorized, of: late, at: Rig.now + 901_000_000)
      #expect(try rig.payment(late) == [2, 3])
      #expect(try await rig.told(.captured, of: late) == .refused(.state))
      #expect(try rig.payment(late) == [2, 3])
    }
  }

  @Test("News of a payment whose area is not there change nothing, and are answered as those of nobody's payment")
  func areaThatIsNotThere() async throws {
    try await withStorage { rig in
      let race = try await rig.race(fee: 1_500)
      let payment = try #require(try await rig.enrol(try await rig.persons(1)[0], in: race).payment)
      let before = try stored(payment, rig)
      // As in a server that has no races.
      let store = PaymentStore(pool: rig.pool)
      let settled = try await store.settle(
        payment, as: "pay_1", .authorized, money: Money(currency: "EUR", minorUnits: 1_500), at: Rig.now)
      #expect(settled == .unknown)
      #expect(try stored(payment, rig) == before)
      let wish = try #require(try await store.takeWishes().first)
      #expect(try await !store.giveUp(wish, at: Rig.now))
      #expect(try rig.payment(payment) == [1, 1])
      // The server that has them hears of it all the same.
      #expect(try await rig.told(.authorized, of: payment) == .done)
    }
  }
}
