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

/// Many registrations at once: one gets what all want, and nothing half-made is left (A-R1).
@Suite(.timeLimit(.minutes(5))) struct RegistrationRaceTests {
  @Test func oneUsernameGoesToOne() async throws {
    try await withServer { rig in
      let results = await reasons(of: 100) { index in
        var form = try personForm(index)
        form.username = index % 2 == 0 ? "winner" : "WINNER"
        _ = try await rig.identity.registerPerson(form)
      }
      #expect(results == ["OK": 1, "\(RPCCode.alreadyExists) USERNAME_TAKEN": 99])
      let counts = try ["account", "person", "notification"].map { try rig.count($0) }
      #expect(counts == [1, 1, 1])
    }
  }

  @Test func oneAddressAndOneFiscalCodeGoToOneAndTheOthersHearTheSame() async throws {
    try await withServer { rig in
      let code = try personForm(500).fiscalCode
      let results = await reasons(of: 30) { index in
        var form = try personForm(index)
        form.email = index % 2 == 0 ? "one@example.org" : "One@Example.ORG"
        form.fiscalCode = code
        _ = try await rig.identity.registerPerson(form)
      }
      #expect(results == ["OK": 30])
      let holders = try rig.connection().query(
        """
        SELECT (SELECT count(*) FROM account WHERE email IS NOT NULL AND claimed_email IS NULL),
          (SELECT count(*) FROM account WHERE email IS NULL AND claimed_email IS NOT NULL),
          (SELECT count(*) FROM person WHERE holds_fiscal_code),
          (SELECT count(*) FROM notification WHERE kind = 40), (SELECT count(*) FROM email_queue WHERE kind = 40)
        """, [])
      // Who has them is told once, although it is 29 times.
      #expect(try (0..<5).map { try holders.int64(0, $0) } == [1, 29, 1, 1, 1])
    }
  }

  @Test func oneCodeGoesToOneThirdParty() async throws {
    try await withServer { rig in
      let code = try await rig.code(as: try await rig.administrator())
      let results = await reasons(of: 100) { index in
        _ = try await rig.identity.registerThirdParty(thirdPartyForm(code: code, index))
      }
      #expect(results == ["OK": 1, "\(RPCCode.alreadyExists) CODE_USED": 99])
      #expect(try rig.count("account") == 2)
      #expect(try rig.count("notification") == 1)
      let used = try rig.connection().query("SELECT used_by FROM third_party_code WHERE used_at IS NOT NULL", [])
      #expect(used.rowCount == 1)
    }
  }

  @Test func oneRequestSentAHundredTimesMakesOneAccount() async throws {
    try await withServer { rig in
      let form = try personForm(requestID: "again and again")
      let results = await reasons(of: 100) { _ in _ = try await rig.identity.registerPerson(form) }
      #expect(results == ["OK": 100])
      #expect(try rig.count("account") == 1)
      #expect(try rig.count("notification") == 1)
    }
  }

  @Test func aFormThatChangesMeanwhileIsStillEnforced() async throws {
    try await withServer { rig in
      let administrator = try await rig.administrator()
      let old = try await rig.identity.getRegistrationForm(.init(kind: .person))
      let field = Trackme_Identity_V1_FormField(name: "blood", label: "Blood", type: .text, required: true)
      async let change: Void = {
        _ = try await rig.admin.updateRegistrationForm(
          .init(kind: .person, etag: old.etag, fields: [field]), metadata: administrator)
      }()
      let results = await reasons(of: 40) { index in _ = try await rig.identity.registerPerson(try personForm(index)) }
      try await change
      #expect(results.keys.allSatisfy { $0 == "OK" || $0 == "\(RPCCode.invalidArgument) INVALID_ARGUMENT" })
      #expect(await fields { _ = try await rig.identity.registerPerson(try personForm(99)) } == ["fields"])
      let persons = try rig.count("person")
      #expect(persons == Int64(results["OK", default: 0]))
    }
  }
}
