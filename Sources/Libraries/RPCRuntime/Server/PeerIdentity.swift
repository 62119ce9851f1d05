import CGRPC

/// Who a client's certificate says it is. The certificate was verified against the server's client CA.
public struct PeerIdentity: Sendable, Equatable {
  /// The subject's common name, or empty.
  public let commonName: String
  /// The subject's alternative names of every kind, in the certificate's order.
  public let alternativeNames: [String]
  /// The certificate in PEM.
  public let certificatePEM: String

  init?(of call: OpaquePointer?) {
    guard let context = grpc_call_auth_context(call) else { return nil }
    defer { grpc_auth_context_release(context) }
    guard grpc_auth_context_peer_is_authenticated(context) != 0 else { return nil }
    var commonName = ""
    var names: [String] = []
    var pem = ""
    var properties = grpc_auth_context_property_iterator(context)
    while let property = grpc_auth_property_iterator_next(&properties)?.pointee {
      let value = UnsafeRawBufferPointer(start: property.value, count: property.value_length)
      let text = String(decoding: value, as: UTF8.self)
      switch String(cString: property.name) {
      case "x509_common_name": commonName = text
      case "x509_subject_alternative_name": names.append(text)
      case "x509_pem_cert": pem = text
      default: break
      }
    }
    if pem.isEmpty { return nil }
    self.commonName = commonName
    alternativeNames = names
    certificatePEM = pem
  }
}
