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

/// The client's side of a push stream.
struct PushStreamClient: Sendable {
  typealias Acknowledgement = Trackme_Ingest_V1_BatchAcknowledgement
  let stream: ClientStream<Trackme_Ingest_V1_PushReadingsRequest, Trackme_Ingest_V1_PushReadingsResponse>

  init(_ rig: ServiceRig, as caller: Metadata = ServiceRig.asOperator) {
    stream = rig.ingestClient.pushReadings(metadata: caller)
  }

  /// Says hello and returns the welcome.
  @discardableResult
  func begin(_ clientID: String) async throws -> Trackme_Ingest_V1_PushWelcome {
    try await stream.send(.init(frame: .hello(.init(clientID: clientID))))
    guard case .welcome(let welcome) = try await stream.next()?.frame else { throw NoWelcome() }
    return welcome
  }

  func push(_ sequence: UInt64, _ readings: Trackme_Readings_V1_ReadingColumns) async throws {
    try await stream.send(.init(frame: .batch(.init(sequence: sequence, readings: readings))))
  }

  /// The next frame's acknowledgements; nil at the end of the stream.
  func frame() async throws -> [Acknowledgement]? {
    guard let response = try await stream.next() else { return nil }
    guard case .acknowledgements(let acknowledgements) = response.frame else { throw NoWelcome() }
    return acknowledgements.acknowledgements
  }

  /// At least so many acknowledgements.
  func acknowledgements(_ count: Int) async throws -> [Acknowledgement] {
    var got: [Acknowledgement] = []
    while got.count < count {
      guard let frame = try await frame() else { break }
      got += frame
    }
    return got
  }

  struct NoWelcome: Error {}
}

extension Trackme_Readings_V1_ReadingColumns {
  /// Heart rates of person 1.
  static func heartRate(_ values: [(Int64, Double)]) -> Self {
    Self(scalars: .init(personID: [1], metric: [1], timeUs: values.map(\.0), value: values.map(\.1)))
  }
}
