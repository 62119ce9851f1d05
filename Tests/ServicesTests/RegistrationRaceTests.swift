import Postgres
import RPCRuntime
import ServiceAPI
import Testing
import WireCodec

@testable import Services

/// A hundred registrations at once: one wins, the others are told what is taken, and nothing half-made is left (A-R1).
@Suite(.timeLimit(.minutes(5))) struct RegistrationRaceTests {
  @Test func oneUsernameGoesToOne() async throws {
    try await race(reason: "USERNAME_TAKEN") { $0.username = $1 % 2 == 0 ? "winner" : "WINNER" }
  }

  @Test func oneAddressGoesToOne() async throws {
    try await race(reason: "EMAIL_TAKEN") { $0.email = $1 % 2 == 0 ? "one@example.org" : "One@Example.ORG" }
  }

  @Test func oneFiscalCodeGoesToOne() async throws {
    let code = try personForm(500).fiscalCode
    try await race(reason: "FISCAL_CODE_TAKEN") { form, _ in form.fiscalCode = code }
  }

  private func race(
    reason: String, _ name: String = #function,
    _ change: @escaping @Sendable (inout Trackme_Identity_V1_RegisterPersonRequest, Int) -> Void
  ) async throws {
    try await withServer(name) { rig in
      let results = await reasons(of: 100) { index in
        var form = try personForm(index)
        change(&form, index)
        _ = try await rig.identity.registerPerson(form)
      }
      #expect(results == ["OK": 1, "\(RPCCode.alreadyExists) \(reason)": 99])
      let counts = try ["account", "person", "notification"].map { try rig.count($0) }
      #expect(counts == [1, 1, 1])
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
