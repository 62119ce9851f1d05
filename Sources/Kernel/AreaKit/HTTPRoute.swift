package import Inbound

/// What an area answers over HTTP. One server listens at each address, whichever areas have routes there.
package struct HTTPRoute: Sendable {
  /// Where it listens.
  package let address: ListenAddress
  /// Such as "/v1/payment-events"; every other path of the address is 404.
  package let path: String
  /// Answers a request; its task is cancelled when it takes too long.
  package let answer: @Sendable (InboundRequest) async -> InboundResponse

  package init(
    _ address: ListenAddress, _ path: String, answer: @escaping @Sendable (InboundRequest) async -> InboundResponse
  ) {
    self.address = address
    self.path = path
    self.answer = answer
  }
}
