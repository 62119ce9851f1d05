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

/// What administrators do: A-admin, A-R3, B-3.7.4.
@Suite(.timeLimit(.minutes(5))) struct AdminServiceTests {
  @Test func nobodyElseMayDoAnyOfIt() async throws {
    try await withServer { rig in
      let person = try await rig.account("ada")
      _ = try await rig.account("clinic", kind: .thirdParty)
      let (_, bridge) = try await rig.bridge()
      let callers: [(Metadata, RPCCode)] = [
        ([:], .unauthenticated), (ServiceRig.asOperator, .permissionDenied), (bridge, .permissionDenied),
        (try await rig.token(for: person), .permissionDenied), (try await rig.logIn("ada").metadata, .permissionDenied),
        (try await rig.logIn("clinic").metadata, .permissionDenied),
      ]
      for (caller, code) in callers {
        let calls: [() async throws -> Void] = [
          { _ = try await rig.admin.issueThirdPartyCode(.init(), metadata: caller) },
          { _ = try await rig.admin.listThirdPartyCodes(.init(), metadata: caller) },
          { _ = try await rig.admin.updateRegistrationForm(.init(), metadata: caller) },
          { _ = try await rig.admin.putMetric(.init(), metadata: caller) },
          { _ = try await rig.admin.createBridge(.init(), metadata: caller) },
          { _ = try await rig.admin.revokeBridge(.init(), metadata: caller) },
          { _ = try await rig.admin.listPrograms(.init(kind: .bridge), metadata: caller) },
          { _ = try await rig.admin.announceMaintenance(.init(), metadata: caller) },
        ]
        for call in calls { #expect(await status(call)?.code == code) }
      }
    }
  }

  @Test func codesAreShownOnceAndListedByPages() async throws {
    try await withServer { rig in
      let caller = try await rig.administrator()
      for index in 1...5 {
        let issued = try await rig.admin.issueThirdPartyCode(
          .init(requestID: "r\(index)", company: "Company \(index)", lifetimeDays: 7, kind: .company), metadata: caller)
        #expect(issued.thirdPartyCode?.company == "Company \(index)" && issued.thirdPartyCode?.used == nil)
        let (from, to) = (issued.thirdPartyCode?.issued?.seconds ?? 0, issued.thirdPartyCode?.expires?.seconds ?? 0)
        #expect(to - from == 7 * 86_400)
      }
      let again = await status {
        _ = try await rig.admin.issueThirdPartyCode(
          .init(requestID: "r2", company: "Company 2", kind: .company), metadata: caller)
      }
      #expect(again?.code == .alreadyExists && again?.errorInfo?.metadata.first?.value == "2")
      let first = try await rig.admin.listThirdPartyCodes(.init(pageSize: 3), metadata: caller)
      #expect(first.thirdPartyCodes.map(\.company) == ["Company 5", "Company 4", "Company 3"])
      let second = try await rig.admin.listThirdPartyCodes(
        .init(pageSize: 3, pageToken: first.nextPageToken), metadata: caller)
      #expect(second.thirdPartyCodes.map(\.company) == ["Company 2", "Company 1"] && second.nextPageToken.isEmpty)
      #expect(
        await fields { _ = try await rig.admin.listThirdPartyCodes(.init(pageToken: "x"), metadata: caller) }
          == ["page_token"])
      #expect(
        await fields {
          _ = try await rig.admin.issueThirdPartyCode(
            .init(requestID: "\u{1}", company: "", lifetimeDays: 366), metadata: caller)
        } == ["request_id", "company", "kind", "lifetime_days"])
      #expect(
        await fields {
          _ = try await rig.admin.issueThirdPartyCode(
            .init(company: "A", lifetimeDays: -1, kind: .company), metadata: caller)
        } == ["lifetime_days"])
    }
  }

  @Test func aFormIsReplacedUnlessSomebodyElseWasFaster() async throws {
    try await withServer { rig in
      let caller = try await rig.administrator()
      let form = try await rig.identity.getRegistrationForm(.init(kind: .thirdParty))
      let fields: [Trackme_Identity_V1_FormField] = [
        .init(name: "beds", label: "Beds", type: .number, required: true, minimum: 1, maximum: 5_000),
        .init(name: "kind", label: "Kind", type: .choice, choices: ["public", "it's \"private\""]),
      ]
      let changed = try await rig.admin.updateRegistrationForm(
        .init(kind: .thirdParty, etag: form.etag, fields: fields), metadata: caller)
      #expect(changed.fields == fields && changed.etag != form.etag)
      let now = try await rig.identity.getRegistrationForm(.init(kind: .thirdParty))
      #expect(now.fields == fields && now.etag == changed.etag)
      for etag in [form.etag, "nonsense", "-1", "99"] {
        let stale = await status {
          _ = try await rig.admin.updateRegistrationForm(
            .init(kind: .thirdParty, etag: etag, fields: []), metadata: caller)
        }
        #expect(stale?.code == .aborted && stale?.errorInfo?.reason == "STALE_ETAG")
      }
      let results = await reasons(of: 20) { _ in
        _ = try await rig.admin.updateRegistrationForm(
          .init(kind: .thirdParty, etag: changed.etag, fields: []), metadata: caller)
      }
      #expect(results == ["OK": 1, "\(RPCCode.aborted) STALE_ETAG": 19])
    }
  }

  @Test func everythingWrongWithAFormIsSaidAtOnce() async throws {
    try await withServer { rig in
      let caller = try await rig.administrator()
      let bad: [Trackme_Identity_V1_FormField] = [
        .init(name: "email", label: "", type: .unspecified), .init(name: "x", label: "X", type: .choice),
        .init(name: "x", label: "X", type: .number, minimum: 2, maximum: 1),
        .init(name: "y", label: "Y", type: .unrecognized(9)),
      ]
      #expect(
        await fields {
          _ = try await rig.admin.updateRegistrationForm(.init(kind: .person, fields: bad), metadata: caller)
        } == [
          "etag", "fields[0].type", "fields[3].type", "fields[0].name", "fields[0].label", "fields[1].choices",
          "fields[2].name", "fields[2].maximum",
        ])
      #expect(
        await fields { _ = try await rig.admin.updateRegistrationForm(.init(kind: .bridge), metadata: caller) }
          == ["kind"])
    }
  }

  @Test func aNewMetricIsThereAtOnceAndKeepsWhatNeverChanges() async throws {
    try await withServer { rig in
      let caller = try await rig.administrator()
      var metric = Trackme_Readings_V1_Metric(
        id: 3, name: "skin_conductance", kind: .scalar, unit: "uS", minimum: 0, maximum: 100,
        displayName: "Skin conductance")
      let put = try #require(try await rig.admin.putMetric(.init(metric: metric), metadata: caller).metric)
      #expect(put.id == 12 && put.name == "skin_conductance")
      let reading = Trackme_Ingest_V1_RecordReadingsRequest(
        readings: [.init(personID: 7, metric: "skin_conductance", timeUs: ServiceRig.now, value: .scalar(50))])
      let taken = try await rig.ingestClient.recordReadings(reading, metadata: ServiceRig.asOperator)
      #expect(taken.acknowledgement?.accepted == 1)

      metric.displayName = "Conductance"
      metric.maximum = 40
      metric.loincCode = "12345-6"
      let again = try #require(try await rig.admin.putMetric(.init(metric: metric), metadata: caller).metric)
      #expect(again.id == 12 && again.maximum == 40 && again.loincCode == "12345-6")
      let refused = try await rig.ingestClient.recordReadings(reading, metadata: ServiceRig.asOperator)
      #expect(refused.acknowledgement?.accepted == 0)

      // 0 is no value as soon as an administrator says so.
      let zero = Trackme_Ingest_V1_RecordReadingsRequest(
        readings: [.init(personID: 7, metric: "skin_conductance", timeUs: ServiceRig.now, value: .scalar(0))])
      #expect(
        try await rig.ingestClient.recordReadings(zero, metadata: ServiceRig.asOperator).acknowledgement?.accepted == 1)
      metric.zeroIsNoValue = true
      #expect(try await rig.admin.putMetric(.init(metric: metric), metadata: caller).metric?.zeroIsNoValue == true)
      let noValue = try await rig.ingestClient.recordReadings(zero, metadata: ServiceRig.asOperator).acknowledgement
      #expect(noValue?.accepted == 0 && noValue?.rejections.map(\.reason) == [.noValue])
      let wave = Trackme_Readings_V1_Metric(
        name: "wave", kind: .waveform, unit: "1", minimum: -1, maximum: 1, displayName: "W", zeroIsNoValue: true)
      #expect(
        await fields { _ = try await rig.admin.putMetric(.init(metric: wave), metadata: caller) }
          == ["metric.zero_is_no_value"])

      metric.zeroIsNoValue = false
      metric.kind = .waveform
      metric.unit = "S"
      #expect(
        await fields { _ = try await rig.admin.putMetric(.init(metric: metric), metadata: caller) }
          == ["metric.kind", "metric.unit"])
      #expect(await fields { _ = try await rig.admin.putMetric(.init(), metadata: caller) } == ["metric"])
      let bad = Trackme_Readings_V1_Metric(
        name: "Bad", kind: .unspecified, unit: "a b", loincCode: "é", minimum: .nan, maximum: .infinity)
      #expect(
        await fields { _ = try await rig.admin.putMetric(.init(metric: bad), metadata: caller) }
          == [
            "metric.name", "metric.kind", "metric.display_name", "metric.unit", "metric.loinc_code", "metric.minimum",
            "metric.maximum",
          ])
    }
  }

  @Test func metricsAddedAtOnceHaveNumbersOfTheirOwn() async throws {
    try await withServer { rig in
      let caller = try await rig.administrator()
      let results = await reasons(of: 40) { index in
        _ = try await rig.admin.putMetric(
          .init(
            metric: .init(
              name: "m\(index / 2)", kind: .scalar, unit: "1", minimum: 0, maximum: 1, displayName: "M")),
          metadata: caller)
      }
      #expect(results == ["OK": 40])
      #expect(try rig.connection().query("SELECT max(id) FROM metric", []).int64(0, 0) == 31)
    }
  }

  @Test func aBridgePushesUntilItIsRevoked() async throws {
    try await withServer { rig in
      let caller = try await rig.administrator()
      let made = try await rig.admin.createBridge(.init(requestID: "b", name: "gateway"), metadata: caller)
      let token: Metadata = ["authorization": "Bearer \(made.token)"]
      let person = try await rig.account("ada")
      _ = try await rig.identity.allowBridge(
        .init(bridgeID: made.bridgeID), metadata: try await rig.logIn("ada").metadata)
      let reading = Trackme_Ingest_V1_RecordReadingsRequest(
        readings: [.init(personID: person, metric: "heart_rate", timeUs: ServiceRig.now, value: .scalar(60))])
      #expect(
        try await rig.ingestClient.recordReadings(reading, metadata: token).acknowledgement?.accepted == 1)

      #expect(
        await reason { _ = try await rig.admin.createBridge(.init(requestID: "b", name: "gateway"), metadata: caller) }
          == "REQUEST_ID_USED")
      let taken = await status { _ = try await rig.admin.createBridge(.init(name: "GATEWAY"), metadata: caller) }
      #expect(taken?.code == .alreadyExists && taken?.fieldViolations.map(\.field) == ["name"])
      #expect(await fields { _ = try await rig.admin.createBridge(.init(name: "a b"), metadata: caller) } == ["name"])

      let stream = PushStreamClient(rig, as: token)
      try await stream.begin("gateway")
      _ = try await rig.admin.revokeBridge(.init(bridgeID: made.bridgeID), metadata: caller)
      #expect(await status { while try await stream.frame() != nil {} }?.code == .unauthenticated)
      #expect(
        await status { _ = try await rig.ingestClient.recordReadings(reading, metadata: token) }?.code
          == .unauthenticated)
      _ = try await rig.admin.revokeBridge(.init(bridgeID: made.bridgeID), metadata: caller)
      #expect(try rig.count("bridge_permission") == 0)
      #expect(
        await status { _ = try await rig.admin.revokeBridge(.init(bridgeID: person), metadata: caller) }?.code
          == .notFound)
      #expect(
        await fields { _ = try await rig.admin.revokeBridge(.init(bridgeID: -1), metadata: caller) } == ["bridge_id"])
    }
  }

  @Test func programsAreListedByKindAndPageAlsoThoseThatAreRevoked() async throws {
    try await withServer { rig in
      let caller = try await rig.administrator()
      var bridges: [Int64] = []
      for index in 1...3 {
        let made = try await rig.admin.createBridge(.init(name: "bridge\(index)"), metadata: caller)
        bridges.insert(made.bridgeID, at: 0)
      }
      let rescue = try await rig.admin.createDispatcher(.init(name: "rescue", priority: 7), metadata: caller)
      _ = try await rig.admin.revokeBridge(.init(bridgeID: bridges[1]), metadata: caller)

      let first = try await rig.admin.listPrograms(.init(pageSize: 2, kind: .bridge), metadata: caller)
      #expect(first.programs.map(\.accountID) == Array(bridges.prefix(2)))
      #expect(first.programs.map(\.name) == ["bridge3", "bridge2"])
      #expect(first.programs.map { $0.revoked == nil } == [true, false])
      #expect(first.programs.allSatisfy { ($0.created?.seconds ?? 0) > 0 })
      let second = try await rig.admin.listPrograms(
        .init(pageSize: 2, pageToken: first.nextPageToken, kind: .bridge), metadata: caller)
      #expect(second.programs.map(\.accountID) == [bridges[2]] && second.nextPageToken.isEmpty)
      let dispatchers = try await rig.admin.listPrograms(.init(kind: .dispatcher), metadata: caller).programs
      #expect(dispatchers.map(\.accountID) == [rescue.dispatcherID] && dispatchers[0].priority == 7)

      #expect(await fields { _ = try await rig.admin.listPrograms(.init(), metadata: caller) } == ["kind"])
      // A token belongs to its kind.
      let other = Trackme_Admin_V1_ListProgramsRequest(pageToken: first.nextPageToken, kind: .dispatcher)
      #expect(await fields { _ = try await rig.admin.listPrograms(other, metadata: caller) } == ["page_token"])
    }
  }

  @Test func maintenanceIsAnnouncedToEveryActiveAccountOnce() async throws {
    try await withServer { rig in
      let caller = try await rig.administrator()
      for index in 0..<5 { _ = try await rig.account("p\(index)") }
      try rig.connection().query("UPDATE account SET state = 'deactivated' WHERE username = 'p4'", [])
      let day: Int64 = 86_400
      let now = ServiceRig.now / 1_000_000
      let request = Trackme_Admin_V1_AnnounceMaintenanceRequest(
        requestID: "m", begins: .init(seconds: now + day), ends: .init(seconds: now + day + 60), message: "A pause.")
      #expect(try await rig.admin.announceMaintenance(request, metadata: caller).notifiedAccounts == 5)
      #expect(try await rig.admin.announceMaintenance(request, metadata: caller).notifiedAccounts == 5)
      #expect(try rig.count("notification WHERE kind = 9") == 5)
      #expect(try rig.count("notification WHERE facts->>'message' = 'A pause.'") == 5)
      var bad = request
      bad.begins = .init(seconds: now + day - 1)
      bad.ends = bad.begins
      bad.message = ""
      #expect(
        await fields { _ = try await rig.admin.announceMaintenance(bad, metadata: caller) }
          == ["message", "begins", "ends"])
      #expect(
        await fields { _ = try await rig.admin.announceMaintenance(.init(), metadata: caller) }
          == ["message", "begins", "ends"])
      bad.begins = .init(seconds: .max)
      #expect(
        await fields { _ = try await rig.admin.announceMaintenance(bad, metadata: caller) } == ["message", "begins"])
    }
  }
}
