import Domain
import Postgres
import RPCRuntime
import ServiceAPI
import Synchronization
import Testing
import TestSupport
import Threads
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

/// Who may call what. The rule is: nobody, unless it is said here.
@Suite(.timeLimit(.minutes(5))) struct AuthorizationTests {
  /// Every RPC of the .proto files, so that a new one is covered by itself.
  private static let declaredPaths: [String] = {
    let services = Set(ServiceDescriptors.serviceNames)
    let symbols = (try? DescriptorSet(ServiceDescriptors.fileDescriptorSet).files.flatMap(\.symbols)) ?? []
    return symbols.compactMap { symbol in
      let parts = symbol.split(separator: ".")
      let service = parts.dropLast().joined(separator: ".")
      return services.contains(service) ? "/\(service)/\(parts[parts.count - 1])" : nil
    }
  }()

  /// The RPCs that answer without a token.
  private static func isOpen(_ path: String) -> Bool {
    let open = [
      "GetRegistrationForm", "RegisterPerson", "RegisterThirdParty", "LogIn", "RefreshSession", "StartOpenIDLogIn",
      "LogInWithOpenID", "GetErasureReceipt",
    ]
    let contacts = ["ConfirmContact", "RefuseContact"].map { "/trackme.sos.v1.SosService/\($0)" }
    let expenditure = "/trackme.expenditure.v1.ExpenditureService/"
    let changes = ["ImportFigures", "PublishRelease", "UpdateDefinition"].map { expenditure + $0 }
    return path.hasPrefix("/grpc.") || contacts.contains(path)
      || path.hasPrefix(expenditure) && !changes.contains(path)
      || open.contains { path == "/trackme.identity.v1.IdentityService/\($0)" }
  }

  /// What an operator can do: what there was before there were accounts.
  private static func isForOperators(_ path: String) -> Bool {
    ["ingest.v1.IngestService/", "readings.v1.ReadingService/", "SubscriptionService/Subscribe"].contains(
      where: path.contains)
  }

  /// How a call with an empty request ends.
  private func code(_ rig: ServiceRig, _ path: String, _ metadata: Metadata) async -> RPCStatus {
    let call = rig.channel.call(path, metadata: metadata)
    let end = await status {
      try await call.sendLast(RPCMessage([UInt8]()))
      while try await call.next() != nil { call.cancel() }
    }
    return end ?? .ok
  }

  @Test func everyDeclaredRPCIsServed() async throws {
    try await withServer { rig in
      #expect(Self.declaredPaths.count >= 13)
      #expect(Set(rig.methods.map(\.path)) == Set(Self.declaredPaths))
    }
  }

  @Test func withoutATokenOnlyHealthReflectionRegistrationAndLogInAnswer() async throws {
    try await withServer { rig in
      for path in rig.methods.map(\.path) {
        let end = await code(rig, path, [:])
        if Self.isOpen(path) {
          #expect(end.errorInfo?.reason != "UNAUTHENTICATED", "\(path)")
        } else {
          #expect(end.code == .unauthenticated && end.errorInfo?.reason == "UNAUTHENTICATED", "\(path)")
        }
      }
    }
  }

  @Test func withTheOperatorsTokenReadingsAnswerAndAccountsDoNot() async throws {
    try await withServer { rig in
      for path in rig.methods.map(\.path) where !Self.isOpen(path) {
        let end = await code(rig, path, ServiceRig.asOperator)
        #expect(end.code != .unauthenticated && end.code != .internal, "\(path)")
        if end.code != .unimplemented {
          #expect((end.code == .permissionDenied) != Self.isForOperators(path), "\(path)")
        }
      }
    }
  }

  @Test func noHandlerIsReachedByAKindOfCallerThatItsRPCDoesNotName() async throws {
    try await withServer { rig in
      #expect(Set(ServiceDescriptors.callers.keys) == Set(rig.methods.map(\.path)))
      let person = try await rig.person().metadata
      let device = try await rig.identity.createDevice(.init(name: "Watch"), metadata: person)
      let callers: [(Callers, Metadata)] = [
        (.person, person), (.thirdParty, try await rig.thirdParty().metadata),
        (.device, ["authorization": "Bearer \(device.token)"]), (.bridge, try await rig.bridge().1),
        (.dispatcher, try await rig.dispatcher().metadata),
        (.deskOperator, try await rig.deskOperator(of: try await rig.dispatcher("centre").account)),
        (.administrator, try await rig.administrator()), (.operator, ServiceRig.asOperator),
      ]
      var refused = 0
      for (path, named) in ServiceDescriptors.callers where !named.contains(.anyone) {
        #expect(!named.isEmpty, "\(path)")
        for (kind, metadata) in callers where !named.contains(kind) {
          let end = await code(rig, path, metadata)
          #expect(end.code == .permissionDenied && end.errorInfo?.reason == "NOT_PERMITTED", "\(path) \(kind)")
          refused += 1
        }
      }
      #expect(refused > 400)
    }
  }

  @Test(arguments: [
    "", "Bearer", "Bearer ", "bearer wrong", "Basic operator-token", "operator-token", "Bearer  operator-token",
    "Bearer operator-token ", "Bearer operator-toke", "Bearer operator-token,Bearer x", "Bearer OPERATOR-TOKEN",
    "Bearer " + String(repeating: "x", count: 300),
  ])
  func aHeaderThatIsNotRightIsAsGoodAsNone(header: String) async throws {
    try await withServer { rig in
      let end = await status { _ = try await rig.readings.listMetrics(.init(), metadata: ["authorization": header]) }
      #expect(end?.code == .unauthenticated)
    }
  }

  @Test(arguments: ["Bearer operator-token", "bearer operator-token", "BEARER operator-token"])
  func theSchemeIsReadInAnyCase(header: String) async throws {
    try await withServer { rig in
      let answer = try await rig.readings.listMetrics(.init(), metadata: ["authorization": header])
      #expect(answer.metrics.count == 11)
    }
  }

  /// B-R.D4: fresh data is visible to its owner alone.
  @Test func aPersonReadsTheOwnReadingsAndNobodyElses() async throws {
    try await withServer { rig in
      try await rig.record(5, [(1, 60)])
      try await rig.record(6, [(2, 70)])
      let own = try await rig.token(for: 5)
      for person in [0, 5] as [PersonID] {
        #expect(try await rig.readings.listReadings(.init(personID: person), metadata: own).readings.count == 1)
        #expect(try await rig.readings.getCurrentStatus(.init(personID: person), metadata: own).readings.count == 1)
        let summary = try await rig.readings.summarizeReadings(
          .init(personID: person, metric: "heart_rate", toUs: 10, resolution: .hour), metadata: own)
        #expect(summary.summaries.map(\.mean) == [60])
        let export = try await rig.readings.exportReadings(.init(personID: person), metadata: own)
        #expect(try await export.next()?.readings.count == 1)
        #expect(try await export.next() == nil)
        let watch = try await rig.readings.watchReadings(.init(personID: person), metadata: own)
        #expect(try await watch.next()?.readings == [])
        watch.cancel()
      }
      let client = SubscriptionClient(rig, as: own)
      try await client.begin(.init(personIDs: [5], startAt: .beginning))
      #expect(try await client.delivery().items.map(\.person) == [5])

      let refusals: [(String, () async throws -> Void)] = [
        ("list", { _ = try await rig.readings.listReadings(.init(personID: 6), metadata: own) }),
        ("status", { _ = try await rig.readings.getCurrentStatus(.init(personID: 6), metadata: own) }),
        (
          "summarize",
          {
            _ = try await rig.readings.summarizeReadings(
              .init(personID: 6, metric: "heart_rate", toUs: 10, resolution: .hour), metadata: own)
          }
        ),
        ("export", { _ = try await rig.readings.exportReadings(.init(personID: 6), metadata: own).next() }),
        ("watch", { _ = try await rig.readings.watchReadings(.init(personID: 6), metadata: own).next() }),
        ("subscribe", { try await SubscriptionClient(rig, as: own).begin(.init(personIDs: [6])) }),
        ("subscribe both", { try await SubscriptionClient(rig, as: own).begin(.init(personIDs: [5, 6])) }),
        ("subscribe everyone", { try await SubscriptionClient(rig, as: own).begin(.init()) }),
      ]
      for (name, refused) in refusals {
        let end = await status(refused)
        #expect(end?.code == .permissionDenied && end?.errorInfo?.reason == "NOT_PERMITTED", "\(name)")
      }
      // Who has no own readings says whose are meant.
      #expect(
        await fields { _ = try await rig.readings.listReadings(.init(), metadata: ServiceRig.asOperator) }
          == ["person_id"])
      #expect(
        await fields { _ = try await rig.readings.listReadings(.init(personID: -5), metadata: own) } == ["person_id"])
    }
  }

  @Test func anExpiredTokenStandsForNobodyAfterTheNextLook() async throws {
    try await withServer { rig in
      let own = try await rig.token(for: 5)
      _ = try await rig.readings.listMetrics(.init(), metadata: own)
      try rig.connection().execute("UPDATE access_token SET expires_at = now() - interval '1 second'")
      try await rig.live.refresh()
      let end = await status { _ = try await rig.readings.listMetrics(.init(), metadata: own) }
      #expect(end?.code == .unauthenticated)
    }
  }

  @Test func aTokenThatIsMadeDuringALookIsKnownWhenItIsAnswered() async throws {
    try await withServer { rig in
      try await rig.live.refresh()
      let count = rig.live.changes
      _ = try await rig.token(for: 5)
      try await rig.live.refresh()
      // The look took the account up before this token was there.
      let token = TokenHash.newToken()
      try await rig.storage.tokens.add(tokenHash: TokenHash(token).bytes, for: 5)
      await rig.live.begin(token, TokenHolder(principal: .person(5)), asOf: count)
      #expect(rig.live.knows(TokenHash(token)))
      // One that has ended meanwhile stands for nobody.
      let ended = TokenHash.newToken()
      await rig.live.begin(ended, TokenHolder(principal: .person(5)), asOf: count)
      #expect(!rig.live.knows(TokenHash(ended)))
    }
  }

  @Test func whoHasNotLookedForLongMissesNoChangeThatIsForgotten() async throws {
    try await withServer { rig in
      let often = LiveAccess(tokens: rig.storage.tokens)
      let seldom = LiveAccess(tokens: rig.storage.tokens, readAllAfter: .zero)
      let hash = TokenHash(TokenHash.newToken())
      try await rig.storage.tokens.add(tokenHash: hash.bytes, for: 5)
      for live in [often, seldom] { try await live.refresh() }
      try rig.connection().execute("DELETE FROM access_token; DELETE FROM token_change")
      for live in [often, seldom] { try await live.refresh() }
      #expect(try await often.find(hash, for: .thisMachine).principal == .person(5))
      await #expect(throws: RPCStatus.self) { try await seldom.find(hash, for: .thisMachine) }
    }
  }

  @Test func unknownTokensKeepNobodyElseFromTheDatabase() async throws {
    try await withServer(arePoolsApart: true) { rig in
      let blocker = try rig.connection()
      try blocker.execute("BEGIN; LOCK TABLE access_token IN ACCESS EXCLUSIVE MODE")
      try await withThrowingTaskGroup(of: RPCStatus?.self) { group in
        for _ in 0..<10 {
          let metadata: Metadata = ["authorization": "Bearer \(TokenHash.newToken())"]
          group.addTask { await status { _ = try await rig.readings.listMetrics(.init(), metadata: metadata) } }
        }
        try await eventually { rig.live.lookups.waitingCount == 9 }
        // All that is urgent has its connections, and of the others one is taken.
        try await Self.use(3, of: rig.storage.pools.urgent)
        try await Self.use(3, of: rig.storage.pools.general)
        try blocker.execute("ROLLBACK")
        for try await end in group { #expect(end?.code == .unauthenticated) }
      }
    }
  }

  @Test func unknownTokensThatWaitWhileTheDatabaseIsGoneAreToldSoTogether() async throws {
    let cluster = try TemporaryCluster()
    try await withServer(cluster: cluster, arePoolsApart: true) { rig in
      cluster.cluster.stop(timeout: .seconds(5))
      let began = ContinuousClock.now
      try await withThrowingTaskGroup(of: RPCStatus?.self) { group in
        for _ in 0..<100 {
          let metadata: Metadata = ["authorization": "Bearer \(TokenHash.newToken())"]
          group.addTask { await status { _ = try await rig.readings.listMetrics(.init(), metadata: metadata) } }
        }
        for try await end in group { #expect(end?.code == .unavailable) }
      }
      // Each of them waits for 0.3 s; one after the other that is half a minute.
      #expect(.now - began < .seconds(15))
      _ = try cluster.cluster.start()
    }
  }

  /// So many connections at the same time.
  private static func use(_ count: Int, of pool: Pool) async throws {
    let used = Monitored(0)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<count {
        group.addTask {
          try await pool.withConnection(deadline: .seconds(20)) { _ in
            used.change(wakingAll: true) { $0 += 1 }
            #expect(used.wait(until: .now + .seconds(10)) { $0 == count ? () : nil } != nil)
          }
        }
      }
      try await group.waitForAll()
    }
  }

  @Test func aTokenThatIsMadeLaterIsFoundAFewSecondsLater() async throws {
    try await withServer { rig in
      let token = TokenHash.newToken()
      let metadata: Metadata = ["authorization": "Bearer \(token)"]
      #expect(
        await status { _ = try await rig.readings.listMetrics(.init(), metadata: metadata) }?.code == .unauthenticated)
      try await rig.storage.tokens.add(tokenHash: TokenHash(token).bytes, for: 5)
      try await eventually(within: .seconds(5)) {
        await status { _ = try await rig.readings.listMetrics(.init(), metadata: metadata) } == nil
      }
    }
  }

  @Test func aPersonHasSoManyCallsOpenAtOnce() async throws {
    try await withServer { rig in
      let own = try await rig.token(for: 5)
      var streams: [ResponseStream<Trackme_Readings_V1_WatchReadingsResponse>] = []
      for _ in 0..<64 {
        let stream = try await rig.readings.watchReadings(.init(), metadata: own)
        _ = try await stream.next()
        streams.append(stream)
      }
      let refusal = await status { _ = try await rig.readings.listMetrics(.init(), metadata: own) }
      #expect(refusal?.code == .resourceExhausted && refusal?.errorInfo?.reason == "TOO_MANY_CALLS")
      // Others are not concerned, and who ends a call may begin another.
      _ = try await rig.readings.listMetrics(.init(), metadata: ServiceRig.asOperator)
      _ = try await rig.readings.listMetrics(.init(), metadata: try await rig.token(for: 6))
      streams[0].cancel()
      try await eventually { await status { _ = try await rig.readings.listMetrics(.init(), metadata: own) } == nil }
      for stream in streams { stream.cancel() }
    }
  }
}

@Suite struct TokenTests {
  @Test func aNewTokenIsLongAndUnlikeTheOthers() {
    let tokens = Set((0..<100).map { _ in TokenHash.newToken() })
    #expect(tokens.count == 100)
    #expect(tokens.allSatisfy { $0.hasPrefix("tm_") && $0.utf8.count == 51 })
  }

  @Test func theHashIsSHA256() {
    let hex = TokenHash("abc").bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    #expect(hex == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    #expect(TokenHash("abc").equals(TokenHash("abc")) && !TokenHash("abc").equals(TokenHash("abd")))
  }
}
