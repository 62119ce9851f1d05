import Domain
import Postgres
import RPCRuntime
import ServiceAPI
import Testing
import WireCodec

@testable import Admin
@testable import AreaKit
@testable import Identity
@testable import Log
@testable import Notifications
@testable import Races
@testable import Readings
@testable import ServiceKit
@testable import Sharing
@testable import Sos

/// Registration tells nobody who is registered: whoever asks hears the same, and the truth goes by mail.
@Suite(.timeLimit(.minutes(5))) struct RegistrationSecretsTests {
  /// What an answer says beside what was sent.
  private func plain(_ account: Trackme_Identity_V1_Account?) throws -> Trackme_Identity_V1_Account {
    var account = try #require(account)
    #expect(account.accountID > 1_000_000_000 && account.created != nil)
    (account.accountID, account.username, account.created) = (0, "", nil)
    return account
  }

  /// Two forms of one woman that differ in the username alone.
  private func twin(_ form: Trackme_Identity_V1_RegisterPersonRequest) -> Trackme_Identity_V1_RegisterPersonRequest {
    var twin = form
    twin.username = "newcomer"
    return twin
  }

  @Test func aKnownAddressAndFiscalCodeAreAnsweredLikeNewOnes() async throws {
    try await withServer { rig in
      let form = try personForm()
      let first = try await rig.identity.registerPerson(form).account
      let second = try await rig.identity.registerPerson(twin(form)).account
      #expect(try plain(first) == plain(second))

      // And goes on like it: it logs in, and says of itself what was registered.
      let session = try await rig.logIn("newcomer")
      #expect(session.accountID == second?.accountID)
      #expect(try await rig.identity.getAccount(.init(), metadata: session.metadata).account == second)
      let inbox = try await rig.notifications.listNotifications(.init(), metadata: session.metadata)
      #expect(inbox.notifications.map(\.kind) == [.registered])
    }
  }

  @Test func whoIsRegisteredIsToldByMailOnceADay() async throws {
    try await withServer { rig in
      let form = try personForm()
      let first = try #require(try await rig.identity.registerPerson(form).account)
      // By the code alone, the address alone, both; a person and a third party.
      var byCode = twin(form)
      byCode.email = "else@example.org"
      var third = thirdPartyForm(code: try await rig.code(as: try await rig.administrator()))
      third.email = form.email.uppercased()
      _ = try await rig.identity.registerPerson(byCode)
      func mails() throws -> [String] {
        let rows = try rig.connection().query(
          "SELECT account || ' ' || address || ' ' || kind FROM email_queue WHERE kind IN (1, 40) ORDER BY id", [])
        return try (0..<rows.rowCount).map { try rows.string($0, 0) }
      }
      let told = "\(first.accountID) \(form.email) 40"
      #expect(
        try mails().map { $0.drop { $0 != " " } } == [" \(form.email) 1", " else@example.org 1", " \(form.email) 40"])
      #expect(try mails().last == told)
      _ = try await rig.identity.registerThirdParty(third)
      #expect(try mails().count == 3)
      try rig.connection().execute("UPDATE notification SET created_at = created_at - interval '25 hours'")
      var again = try personForm(7)
      again.email = form.email
      _ = try await rig.identity.registerPerson(again)
      #expect(try mails().count == 4 && mails().last == told)

      let session = try await rig.logIn(form.email)
      #expect(session.accountID == first.accountID)
      let inbox = try await rig.notifications.listNotifications(.init(), metadata: session.metadata)
      #expect(inbox.notifications.map(\.kind) == [.registeredAgain, .registeredAgain, .registered])
      #expect(inbox.notifications[0].text.contains("its username is \(first.username)."))
      #expect(!inbox.notifications[0].text.uppercased().contains(form.fiscalCode.uppercased()))
    }
  }

  @Test func aFormThatIsWrongIsAnsweredFromItselfAlone() async throws {
    try await withServer { rig in
      let known = try personForm()
      _ = try await rig.identity.registerPerson(known)
      for isKnown in [true, false] {
        var form = try personForm(isKnown ? 0 : 1)
        form.weightKg = 0
        let end = await status { _ = try await rig.identity.registerPerson(form) }
        #expect(end?.code == .invalidArgument && end?.fieldViolations.map(\.field) == ["weight_kg"])
        var third = thirdPartyForm(code: "short")
        (third.username, third.email) = (form.username, form.email)
        #expect(await fields { _ = try await rig.identity.registerThirdParty(third) } == ["code"])
      }
      #expect(try rig.count("email_queue") == 1)
    }
  }

  @Test func whatIsKnownTakesNoOtherTimeThanWhatIsNew() async throws {
    try await withServer { rig in
      let known = try personForm()
      _ = try await rig.identity.registerPerson(known)
      let changes: [(inout Trackme_Identity_V1_RegisterPersonRequest) -> Void] = [
        { _ in }, { $0.email = known.email }, { $0.fiscalCode = known.fiscalCode }, { $0.username = known.username },
      ]
      // Of each the shortest of nine, by turns: a busy machine only ever adds.
      var shortest = Array(repeating: Duration.seconds(60), count: changes.count)
      for number in 0..<9 {
        for (index, change) in changes.enumerated() {
          var form = try personForm(100 * (index + 1) + number)
          change(&form)
          let began = ContinuousClock.now
          _ = await status { _ = try await rig.identity.registerPerson(form) }
          shortest[index] = min(shortest[index], .now - began)
        }
      }
      let new = shortest[0]
      for time in shortest.dropFirst() { #expect(time > new / 3 && time < new * 3) }
    }
  }

  @Test func theAccountThatCameSecondHasTheCodeAndTheAddressInNameOnly() async throws {
    try await withServer { rig in
      let form = try personForm()
      let first = try #require(try await rig.identity.registerPerson(form).account)
      _ = try await rig.identity.registerPerson(twin(form))
      func found() async throws -> PersonID? {
        try await rig.storage.access.adult(withFiscalCode: form.fiscalCode.uppercased(), on: ServiceRig.now)
      }
      #expect(try await found() == first.accountID)
      let mails = try rig.connection().query("SELECT DISTINCT account FROM email_queue", [])
      #expect(mails.rowCount == 1)
      #expect(try mails.int64(0, 0) == first.accountID)
      // Also when the first one has gone.
      _ = try rig.connection().query("UPDATE account SET state = 'deactivated' WHERE id = $1", [.int8(first.accountID)])
      #expect(try await found() == nil)
    }
  }

  @Test func theSameRequestIDGivesTheFirstAnswerAlsoOfWhoCameSecond() async throws {
    try await withServer { rig in
      _ = try await rig.identity.registerPerson(try personForm())
      var form = twin(try personForm())
      form.requestID = "r-1"
      let first = try await rig.identity.registerPerson(form)
      #expect(try await rig.identity.registerPerson(form) == first)
      #expect(try rig.count("account") == 2)
    }
  }

  @Test func anAccountThatTakesAnAddressHearsTheSame() async throws {
    try await withServer { rig in
      let first = try #require(try await rig.identity.registerPerson(try personForm()).account)
      let second = try #require(try await rig.identity.registerPerson(try personForm(1)).account)
      let session = try await rig.logIn(second.username)
      func move(to email: String, _ etag: String) async throws -> Trackme_Identity_V1_Account {
        let update = Trackme_Identity_V1_UpdateAccountRequest(etag: etag, email: email)
        let answer = try await rig.identity.updateAccount(update, metadata: session.metadata).account
        #expect(answer?.email == email)
        return try #require(answer)
      }
      let taken = try await move(to: first.email.uppercased(), second.etag)
      #expect(try await rig.logIn(first.email).accountID == first.accountID)
      let told = try rig.connection().query("SELECT account FROM email_queue WHERE kind = 40", [])
      #expect(told.rowCount == 1)
      #expect(try told.int64(0, 0) == first.accountID)
      // Its own one in another case is nobody else's; and one that is free is its own again.
      let own = try await move(to: "free@example.org", taken.etag)
      _ = try await move(to: "Free@example.org", own.etag)
      #expect(try await rig.logIn("free@example.org").accountID == second.accountID)
      #expect(try rig.connection().query("SELECT FROM email_queue WHERE kind = 40", []).rowCount == 1)
    }
  }
}
