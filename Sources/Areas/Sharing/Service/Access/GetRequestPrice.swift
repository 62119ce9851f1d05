internal import Payments
internal import RPCRuntime
public import ServiceAPI
public import WireCodec

extension AccessService {
  /// What a request costs that is made now; without a price, nothing.
  public func getRequestPrice(
    _ request: Trackme_Sharing_V1_GetRequestPriceRequest, context: CallContext
  ) async throws -> Trackme_Sharing_V1_GetRequestPriceResponse {
    .init(price: price.map { .init($0) })
  }
}
