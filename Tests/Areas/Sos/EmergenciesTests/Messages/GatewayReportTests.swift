import SosRules
import Testing

@testable import Emergencies

/// What a gateway's words mean (twilio.com/docs: message and call status values).
@Suite struct GatewayReportTests {
  private func status(_ medium: GatewayMedium, _ word: String, _ more: String = "") -> CallStatus? {
    GatewayReport(Array("{\"sid\": \"SM1\", \"status\": \"\(word)\"\(more)}".utf8))?.status(medium)
  }

  @Test(arguments: [
    ("accepted", CallStatus.queued), ("scheduled", .queued), ("queued", .queued), ("sending", .queued),
    ("sent", .sent), ("delivered", .delivered), ("read", .delivered), ("undelivered", .failed), ("failed", .failed),
    ("canceled", .failed),
  ]) func anSMS(word: String, means: CallStatus) {
    #expect(status(.sms, word) == means)
  }

  @Test(arguments: [
    ("queued", CallStatus.queued), ("initiated", .queued), ("ringing", .ringing), ("in-progress", .answered),
    ("answered", .answered), ("busy", .busy), ("no-answer", .noAnswer), ("failed", .failed), ("canceled", .failed),
  ]) func aCall(word: String, means: CallStatus) {
    #expect(status(.voice, word) == means)
  }

  @Test(arguments: [
    (", \"duration\": \"12\"", CallStatus.answered), (", \"duration\": 12", .answered),
    (", \"duration\": \"0\"", .failed),
    (", \"duration\": 0", .failed), (", \"duration\": null", .failed), ("", .failed),
    (", \"duration\": \"soon\"", .failed),
  ]) func aCallThatIsOverWasAnsweredIfItLasted(more: String, means: CallStatus) {
    #expect(status(.voice, "completed", more) == means)
  }

  @Test func aWordOfTheOtherMediumOrOfNobodySaysNothing() {
    for (medium, word) in [(GatewayMedium.sms, "ringing"), (.sms, "completed"), (.voice, "delivered"), (.sms, "lost")] {
      #expect(status(medium, word) == nil)
    }
  }

  @Test func anIdentifierThatCouldNotStandInAURLIsNone() {
    func sid(_ text: String) -> String? { GatewayReport(Array("{\"sid\": \(text)}".utf8))?.checkedSid }
    #expect(sid("\"SM0a-_\"") == "SM0a-_")
    for text in [
      "\"\"", "\"a/b\"", "\"../x\"", "\"a?b\"", "\"a b\"", "\"à\"", "\"\(String(repeating: "a", count: 65))\"", "7",
      "null",
    ] {
      #expect(sid(text) == nil, "\(text)")
    }
    #expect(GatewayReport(Array("<html>".utf8)) == nil && GatewayReport([]) == nil)
    #expect(GatewayReport(Array("{}".utf8))?.checkedSid == nil)
  }
}
