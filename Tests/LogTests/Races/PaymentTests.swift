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

@Suite("A-R21.1, A-D5: fees of races")
struct PaymentTests {
  @Test(
    "A-R21.1: a place is held until the fee is authorized; only then it is captured, and there is a receipt by e-mail")
  func paid() async throws {
    try await withStorage { rig in
      let race = try await rig.race(fee: 1_500)
      let person = try await rig.persons(1)[0]
      let record = try await rig.enrol(person, in: race)
      #expect(record.state == .awaitingPayment)
      #expect(record.paymentState == .pending)
      #expect(record.heldUntil == Rig.now + 900_000_000)
      #expect(try rig.payment(record.payment) == [1, 1])
      try await rig.payments.created(try #require(record.payment), as: "pay_\(record.payment!)", url: "https://pay/1")
      #expect(try await rig.enrolments.enrolment(of: person, in: race)?.paymentURL == "https://pay/1")

      #expect(try await rig.told(.authorized, of: record.payment) == .done)
      let enrolled = try await rig.enrolments.enrolment(of: person, in: race)
      #expect(enrolled?.state == .enrolled)
      #expect(enrolled?.number == 1)
      #expect(try rig.payment(record.payment) == [2, 2])
      #expect(try rig.news(person) == [18])
      #expect(try await rig.told(.captured, of: record.payment) == .done)
      #expect(try rig.payment(record.payment) == [3, 0])
      #expect(try rig.news(person) == [18, 21])
      let receipt = try rig.connection().query(
        """
        SELECT facts ->> 'minor_units', facts ->> 'currency', facts ->> 'number', facts ->> 'name', facts ->> 'payment'
        FROM email_queue WHERE kind = 21 AND account = $1
        """, [.int8(person)])
      #expect(try (0..<5).map { try receipt.string(0, $0) } == ["1500", "EUR", "1", "Corsa", record.payment])
    }
  }

  @Test(
    "A-R21.1: news that come twice or late change nothing",
    arguments: [
      [PaymentState.authorized, .authorized, .captured, .captured, .authorized],
      [.authorized, .captured, .captured, .failed, .authorized], [.authorized, .failed, .captured],
    ])
  func repeatsAndReordering(_ news: [PaymentState]) async throws {
    try await withStorage("repeats \(news)") { rig in
      let race = try await rig.race(fee: 1_500)
      let person = try await rig.persons(1)[0]
      let payment = try await rig.enrol(person, in: race).payment
      for state in news { #expect(try await rig.told(state, of: payment) == .done) }
      #expect(try await rig.state(person, in: race) == .enrolled)
      #expect(try rig.payment(payment) == [3, 0])
      #expect(try rig.news(person) == [18, 21])
      #expect(try rig.places(of: race) == [1, 0, 1, 0])
    }
  }

  @Test("A-R21.1: a hold that was not paid for goes to the next one, and what comes too late is not taken")
  func expiry() async throws {
    try await withStorage { rig in
      let race = try await rig.race(fee: 1_500)
      let persons = try await rig.persons(2)
      let late = try await rig.enrol(persons[0], in: race).payment
      try await rig.enrol(persons[1], in: race)
      #expect(try await rig.enrolments.lookAfterPlaces(at: Rig.now + 899_999_999) == 0)
      #expect(try await rig.enrolments.lookAfterPlaces(at: Rig.now + 900_000_000) == 1)
      #expect(try await rig.state(persons[0], in: race) == .expired)
      #expect(try rig.payment(late) == [1, 3])
      #expect(try rig.news(persons[0]) == [20])
      let next = try await rig.enrolments.enrolment(of: persons[1], in: race)
      #expect(next?.state == .awaitingPayment)
      #expect(next?.heldUntil == Rig.now + Rig.day, "from the waiting list a day, or until the deadline")
      #expect(try rig.news(persons[1]) == [19])

      try await rig.told(.authorized, of: late, at: Rig.now + 901_000_000)
      #expect(try rig.payment(late) == [2, 3])
      try await rig.told(.cancelled, of: late)
      #expect(try rig.payment(late) == [4, 0])
      #expect(try await rig.state(persons[0], in: race) == .expired)
    }
  }

  @Test("A-R21.1: a place from the waiting list is held for 24 hours where the deadline is later")
  func holdFromTheList() async throws {
    try await withStorage { rig in
      let race = try await rig.race(fee: 1_500, deadline: Rig.now + 3 * Rig.day, starts: Rig.now + 4 * Rig.day)
      let persons = try await rig.persons(2)
      for person in persons { try await rig.enrol(person, in: race) }
      let later = Rig.now + 900_000_000
      #expect(try await rig.enrolments.lookAfterPlaces(at: later) == 1)
      #expect(try await rig.enrolments.enrolment(of: persons[1], in: race)?.heldUntil == later + Rig.day)
    }
  }

  @Test("A-R21.1: a fee that is authorized too late gets a place if nobody has taken it")
  func lateButFree() async throws {
    try await withStorage { rig in
      let race = try await rig.race(fee: 1_500)
      let person = try await rig.persons(1)[0]
      let payment = try await rig.enrol(person, in: race).payment
      try await rig.enrolments.lookAfterPlaces(at: Rig.now + 900_000_000)
      #expect(try await rig.state(person, in: race) == .expired)
      try await rig.told(.authorized, of: payment)
      #expect(try await rig.state(person, in: race) == .enrolled)
      #expect(try rig.payment(payment) == [2, 2])
      #expect(try rig.places(of: race) == [1, 0, 1, 0])
    }
  }

  @Test("A-R21.1: a fee that is refused gives the place to the next one; another try is another payment")
  func refused() async throws {
    try await withStorage { rig in
      let race = try await rig.race(fee: 1_500)
      let persons = try await rig.persons(2)
      let first = try await rig.enrol(persons[0], in: race).payment
      try await rig.enrol(persons[1], in: race)
      try await rig.told(.failed, of: first)
      #expect(try rig.payment(first) == [6, 0])
      #expect(try await rig.state(persons[0], in: race) == .expired)
      #expect(try await rig.state(persons[1], in: race) == .awaitingPayment)
      let again = try await rig.enrol(persons[0], in: race)
      #expect(again.state == .waiting)
      #expect(again.payment == nil)
    }
  }

  @Test(
    "A-R21.1: whoever withdraws before the deadline is paid back, at whatever point the payment is",
    arguments: [
      ([], [1, 3]), ([PaymentState.authorized], [2, 3]), ([.authorized, .captured], [3, 4]),
    ] as [([PaymentState], [Int64])])
  func withdrawn(_ news: [PaymentState], _ expected: [Int64]) async throws {
    try await withStorage("withdrawn \(news)") { rig in
      let race = try await rig.race(fee: 1_500)
      let person = try await rig.persons(1)[0]
      let payment = try await rig.enrol(person, in: race).payment
      for state in news { try await rig.told(state, of: payment) }
      #expect(try await rig.enrolments.withdraw(person, from: race, at: Rig.now).state == .withdrawn)
      #expect(try rig.payment(payment) == expected)
      if expected == [2, 3] {
        // The capture was under way: what was taken is paid back.
        try await rig.told(.captured, of: payment)
        #expect(try rig.payment(payment) == [3, 4])
      }
      if expected != [1, 3] {
        try await rig.told(.refunded, of: payment)
        #expect(try rig.payment(payment) == [5, 0])
        #expect(try rig.news(person).last == 22)
        try await rig.told(.refunded, of: payment)
        #expect(try rig.news(person).filter { $0 == 22 }.count == 1)
      }
    }
  }

  @Test("A-R21.1: a race that is cancelled pays everything back, and takes nothing more")
  func cancelledRace() async throws {
    try await withStorage { rig in
      let race = try await rig.race(capacity: 3, fee: 1_500)
      let persons = try await rig.persons(3)
      var payments: [String?] = []
      for person in persons { payments.append(try await rig.enrol(person, in: race).payment) }
      for payment in payments[1...] { try await rig.told(.authorized, of: payment) }
      try await rig.told(.captured, of: payments[2])
      let change = RaceChange(race: race, kind: .raceCancelled, author: persons[0], time: Rig.now)
      _ = try #require(try await rig.storage.decisions.decide(change, as: .cancel, reason: "storm"))
      #expect(
        try await rig.payments.takeWishes().isEmpty, "what a cancelled race was still to take is not asked for any more"
      )
      try await rig.tellEverybody()
      #expect(try payments.map { try rig.payment($0) } == [[1, 3], [2, 3], [3, 4]])
      // A capture that was under way is paid back too.
      try await rig.told(.captured, of: payments[1])
      #expect(try rig.payment(payments[1]) == [3, 4])
      try await rig.told(.authorized, of: payments[0])
      #expect(try rig.payment(payments[0]) == [2, 3])
    }
  }

  @Test("A-R21.1: another amount than the fee gets no place and is not taken; another name there is refused")
  func contradictions() async throws {
    try await withStorage { rig in
      let race = try await rig.race(fee: 1_500)
      let person = try await rig.persons(1)[0]
      let payment = try await rig.enrol(person, in: race).payment
      #expect(try await rig.told(.authorized, of: "00000000-0000-4000-8000-000000000000") == .unknown)
      #expect(try await rig.told(.authorized, of: payment, fee: 1) == .refused(.amount))
      #expect(try rig.payment(payment) == [1, 1])
      #expect(try await rig.state(person, in: race) == .awaitingPayment)
      #expect(try await rig.told(.authorized, of: payment) == .done)
      #expect(try await rig.told(.captured, of: payment, as: "pay_of_somebody_else") == .refused(.id))
      #expect(try rig.payment(payment) == [2, 2])
    }
  }

  @Test("A-R21.1: wishes wait for each other's end, come again after growing pauses, and outlive whoever took them")
  func wishes() async throws {
    try await withStorage { rig in
      let race = try await rig.race(fee: 1_500)
      let payment = try #require(try await rig.enrol(try await rig.persons(1)[0], in: race).payment)
      let wish = try #require(try await rig.payments.takeWishes().first)
      #expect(wish.payment == payment)
      #expect(wish.kind == .create)
      #expect(wish.money == Money(currency: "EUR", minorUnits: 1_500))
      #expect(try await rig.payments.takeWishes().isEmpty, "somebody has it")
      func pause() throws -> Double {
        try rig.connection().query(
          "SELECT extract(epoch FROM next_attempt_at - now())::float8 FROM payment", []
        ).double(0, 0)
      }
      #expect(try pause() > 10)
      #expect(try await !rig.payments.failed(wish))
      #expect(try pause() < 2)
      try rig.connection().query("UPDATE payment SET attempts = 40, next_attempt_at = now()", [])
      _ = try await rig.payments.takeWishes()
      #expect(try await !rig.payments.failed(wish))
      #expect(try pause() > 3_500 && pause() <= 3_600)
      // An answer that comes late does not undo what is wished since.
      try rig.connection().query("UPDATE payment SET wish = 3", [])
      try await rig.payments.created(payment, as: "pay_1", url: "https://pay/1")
      #expect(try rig.payment(payment) == [1, 3])
    }
  }

  @Test("A-R21.1: without somebody to pay to nobody enrols in a race with a fee")
  func nobodyToPay() async throws {
    try await withStorage { rig in
      let race = try await rig.race(fee: 1_500)
      let person = try await rig.persons(1)[0]
      await #expect(throws: Enrolments.Refusal.noPaymentProvider) {
        try await rig.enrolments.enrol(person, in: race, name: "", link: nil, canPay: false, at: Rig.now)
      }
    }
  }

  @Test(
    "A-R21.1: a hold that ends while its fee is authorized ends in one of both: the race's turn decides",
    arguments: [true, false])
  func holdEndsWhileItIsPaid(isPaidFirst: Bool) async throws {
    try await withStorage("hold ends \(isPaidFirst)") { rig in
      let race = try await rig.race(fee: 1_500)
      let persons = try await rig.persons(2)
      let payment = try await rig.enrol(persons[0], in: race).payment
      try await rig.enrol(persons[1], in: race)
      let end = Rig.now + 900_000_000
      let turn = try rig.connection()
      try turn.execute("BEGIN; SELECT FROM race WHERE id = \(race) FOR NO KEY UPDATE")
      try await withThrowingTaskGroup(of: Void.self) { group in
        let pay: @Sendable () async throws -> Void = { try await rig.told(.authorized, of: payment, at: end) }
        let expire: @Sendable () async throws -> Void = { try await rig.enrolments.lookAfterPlaces(at: end) }
        group.addTask(operation: isPaidFirst ? pay : expire)
        try await rig.waiting(1)
        group.addTask(operation: isPaidFirst ? expire : pay)
        try await rig.waiting(2)
        try turn.execute("COMMIT")
        try await group.waitForAll()
      }
      if isPaidFirst {
        #expect(try await rig.state(persons[0], in: race) == .enrolled)
        #expect(try rig.payment(payment) == [2, 2])
        #expect(try rig.news(persons[0]) == [18])
        #expect(try await rig.state(persons[1], in: race) == .waiting)
        #expect(try rig.places(of: race) == [1, 1, 1, 1])
      } else {
        #expect(try await rig.state(persons[0], in: race) == .expired)
        #expect(try rig.payment(payment) == [2, 3])
        #expect(try rig.news(persons[0]) == [20])
        #expect(try await rig.state(persons[1], in: race) == .awaitingPayment)
        #expect(try rig.places(of: race) == [1, 0, 1, 0])
      }
    }
  }

  @Test(
    "A-R21.1: nobody is captured after the gun: what is authorized then is not taken, and what was taken is paid back")
  func afterTheGun() async throws {
    try await withStorage { rig in
      let gun = Rig.now + 1_800_000_000
      let race = try await rig.race(capacity: 4, fee: 1_500, deadline: gun - 60_000_000, starts: gun)
      let persons = try await rig.persons(4)
      var payments: [String?] = []
      for person in persons { payments.append(try await rig.enrol(person, in: race, at: gun - 120_000_000).payment) }
      #expect(try await rig.enrolments.enrolment(of: persons[0], in: race)?.heldUntil == gun)

      try await rig.told(.authorized, of: payments[0], at: gun - 5_000_000)
      try await rig.told(.authorized, of: payments[1], at: gun)
      // Asked for before the gun, and given up since: what was taken all the same is paid back.
      try await rig.told(.authorized, of: payments[2], at: gun - 4_000_000)
      _ = try await rig.enrolments.withdraw(persons[2], from: race, at: gun - 60_000_001)
      try await rig.told(.captured, of: payments[2], at: gun)
      #expect(try rig.payment(payments[0]) == [2, 2])
      #expect(try rig.payment(payments[1]) == [2, 3])
      #expect(try rig.payment(payments[2]) == [3, 4])
      let states = try await [
        rig.state(persons[0], in: race), rig.state(persons[1], in: race), rig.state(persons[2], in: race),
      ]
      #expect(states == [.enrolled, .expired, .withdrawn])
      #expect(try rig.news(persons[0]) == [18])
      #expect(try rig.news(persons[1]) == [20])
      // What was decided before the gun is finished: the person has the place.
      try await rig.told(.captured, of: payments[0], at: gun + 5_000_000)
      #expect(try rig.payment(payments[0]) == [3, 0])
      // A hold that nobody paid for ends with the gun.
      #expect(try await rig.enrolments.lookAfterPlaces(at: gun) == 1)
      #expect(try rig.payment(payments[3]) == [1, 3])
      #expect(try rig.places(of: race) == [1, 0, 1, 0])
    }
  }

  @Test("A-R21.1: the gun does not wait for news that wait for their race")
  func gunWhileItWaits() async throws {
    try await withStorage { rig in
      let gun = Rig.now + 1_000_000
      let race = try await rig.race(fee: 1_500, deadline: gun - 500_000, starts: gun)
      let person = try await rig.persons(1)[0]
      let payment = try await rig.enrol(person, in: race).payment
      let turn = try rig.connection()
      try turn.execute("BEGIN; SELECT FROM race WHERE id = \(race) FOR NO KEY UPDATE")
      // Told a tenth of a second before the gun.
      async let settled = rig.told(.authorized, of: payment, at: gun - 100_000)
      try await rig.waiting(1)
      try turn.execute("SELECT pg_sleep(0.15); COMMIT")
      #expect(try await settled == .done)
      #expect(try rig.payment(payment) == [2, 3])
      #expect(try await rig.state(person, in: race) == .expired)
    }
  }
}
