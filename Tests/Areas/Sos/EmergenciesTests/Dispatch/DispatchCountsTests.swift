import CoreMetrics
import Metering
import SosRules
import Testing

@testable import Emergencies

@Suite("what is counted of calls for help")
struct DispatchCountsTests {
  @Test(
    "the first answer counts whatever it is; what a gateway says later only if it is new",
    arguments: [
      (.taken, .taken, .taken), (.placed(sid: "s", .queued), .placed, nil), (.placed(sid: nil, .sent), .placed, nil),
      (.placed(sid: "s", .ringing), .placed, nil), (.placed(sid: "s", .delivered), .taken, .taken),
      (.placed(sid: "s", .answered), .taken, .taken), (.placed(sid: "s", .busy), .failed, .failed),
      (.placed(sid: "s", .noAnswer), .failed, .failed), (.placed(sid: "s", .failed), .failed, .failed),
      (.declined("no"), .declined, nil), (.failed("gone"), .failed, nil), (.unknown("?"), .unknown, nil),
    ] as [(DeliveryOutcome, DispatchResult, DispatchResult?)])
  func results(_ outcome: DeliveryOutcome, _ first: DispatchResult, _ later: DispatchResult?) {
    #expect(DispatchResult(outcome, isQuestion: false) == first)
    #expect(DispatchResult(outcome, isQuestion: true) == later)
  }

  @Test(
    "a question about a call is of the call's channel",
    arguments: [
      (.sms, .sms), (.voice, .voice), (.contacts, .contacts), (.webhook(0), .webhooks), (.webhook(15), .webhooks),
      (.looks(.voice), .voice), (.looks(.contacts), .contacts),
    ] as [(Channel, DispatchChannel)])
  func channels(_ channel: Channel, _ counted: DispatchChannel) { #expect(channel.counted == counted) }

  @Test("the family has every channel and every outcome, and no other label")
  func family() {
    let family = MetricFamily.dispatchCalls
    #expect(family.labels.map(\.name) == ["channel", "outcome"])
    #expect(family.labels[0].values == ["sms", "voice", "contacts", "webhooks", "dispatchers"])
    #expect(family.labels[1].values == ["placed", "taken", "declined", "failed", "unknown"])
  }
}
