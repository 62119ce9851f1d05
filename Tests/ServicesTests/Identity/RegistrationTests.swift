import Domain
import Postgres
import RPCRuntime
import ServiceAPI
import Testing
import TestSupport
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

/// Registration by the current form: A-R1, A-R2, A-R3.
@Suite(.timeLimit(.minutes(5))) struct RegistrationTests {
  @Test func aPersonRegistersLogsInAndIsTold() async throws {
    try await withServer { rig in
      var form = try personForm()
      form.fields = values(["address": "Via Roma 1", "working_hours_per_day": "7.5", "social_status": ""])
      let account = try #require(try await rig.identity.registerPerson(form).account)
      #expect(account.accountID > 1_000_000_000 && account.kind == .person)
      #expect(account.username == "maria0" && account.email == "maria0@example.org" && !account.etag.isEmpty)
      #expect(account.fields == values(["address": "Via Roma 1", "working_hours_per_day": "7.5"]))
      guard case .person(let person) = account.details else { throw WaitedInVain() }
      #expect(person.fiscalCode == form.fiscalCode.uppercased() && person.dateOfBirth == "1980-05-17")
      #expect(person.givenNames == "Maria Teresa" && person.sex == .female && person.weightKg == 61.5)
      let session = try await rig.logIn("MARIA0@example.org")
      #expect(session.accountID == account.accountID && session.kind == .person)
      let inbox = try rig.connection().query("SELECT account, kind FROM notification", [])
      #expect(inbox.rowCount == 1)
      #expect(try inbox.int64(0, 0) == account.accountID)
      #expect(try inbox.int64(0, 1) == 1)
    }
  }

  @Test func whatAnAreaAddsIsThereWithTheAccountOrThereIsNeither() async throws {
    try await withServer { rig in
      rig.house[IdentityArea.self].additions.add(
        RegistrationAddition { request, age, violations in
          if request.weightKg == 99 { violations.add("weight_kg", "must not be 99 at age \(age ?? 0)") }
          return { connection, account in
            guard request.heightCm != 200 else { throw RPCStatus.failure(.aborted, reason: "REFUSED", message: "no") }
            _ = try connection.query("UPDATE person SET weight_kg = 77 WHERE account = $1", [.int8(account)])
          }
        } registered: {
        })
      var form = try personForm()
      form.weightKg = 99
      #expect(await fields { _ = try await rig.identity.registerPerson(form) } == ["weight_kg"])
      form.weightKg = 60
      form.heightCm = 200
      #expect(await status { _ = try await rig.identity.registerPerson(form) }?.errorInfo?.reason == "REFUSED")
      #expect(try rig.count("account") == 0)
      form.heightCm = 170
      _ = try await rig.identity.registerPerson(form)
      #expect(try rig.connection().query("SELECT weight_kg FROM person", []).double(0, 0) == 77)
    }
  }

  @Test func aThirdPartyRegistersOnceWithItsCode() async throws {
    try await withServer { rig in
      let administrator = try await rig.administrator()
      let code = try await rig.code(as: administrator)
      #expect(code.count == 16 && code.allSatisfy { "23456789ABCDEFGHJKMNPQRSTUVWXYZ".contains($0) })
      let typed = code.lowercased().prefix(4) + "-" + code.dropFirst(4).prefix(4) + " " + code.dropFirst(8)
      var form = thirdPartyForm(code: String(typed))
      form.fields = values(["website": "https://clinic.example"])
      let account = try #require(try await rig.identity.registerThirdParty(form).account)
      #expect(account.kind == .thirdParty)
      guard case .thirdParty(let details) = account.details else { throw WaitedInVain() }
      #expect(details.name == "Clinic" && details.description == "A clinic.\nFor hearts.")
      #expect(try await rig.logIn("clinic0").kind == .thirdParty)

      let again = await status { _ = try await rig.identity.registerThirdParty(thirdPartyForm(code: code, 1)) }
      #expect(again?.code == .alreadyExists && again?.errorInfo?.reason == "CODE_USED")
      #expect(again?.fieldViolations.map(\.field) == ["code"])
      #expect(try rig.count("account") == 2)
      #expect(try rig.connection().query("SELECT code_sha256 FROM third_party_code", []).bytes(0, 0).count == 32)
    }
  }

  @Test func unknownAndExpiredCodesAreRefusedAlike() async throws {
    try await withServer { rig in
      let administrator = try await rig.administrator()
      let code = try await rig.code(as: administrator)
      try rig.connection().query("UPDATE third_party_code SET expires_at = now()", [])
      var statuses: [RPCStatus?] = []
      for text in [code, "22222222AAAAAAAA"] {
        statuses.append(await status { _ = try await rig.identity.registerThirdParty(thirdPartyForm(code: text)) })
      }
      #expect(statuses[0]?.code == .invalidArgument && statuses[0]?.fieldViolations.map(\.field) == ["code"])
      #expect(statuses[0] == statuses[1])
      for text in ["", "short", "IIIIIIIIIIIIIIII", String(repeating: "A", count: 17), "' OR true --"] {
        #expect(await fields { _ = try await rig.identity.registerThirdParty(thirdPartyForm(code: text)) } == ["code"])
      }
    }
  }

  @Test func everythingWrongIsSaidAtOnceWithItsField() async throws {
    try await withServer { rig in
      _ = try await rig.account("maria0")
      let bad = Trackme_Identity_V1_RegisterPersonRequest(
        requestID: String(repeating: "x", count: 65), username: "MARIA0", email: "nobody", password: "short",
        givenNames: "", familyName: "a\u{7}", fiscalCode: "RSSMRA80A41H501X", dateOfBirth: "1980-02-30",
        sex: .unspecified, weightKg: .nan, heightCm: -1,
        fields: values(["working_hours_per_day": "25", "nothing": "1", "address": "ok"]))
      #expect(
        await fields { _ = try await rig.identity.registerPerson(bad) }
          == [
            "request_id", "email", "password", "fields[0].value", "fields[1].name", "given_names", "family_name",
            "date_of_birth", "sex", "weight_kg", "height_cm", "fiscal_code",
          ])
      #expect(
        await fields { _ = try await rig.identity.registerPerson(.init()) }
          == [
            "username", "email", "password", "given_names", "family_name", "date_of_birth", "sex", "weight_kg",
            "height_cm", "fiscal_code",
          ])
      #expect(
        await fields { _ = try await rig.identity.registerThirdParty(.init()) }
          == ["username", "email", "password", "description", "code"])
    }
  }

  @Test func theFiscalCodeMustFitTheForm() async throws {
    try await withServer { rig in
      let right = try personForm()
      let changes: [(inout Trackme_Identity_V1_RegisterPersonRequest) -> Void] = [
        { $0.dateOfBirth = "1980-05-18" }, { $0.dateOfBirth = "1979-05-17" }, { $0.sex = .male },
        { $0.familyName = "Bianchi" }, { $0.givenNames = "Maria" },
      ]
      for change in changes {
        var form = right
        change(&form)
        #expect(await fields { _ = try await rig.identity.registerPerson(form) } == ["fiscal_code"])
      }
      var foreign = right
      foreign.familyName = "Данжело"
      #expect(await fields { _ = try await rig.identity.registerPerson(foreign) } == ["family_name"])
      var unborn = right
      unborn.dateOfBirth = "2080-05-17"
      #expect(await fields { _ = try await rig.identity.registerPerson(unborn) } == ["date_of_birth"])
      unborn.dateOfBirth = "1880-05-17"
      #expect(await fields { _ = try await rig.identity.registerPerson(unborn) } == ["date_of_birth"])
      #expect(try rig.count("account") == 0)
    }
  }

  @Test func aUsernameThatIsTakenIsTold() async throws {
    try await withServer { rig in
      _ = try await rig.identity.registerPerson(try personForm())
      var same = try personForm()
      same.username = "MARIA0"
      let taken = await status { _ = try await rig.identity.registerPerson(same) }
      #expect(taken?.code == .alreadyExists && taken?.errorInfo?.reason == "USERNAME_TAKEN")
      // Not what else the other account has.
      #expect(taken?.fieldViolations.map(\.field) == ["username"])
      #expect(try rig.count("account") == 1)
      #expect(try rig.count("notification") == 1)
    }
  }

  @Test func theSameRequestIDAndPasswordGiveTheFirstAnswer() async throws {
    try await withServer { rig in
      let form = try personForm(requestID: "r-1")
      let first = try await rig.identity.registerPerson(form)
      #expect(try await rig.identity.registerPerson(form) == first)
      var stranger = form
      stranger.password = "another horse battery"
      #expect(await reason { _ = try await rig.identity.registerPerson(stranger) } == "USERNAME_TAKEN")
      var other = form
      other.requestID = "r-2"
      #expect(await reason { _ = try await rig.identity.registerPerson(other) } == "USERNAME_TAKEN")
      // Request ids of strangers have nothing to do with each other.
      #expect(try await rig.identity.registerPerson(try personForm(1, requestID: "r-1")) != first)
      #expect(try rig.count("account") == 2)
      #expect(try rig.count("notification") == 2)
      // For a day.
      for (hours, isRepeat) in [(23, true), (2, false)] {
        try rig.connection().execute("UPDATE account SET created_at = created_at - interval '\(hours) hours'")
        let outcome = await reason { _ = try await rig.identity.registerPerson(form) }
        #expect(outcome == (isRepeat ? nil : "USERNAME_TAKEN"))
      }
    }
  }

  @Test func theFormIsTheOneThatIsCurrent() async throws {
    try await withServer { rig in
      let administrator = try await rig.administrator()
      let form = try await rig.identity.getRegistrationForm(.init(kind: .person))
      #expect(
        form.fields.map(\.name) == [
          "social_status", "address", "working_hours_per_day", "sport_hours_per_week",
        ])
      #expect(form.fields[3].maximum == 168 && form.fields.allSatisfy { !$0.required })
      #expect(
        try await rig.identity.getRegistrationForm(.init(kind: .thirdParty)).fields.map(\.name)
          == ["website", "research_interests"])
      for kind in [Trackme_Identity_V1_AccountKind.unspecified, .bridge, .administrator, .unrecognized(77)] {
        #expect(await fields { _ = try await rig.identity.getRegistrationForm(.init(kind: kind)) } == ["kind"])
      }

      let blood = Trackme_Identity_V1_FormField(
        name: "blood", label: "Blood group", type: .choice, required: true, choices: ["A", "B", "AB", "0"])
      _ = try await rig.admin.updateRegistrationForm(
        .init(kind: .person, etag: form.etag, fields: [blood]), metadata: administrator)
      var person = try personForm()
      #expect(await fields { _ = try await rig.identity.registerPerson(person) } == ["fields"])
      person.fields = values(["blood": "C"])
      #expect(await fields { _ = try await rig.identity.registerPerson(person) } == ["fields[0].value"])
      person.fields = values(["address": "Como", "blood": "AB"])
      #expect(await fields { _ = try await rig.identity.registerPerson(person) } == ["fields[0].name"])
      person.fields = values(["blood": "AB"])
      let account = try #require(try await rig.identity.registerPerson(person).account)
      #expect(account.fields == values(["blood": "AB"]))

      // And of a change of the account.
      let session = try await rig.logIn("maria0")
      let change = Trackme_Identity_V1_UpdateAccountRequest(etag: account.etag, fields: values(["blood": ""]))
      #expect(
        await fields { _ = try await rig.identity.updateAccount(change, metadata: session.metadata) }
          == ["fields[0].value"])
    }
  }

  @Test func hostileTextChangesNothing() async throws {
    try await withServer { rig in
      for text in ["'; DELETE FROM account; --", "\" OR 1=1", "\u{202E}abc", String(repeating: "x", count: 100_000)] {
        var form = try personForm()
        (form.username, form.email, form.fiscalCode, form.dateOfBirth) = (text, text, text, text)
        (form.givenNames, form.familyName, form.fields) = (text, text, values([text: text]))
        let status = await status { _ = try await rig.identity.registerPerson(form) }
        #expect(status?.code == .invalidArgument)
        let faults = Set(status.map { $0.fieldViolations.map(\.field) } ?? [])
        #expect(faults.isSuperset(of: ["username", "email", "fiscal_code"]))
      }
      #expect(try rig.count("account") == 0)
    }
  }
}
