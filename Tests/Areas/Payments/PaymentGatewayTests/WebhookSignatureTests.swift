import Testing

@testable import PaymentGateway

@Suite("A-D5: signatures of webhooks")
struct WebhookSignatureTests {
  private static let secret = "whsec_test_0123456789"
  private static let body = Array(#"{"id":"evt_1"}"#.utf8)
  private static let time: Int64 = 1_790_000_000
  private let signature = WebhookSignature(secret: WebhookSignatureTests.secret)

  @Test("The header is what another implementation makes")
  func header() throws {
    let header = "t=1790000000,v1=94bae5e8c6dfa8390f6ace0ee19303fa35a128f45bd5c6ba612d348cf1e4270e"
    #expect(signature.sign(Self.body, at: Self.time) == header)
    try signature.verify(header, body: Self.body, now: Self.time)
    // Others may be there beside it: of an old secret, of another kind.
    try signature.verify("v0=x, \(header),v1=\(String(repeating: "0", count: 64))", body: Self.body, now: Self.time)
  }

  @Test("A signature holds for five minutes, either way")
  func tolerance() throws {
    let header = signature.sign(Self.body, at: Self.time)
    for offset: Int64 in [-300, 0, 300] { try signature.verify(header, body: Self.body, now: Self.time + offset) }
    for offset: Int64 in [-301, 301, 86_400] {
      #expect(throws: WebhookSignature.Fault.outsideTolerance) {
        try signature.verify(header, body: Self.body, now: Self.time + offset)
      }
    }
  }

  @Test("Another body, secret or time is noticed")
  func forged() {
    let header = signature.sign(Self.body, at: Self.time)
    let moved = header.replacing("t=1790000000", with: "t=1790000001")
    let other = WebhookSignature(secret: "another secret").sign(Self.body, at: Self.time)
    for (header, body) in [(header, Self.body + [0x20]), (header, []), (moved, Self.body), (other, Self.body)] {
      #expect(throws: WebhookSignature.Fault.wrong) { try signature.verify(header, body: body, now: Self.time) }
    }
  }

  @Test(
    "What is no signature is refused",
    arguments: [
      nil, "", "t=1790000000", "v1=00", "t=1790000000,v1=zz", "t=1790000000,v1=00ff", "t=x,v1=00",
      "t=1,t=2,v1=\(String(repeating: "0", count: 64))", "t=-1,v1=\(String(repeating: "0", count: 64))",
      "t=99999999999999999999,v1=00", String(repeating: "v1,", count: 1_000),
    ])
  func malformed(_ header: String?) {
    #expect(throws: WebhookSignature.Fault.malformed) {
      try signature.verify(header, body: Self.body, now: Self.time)
    }
  }

  @Test("An event is read as it was written; other kinds and other forms are none")
  func events() throws {
    let payment = ProviderPayment(id: "pay_1", reference: "r", status: .captured, amount: 1_500, currency: "EUR")
    let json = PaymentEvent.json(id: "evt_1", status: .authorized, created: 1, payment: payment)
    let event = try #require(PaymentEvent(json: json))
    #expect(event.id == "evt_1" && event.status == .authorized && event.payment == payment)
    let text = String(decoding: json, as: UTF8.self)
    for wrong in [
      "", "[]", "{}", text.replacing("payment.authorized", with: "payment.pending"),
      text.replacing("payment.authorized", with: "customer.created"), text.replacing("pay_1", with: "../x"),
      text.replacing("1500", with: "15.5"), String(text.dropLast()),
    ] { #expect(PaymentEvent(json: Array(wrong.utf8)) == nil, "\(wrong)") }
  }
}
