import Domain
import IdentityRules
import Postgres
import RPCRuntime
import ServiceAPI
import SosRules
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

@Suite(.timeLimit(.minutes(5))) struct SosSettingsTests {
  @Test("A-R14: registration turns it on for persons of 60 and over on that day")
  func registration() async throws {
    try await withServer { rig in
      let today = try #require(CalendarDate(utc: ServiceRig.now))
      let sixty = try #require(CalendarDate(year: today.year - 60, month: today.month, day: min(today.day, 28)))
      for (number, days) in [-366, -1, 0, 1, 366].enumerated() {
        let born = try #require(sixty.adding(days: days + (today.day - min(today.day, 28))))
        var form = try personForm(number)
        form.dateOfBirth = born.text
        form.fiscalCode = try FiscalCode(
          familyName: form.familyName, givenNames: form.givenNames, dateOfBirth: born, sex: .female,
          place: "H\(100 + number)"
        ).text
        _ = try await rig.identity.registerPerson(form)
        let caller = try await rig.logIn(form.username).metadata
        let settings = try await rig.sosClient.getSosSettings(.init(), metadata: caller)
        #expect(settings.settings?.enabled == (born.age(on: today) >= 60), "born \(born.text)")
        #expect(settings.settings?.enabled == (days <= 0), "born \(born.text)")
        #expect(settings.dispatchStatus == .exercise)
      }
    }
  }

  @Test("A-R13, B-UC.1: a choice at registration counts at every age, and readings are checked from the answer on")
  func chosen() async throws {
    try await withServer { rig in
      let cases: [(years: Int, choice: Trackme_Identity_V1_SosChoice, isOn: Bool)] = [
        (30, .on, true), (30, .off, false), (30, .unspecified, false), (70, .on, true), (70, .off, false),
        (70, .unspecified, true),
      ]
      for (number, (years, choice, isOn)) in cases.enumerated() {
        let born = try #require(CalendarDate(year: 2023 - years, month: 1, day: 2))
        var form = try personForm(number, requestID: "r")
        form.dateOfBirth = born.text
        form.fiscalCode = try FiscalCode(
          familyName: form.familyName, givenNames: form.givenNames, dateOfBirth: born, sex: .female,
          place: "H\(100 + number)"
        ).text
        form.automatedSos = choice
        let person = try #require(try await rig.identity.registerPerson(form).account).accountID
        #expect((rig.monitor[person] != nil) == isOn, "\(years), \(choice)")
        let caller = try await rig.logIn(form.username).metadata
        let settings = try await rig.sosClient.getSosSettings(.init(), metadata: caller)
        #expect(settings.settings?.enabled == isOn && settings.etag == "1", "\(years), \(choice)")
        // A repeat has the first answer, and changes no choice.
        form.automatedSos = isOn ? .off : .on
        #expect(try await rig.identity.registerPerson(form).account?.accountID == person)
        #expect((rig.monitor[person] != nil) == isOn)
      }
      var form = try personForm(9)
      form.automatedSos = .unrecognized(3)
      #expect(await fields { _ = try await rig.identity.registerPerson(form) } == ["automated_sos"])
    }
  }

  @Test("A-R13: settings are changed as a whole, from the state that is known, and hold at once")
  func update() async throws {
    try await withServer { rig in
      let (person, caller) = try await rig.member("ada")
      let first = try await rig.sosClient.getSosSettings(.init(), metadata: caller)
      #expect(first.settings == .init(silence: .init()))
      #expect(rig.monitor[person] == nil)
      // States are the server's word.
      var wanted = Trackme_Sos_V1_SosSettings(
        enabled: true, callbackNumber: "+393331234567",
        contacts: [
          .init(name: "Bea", phoneNumber: "+393331234568", phoneState: .confirmed, emailState: .confirmed),
          .init(name: "Carlo", phoneNumber: "+393331234569", email: "carlo@example.org"),
        ], silence: .init(notifyAfterMinutes: 10, callAfterMinutes: 1_440), usesOxygenScale2: true,
        usesSupplementalOxygen: true)
      let changed = try await rig.sosClient.updateSosSettings(
        .init(settings: wanted, etag: first.etag), metadata: caller)
      wanted.contacts[0].phoneState = .waiting
      wanted.contacts[0].emailState = .unspecified
      wanted.contacts[1].phoneState = .waiting
      wanted.contacts[1].emailState = .waiting
      #expect(changed.settings == wanted && changed.etag != first.etag)
      #expect(rig.monitor[person]?.settings.contacts == [])
      #expect(rig.monitor[person]?.settings.silence == SilenceRule(notifyAfterMinutes: 10, callAfterMinutes: 1_440))
      #expect(rig.monitor[person]?.dateOfBirth?.text == "1980-12-31")
      let stale = await status {
        _ = try await rig.sosClient.updateSosSettings(.init(settings: wanted, etag: first.etag), metadata: caller)
      }
      #expect(stale?.code == .aborted && stale?.errorInfo?.reason == "STALE_ETAG")
      #expect(try await rig.sosClient.getSosSettings(.init(), metadata: caller).settings == wanted)
      _ = try await rig.update(caller) { $0.enabled = false }
      #expect(rig.monitor[person] == nil)
    }
  }

  @Test("A-R13: of two changes from one state, one counts")
  func race() async throws {
    try await withServer { rig in
      let (_, caller) = try await rig.member("ada")
      let etag = try await rig.sosClient.getSosSettings(.init(), metadata: caller).etag
      let outcomes = await reasons(of: 8) { number in
        let settings = Trackme_Sos_V1_SosSettings(callbackNumber: "+39333123456\(number)")
        _ = try await rig.sosClient.updateSosSettings(.init(settings: settings, etag: etag), metadata: caller)
      }
      #expect(outcomes["OK"] == 1 && outcomes.values.reduce(0, +) == 8 && outcomes.count == 2)
    }
  }

  @Test("what is wrong with settings is named field by field")
  func violations() async throws {
    try await withServer { rig in
      let (_, caller) = try await rig.member("ada")
      func refused(_ settings: Trackme_Sos_V1_SosSettings?, etag: String = "1") async -> [String] {
        await fields {
          _ = try await rig.sosClient.updateSosSettings(.init(settings: settings, etag: etag), metadata: caller)
        }
      }
      #expect(await refused(nil, etag: "") == ["etag", "settings"])
      #expect(
        await refused(
          .init(
            callbackNumber: "0333 1234",
            contacts: [
              .init(name: "", phoneNumber: "+1"), .init(name: "Bea"), .init(name: "Carlo", email: "carlo"),
              .init(name: "Dora\n", phoneNumber: "+393331234567"),
            ], silence: .init(notifyAfterMinutes: 1_441, callAfterMinutes: -1)))
          == [
            "settings.callback_number", "settings.contacts[0].name", "settings.contacts[0].phone_number",
            "settings.contacts[1]", "settings.contacts[2].email", "settings.contacts[3].name",
            "settings.silence.notify_after_minutes", "settings.silence.call_after_minutes",
          ])
      let contact = Trackme_Sos_V1_EmergencyContact(name: "Bea", phoneNumber: "+393331234567")
      #expect(await refused(.init(contacts: Array(repeating: contact, count: 6))) == ["settings.contacts"])
      #expect(
        await refused(.init(silence: .init(notifyAfterMinutes: 0, callAfterMinutes: 5)))
          == ["settings.silence.call_after_minutes"])
    }
  }

  @Test("only persons with accounts have settings, and nobody else may ask")
  func callers() async throws {
    try await withServer { rig in
      _ = try await rig.account("clinic", kind: .thirdParty)
      let (_, bridge) = try await rig.bridge()
      for (caller, code) in [
        ([:], .unauthenticated), (ServiceRig.asOperator, .permissionDenied), (bridge, .permissionDenied),
        (try await rig.logIn("clinic").metadata, .permissionDenied),
        (try await rig.token(for: 7), RPCCode.failedPrecondition),
      ] as [(Metadata, RPCCode)] {
        let calls: [() async throws -> Void] = [
          { _ = try await rig.sosClient.getSosSettings(.init(), metadata: caller) },
          {
            _ = try await rig.sosClient.updateSosSettings(.init(settings: .init(), etag: "1"), metadata: caller)
          },
          { _ = try await rig.sosClient.listThresholds(.init(), metadata: caller) },
          {
            _ = try await rig.sosClient.setThreshold(
              .init(threshold: .init(metric: "heart_rate")), metadata: caller)
          },
          { _ = try await rig.sosClient.resetThreshold(.init(metric: "heart_rate"), metadata: caller) },
          {
            let to = Google_Protobuf_Timestamp(ServiceRig.now + 1)
            _ = try await rig.sosClient.declareExertion(.init(to: to), metadata: caller)
          },
        ]
        for call in calls { #expect(await status(call)?.code == code) }
      }
    }
  }

  @Test("SetDispatchStatus holds at once, for the desk and for what persons read")
  func dispatchStatus() async throws {
    try await withServer { rig in
      let (_, caller) = try await rig.member("ada")
      let administrator = try await rig.administrator()
      for status in [Trackme_Sos_V1_DispatchStatus.actual, .exercise] {
        _ = try await rig.admin.setDispatchStatus(.init(status: status, reason: "Go"), metadata: administrator)
        #expect(rig.desk.status.rawValue == status.rawValue)
        #expect(try await rig.sosClient.getSosSettings(.init(), metadata: caller).dispatchStatus == status)
      }
    }
  }

  @Test("C-23: a person who leaves is watched no more, and is forgotten")
  func leaving() async throws {
    try await withServer { rig in
      let (person, caller) = try await rig.member("ada")
      _ = try await rig.update(caller) { $0.enabled = true }
      #expect(rig.monitor[person] != nil)
      rig.desk.put(.sample(person))
      _ = try await rig.identity.deactivateAccount(.init(password: ServiceRig.password), metadata: caller)
      try await rig.sos.roster.refresh()
      #expect(rig.monitor[person] == nil)
      try await rig.sos.forget(person)
      #expect(rig.desk.active().isEmpty)
    }
  }
}
