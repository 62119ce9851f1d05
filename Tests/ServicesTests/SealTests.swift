import Domain
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

@Suite("Cursors and page tokens") struct SealTests {
  private let seal = Seal(key: (0..<32).map { $0 })

  /// The newest moment that anybody may name, and the one after it.
  private static let last = OutsideTimes.range.upperBound - 1
  private static let extremes: [Int64] = [
    .min, .min + 1, OutsideTimes.range.lowerBound - 1, OutsideTimes.range.upperBound, .max - 1, .max,
  ]

  @Test("numbers come back as they were, whatever they are")
  func roundTrip() {
    for number in Self.extremes + [0, 1, -1, 35, 36, Self.last] {
      #expect(seal.numbers(.page, in: seal.text(.page, number, 5, -7), count: 3) == [number, 5, -7])
    }
  }

  /// The tags are those of Python's hashlib: blake2b(bytes([kind]) + text, digest_size=16, key=bytes(range(32))).
  @Test("the tag is keyed BLAKE2b of what the text is for and of what is before it")
  func knownTags() {
    #expect(seal.text(.log, 5) == "2.5.by09kha_ZD11YgGlsk-HVg")
    #expect(seal.text(.race, 7, -35, 0, .max) == "2.7.-z.0.1y2p0ij32e8e7.6nt_uLdU_LClxBqUZLhWNw")
  }

  @Test("a text is read for what it was made, with the key it was made with, and as a whole")
  func forgeries() {
    let text = seal.text(.log, 1_234)
    #expect(seal.numbers(.log, in: text, count: 1) == [1_234])
    for kind in [Seal.Kind.notifications, .emergencies, .race, .page, .signIn] {
      #expect(seal.numbers(kind, in: text, count: 1) == nil, "\(kind)")
    }
    #expect(seal.numbers(.log, in: text, count: 2) == nil)
    #expect(Seal(key: (1...32).map { $0 }).numbers(.log, in: text, count: 1) == nil)
    var bytes = Array(text.utf8)
    for index in bytes.indices {
      bytes[index] ^= 1
      #expect(seal.numbers(.log, in: String(decoding: bytes, as: UTF8.self), count: 1) == nil, "byte \(index)")
      bytes[index] ^= 1
    }
    for end in 0..<bytes.count {
      #expect(seal.numbers(.log, in: String(decoding: bytes[..<end], as: UTF8.self), count: 1) == nil)
    }
    for other in [
      "", ".", "2", "2.", "2..", text + "A", text + ".", " " + text, "2.5." + String(repeating: "A", count: 22),
    ] {
      #expect(seal.numbers(.log, in: other, count: 1) == nil, "\(other)")
    }
  }

  @Test("cursors without a seal are still read, within bounds")
  func unsealedCursors() {
    for (text, position) in [("1.0", 0), ("1.1", 1), ("1.z", 35), ("1.lfls", 1_000_000)] as [(String, Int64)] {
      #expect(seal.position(.log, of: text) == position)
      #expect(seal.position(.notifications, of: text) == position)
      #expect(seal.position(.emergencies, of: text) == position)
    }
    #expect(seal.position(.log, of: "1." + String(Self.last, radix: 36)) == Self.last)
    for text in [
      "", "1", "1.", "0.5", "2.5", "1.-1", "1.+5", "1. 5", "1.05", "1.5 ", "1.A", "1.ä", "1.1y2p0ij32e8e8", "11.5",
      "1.zzzzzzzzzzzzzzzzzzzzz", "5", "1.1y2p0ij32e8e7", "1." + String(Self.last + 1, radix: 36),
    ] {
      #expect(seal.position(.log, of: text) == nil, "\(text)")
    }
  }

  @Test("no cursor has a position or a time out of bounds, sealed or not")
  func bounds() {
    for number in Self.extremes + [-1] {
      #expect(seal.position(.emergencies, of: seal.cursor(.emergencies, at: number)) == nil, "\(number)")
    }
    let good = BoardCursor(race: 7, position: 5, time: -1, starts: Self.last)
    #expect(BoardCursor(text: good.text(seal), seal) == good)
    #expect(BoardCursor(text: "r1.7.5.-1.\(String(Self.last, radix: 36))", seal) == good)
    for number in Self.extremes {
      for (race, time, starts) in [(7, number, 1), (7, 1, number), (min(number, 0), 1, 1)] as [(Int64, Int64, Int64)] {
        let forged = BoardCursor(race: race, position: 5, time: time, starts: starts)
        let old = [race, 5, time, starts].map { String($0, radix: 36) }.joined(separator: ".")
        #expect(BoardCursor(text: forged.text(seal), seal) == nil, "\(forged)")
        #expect(BoardCursor(text: "r1." + old, seal) == nil, "\(forged)")
      }
    }
    for text in ["r1.", "r1.7.5.1", "r1.7.5.1.1.1", "r1.7.05.1.1", "r1.7.5.1.A", "r1.7..1.1", "r1.7.5.1.1."] {
      #expect(BoardCursor(text: text, seal) == nil, "\(text)")
    }
  }

  @Test("a page token out of bounds, or without a seal, is INVALID_ARGUMENT")
  func pageTokens() async throws {
    let arguments = PageToken.hash("devices", "7")
    let place = ReadingPlace(time: Self.last, metric: .max, source: .min)
    #expect(try PageToken.place(in: "", arguments: arguments, seal) == nil)
    #expect(
      try PageToken.place(in: PageToken(arguments: arguments, place: place).text(seal), arguments: arguments, seal)
        == place)
    let hash = String(arguments, radix: 36)
    var refused = Self.extremes.map {
      PageToken(arguments: arguments, place: .init(time: $0, metric: 0, source: 0)).text(seal)
    }
    for number in [Int64(Int32.max) + 1, Int64(Int32.min) - 1, .max, .min] {
      refused.append(seal.text(.page, Int64(bitPattern: arguments), 1, number, 0))
      refused.append(seal.text(.page, Int64(bitPattern: arguments), 1, 0, number))
    }
    refused += [
      "1.\(hash).1.0.0", "1.\(hash).1y2p0ij32e8e7.0.0", seal.text(.log, Int64(bitPattern: arguments), 1, 0, 0),
    ]
    for text in refused {
      #expect(
        await fields { _ = try PageToken.place(in: text, arguments: arguments, seal) } == ["page_token"], "\(text)")
    }
  }

  @Test("sealed texts are no longer than the longest that is read")
  func lengths() {
    let longest = seal.text(.page, .min, .min, Int64(Int32.min), Int64(Int32.min))
    #expect(seal.numbers(.page, in: longest, count: 4) != nil)
  }
}

@Suite("Numbers from outside") struct OutsideNumberTests {
  @Test("the extremes of everything that a page token may name are answered by every list")
  func extremePlaces() async throws {
    try await withServer { rig in
      let (person, caller) = try await rig.member("ada")
      for time in [OutsideTimes.range.lowerBound, 0, OutsideTimes.range.upperBound - 1] {
        for (metric, source) in [(0, 0), (Int32.max, Int32.max), (Int32.min, Int32.min), (1_000, 0)] {
          func token(_ arguments: UInt64) -> String {
            PageToken(arguments: arguments, place: .init(time: time, metric: metric, source: source)).text(rig.seal)
          }
          let emergencies = await status {
            _ = try await rig.sosClient.listEmergencies(
              .init(pageToken: token(PageToken.hash("emergencies", "\(person)"))), metadata: caller)
          }
          #expect(emergencies == nil || emergencies?.code == .invalidArgument, "\(time) \(metric)")
          _ = try await rig.raceClient.listRaces(
            .init(pageToken: token(PageToken.hash("races", "\(person)", "any"))), metadata: caller)
          _ = try await rig.notifications.listNotifications(
            .init(pageToken: token(PageToken.hash("notifications", "\(person)", "false"))), metadata: caller)
          _ = try await rig.identity.listDevices(
            .init(pageToken: token(PageToken.hash("devices", "\(person)"))), metadata: caller)
        }
      }
    }
  }

  @Test("an interval is read as far as it lies in the years 1 to 9999")
  func intervals() async throws {
    try await withServer { rig in
      try await rig.record(1, [(5, 60)])
      let extremes: [Int64] = [.min, .min + 1, -1, 1, .max - 1, .max]
      for from in extremes {
        for to in extremes where from < to {
          let isIn = (from..<to).contains(5)
          let list = try await rig.readings.listReadings(
            .init(personID: 1, fromUs: from, toUs: to), metadata: ServiceRig.asOperator)
          #expect(list.readings.count == (isIn ? 1 : 0), "\(from) \(to)")
          for resolution in [Trackme_Readings_V1_Resolution.raw, .second, .hour] {
            let summary = try await rig.readings.summarizeReadings(
              .init(personID: 1, metric: "heart_rate", fromUs: from, toUs: to, resolution: resolution),
              metadata: ServiceRig.asOperator)
            #expect(summary.summaries.count == (isIn ? 1 : 0), "\(from) \(to) \(resolution)")
          }
        }
      }
    }
  }
}
