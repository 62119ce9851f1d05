import Domain
import Postgres
import RacesRules
import Testing

@testable import Identity
@testable import Log
@testable import Notifications
@testable import Payments
@testable import Races
@testable import Sharing
@testable import Sos

@Suite("A-R21.1, A-D5: fees that the provider refuses for good")
struct GivenUpPaymentTests {
  /// The next wish of a payment, whatever its pause.
  private func wish(_ payment: String?, _ rig: Rig) async throws -> PaymentWish {
    try rig.connection().query("UPDATE payment SET next_attempt_at = now()", [])
    return try #require(try await rig.payments.takeWishes(of: payment).first)
  }

  /// The facts of what an account was told last.
  private func fact(_ name: String, of account: AccountID, _ rig: Rig) throws -> String {
    try rig.connection().query(
      "SELECT coalesce(facts ->> $2, '') FROM notification WHERE account = $1 ORDER BY id DESC LIMIT 1",
      [.int8(account), .text(name)]
    ).string(0, 0)
  }

  @Test(
    "Before the start whoever can't pay loses the place to the next one, and the provider is asked to take nothing",
    arguments: [false, true])
  func beforeTheStart(isLapsed: Bool) async throws {
    try await withStorage("before the start \(isLapsed)") { rig in
      let race = try await rig.race(fee: 1_500)
      let persons = try await rig.persons(2)
      let payment = try await rig.enrol(persons[0], in: race).payment
      try await rig.enrol(persons[1], in: race)
      try await rig.told(.authorized, of: payment)
      if isLapsed {
        try await rig.told(.cancelled, of: payment)
        #expect(try rig.payment(payment) == [4, 0])
      } else {
        let capture = try await wish(payment, rig)
        #expect(capture.kind == .capture)
        #expect(try await rig.payments.giveUp(capture, at: Rig.now))
        #expect(try await !rig.payments.giveUp(capture, at: Rig.now), "it is not wished any more")
        #expect(try rig.payment(payment) == [6, 3])
      }
      #expect(try await rig.state(persons[0], in: race) == .expired)
      #expect(try await rig.state(persons[1], in: race) == .awaitingPayment)
      #expect(try rig.news(persons[0]) == [18, 31])
      #expect(try fact("place", of: persons[0], rig) == "lost")
      #expect(try rig.connection().query("SELECT count(*) FROM email_queue WHERE kind = 31").int64(0, 0) == 1)
      // Late repeats of older news get no place back, and what is taken all the same is paid back.
      if !isLapsed {
        try await rig.told(.authorized, of: payment)
        try await rig.told(.captured, of: payment)
        #expect(try rig.payment(payment) == [3, 4])
      }
      #expect(try await rig.state(persons[0], in: race) == .expired)
    }
  }

  @Test("After the deadline servers read anew who runs")
  func afterTheDeadline() async throws {
    try await withStorage { rig in
      let race = try await rig.race(fee: 1_500)
      let person = try await rig.persons(1)[0]
      let payment = try await rig.enrol(person, in: race).payment
      try await rig.told(.authorized, of: payment)
      func stamp() throws -> String {
        try rig.connection().query("SELECT changed_in::text FROM race WHERE id = \(race)").string(0, 0)
      }
      let before = try stamp()
      #expect(try await rig.payments.giveUp(try await wish(payment, rig), at: Rig.now + Rig.day))
      #expect(try await rig.storage.races.runners(of: race).isEmpty && stamp() != before)
    }
  }

  @Test("From the start on the runner keeps the place, and the organisers are told by the number")
  func afterTheStart() async throws {
    try await withStorage { rig in
      let race = try await rig.race(fee: 1_500)
      let organizer = try #require(try await rig.storage.races.race(race)).createdBy
      let person = try await rig.persons(1)[0]
      let payment = try await rig.enrol(person, in: race).payment
      try await rig.told(.authorized, of: payment)
      #expect(try await rig.payments.giveUp(try await wish(payment, rig), at: Rig.now + 2 * Rig.day))
      #expect(try await rig.state(person, in: race) == .enrolled)
      #expect(try rig.payment(payment) == [6, 3])
      #expect(try rig.news(person) == [18, 31] && rig.news(organizer) == [31])
      #expect(try fact("place", of: person, rig) == "kept" && fact("number", of: organizer, rig) == "1")
      // Nothing is taken any more; a cancellation that is refused as well ends too.
      #expect(try await rig.payments.giveUp(try await wish(payment, rig), at: Rig.now + 2 * Rig.day))
      #expect(try rig.payment(payment) == [6, 0])
    }
  }

  @Test("The gun does not wait for a refusal that waits for its race")
  func gunWhileItWaits() async throws {
    try await withStorage { rig in
      let gun = Rig.now + 1_000_000
      let race = try await rig.race(fee: 1_500, deadline: gun - 500_000, starts: gun)
      let person = try await rig.persons(1)[0]
      let payment = try await rig.enrol(person, in: race).payment
      try await rig.told(.authorized, of: payment)
      let capture = try await wish(payment, rig)
      let turn = try rig.connection()
      try turn.execute("BEGIN; SELECT FROM race WHERE id = \(race) FOR NO KEY UPDATE")
      // Refused a tenth of a second before the gun.
      async let isGivenUp = rig.payments.giveUp(capture, at: gun - 100_000)
      try await rig.waiting(1)
      try turn.execute("SELECT pg_sleep(0.15); COMMIT")
      #expect(try await isGivenUp)
      #expect(try await rig.state(person, in: race) == .enrolled)
      #expect(try fact("place", of: person, rig) == "kept")
    }
  }

  @Test(
    "What can't be paid back is told to the runner and the organisers, also of a cancelled race, and is not wished again"
  )
  func refund() async throws {
    try await withStorage { rig in
      let race = try await rig.race(fee: 1_500)
      let organizer = try #require(try await rig.storage.races.race(race)).createdBy
      let person = try await rig.persons(1)[0]
      let payment = try await rig.enrol(person, in: race).payment
      for state in [PaymentState.authorized, .captured] { try await rig.told(state, of: payment) }
      _ = try await rig.enrolments.withdraw(person, from: race, at: Rig.now)
      let refund = try await wish(payment, rig)
      #expect(refund.kind == .refund)
      #expect(try await rig.payments.giveUp(refund, at: Rig.now))
      #expect(try rig.payment(payment) == [3, 0])
      #expect(try rig.news(person).last == 31 && rig.news(organizer) == [31])
      let change = RaceChange(race: race, kind: .raceCancelled, author: organizer, time: Rig.now)
      _ = try #require(try await rig.storage.decisions.decide(change, as: .cancel, reason: ""))
      try await rig.tellEverybody()
      #expect(try rig.payment(payment) == [3, 0])
    }
  }

  @Test("A payment that can't be made frees the place that was held for it")
  func creation() async throws {
    try await withStorage { rig in
      let race = try await rig.race(fee: 1_500)
      let person = try await rig.persons(1)[0]
      let payment = try await rig.enrol(person, in: race).payment
      #expect(try await rig.payments.giveUp(try await wish(payment, rig), at: Rig.now))
      #expect(try rig.payment(payment) == [6, 0])
      #expect(try await rig.state(person, in: race) == .expired)
      #expect(try rig.news(person) == [31])
      #expect(try await rig.enrol(person, in: race).state == .awaitingPayment, "another try is another payment")
    }
  }

  @Test("The provider is asked for the same for a week, counted from the wish")
  func patience() async throws {
    try await withStorage { rig in
      let race = try await rig.race(fee: 1_500)
      let payment = try await rig.enrol(try await rig.persons(1)[0], in: race).payment
      let creation = try await wish(payment, rig)
      #expect(try await !rig.payments.failed(creation))
      try rig.connection().query("UPDATE payment SET wished_at = now() - interval '7 days'", [])
      #expect(try await rig.payments.failed(creation))
      // Another wish has its own week.
      try await rig.told(.authorized, of: payment)
      #expect(try await !rig.payments.failed(try await wish(payment, rig)))
    }
  }
}
