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

/// The client's side of a subscription.
struct SubscriptionClient: Sendable {
  typealias Start = Trackme_Sharing_V1_SubscribeStart
  typealias Response = Trackme_Sharing_V1_SubscribeResponse
  let stream: ClientStream<Trackme_Sharing_V1_SubscribeRequest, Response>

  /// One reading of a delivery.
  struct Item: Hashable {
    let person: Int64
    let metric: UInt32
    let source: String
    let time: Int64
    let value: Double
  }

  init(_ rig: ServiceRig, as caller: Metadata = ServiceRig.asOperator) {
    stream = rig.subscriptions.subscribe(metadata: caller)
  }

  /// Starts, and returns the cursor of the first frame, which is a heartbeat.
  @discardableResult
  func begin(_ start: Start) async throws -> String {
    try await stream.send(.init(frame: .start(start)))
    let first = try await frame()
    #expect(first.frame == .heartbeat(.init()))
    return first.cursor
  }

  func acknowledge(_ cursor: String) async throws {
    try await stream.send(.init(frame: .acknowledgement(.init(cursor: cursor))))
  }

  func frame() async throws -> Response {
    guard let response = try await stream.next() else { throw Ended() }
    return response
  }

  /// The next delivery.
  func delivery() async throws -> (items: [Item], cursor: String, isCatchingUp: Bool) {
    while true {
      let response = try await frame()
      guard case .delivery(let delivery) = response.frame else { continue }
      return (Self.items(delivery), response.cursor, delivery.catchingUp)
    }
  }

  /// At least so many readings, and the last cursor.
  func items(_ count: Int) async throws -> (items: [Item], cursor: String) {
    var got: [Item] = []
    var cursor = ""
    while got.count < count {
      let delivery = try await delivery()
      got += delivery.items
      cursor = delivery.cursor
    }
    return (got, cursor)
  }

  /// The status with which the stream ends.
  func end() async -> RPCStatus? {
    await status { while try await stream.next() != nil {} }
  }

  static func items(_ delivery: Trackme_Sharing_V1_Delivery) -> [Item] {
    guard let readings = delivery.readings, let scalars = readings.scalars else { return [] }
    func entry<T>(_ column: [T], _ index: Int) -> T { column.count == 1 ? column[0] : column[index] }
    return scalars.timeUs.indices.map { index in
      Item(
        person: entry(scalars.personID, index), metric: entry(scalars.metric, index),
        source: readings.sources[Int(entry(scalars.source, index))], time: scalars.timeUs[index],
        value: scalars.value[index])
    }
  }

  struct Ended: Error {}
}
