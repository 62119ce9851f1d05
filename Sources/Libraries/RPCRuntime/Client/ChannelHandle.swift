import CGRPC
import CGRPCSupport

extension ChannelOptions {
  fileprivate func write(to arguments: ChannelArguments) {
    arguments.set(GRPC_ARG_MAX_RECEIVE_MESSAGE_LENGTH, maxReceiveMessageBytes)
    arguments.set(GRPC_ARG_MAX_SEND_MESSAGE_LENGTH, -1)
    arguments.set(GRPC_ARG_MAX_METADATA_SIZE, maxMetadataBytes)
    if let keepalive {
      arguments.set(GRPC_ARG_KEEPALIVE_TIME_MS, keepalive.interval)
      arguments.set(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, keepalive.timeout)
      arguments.set(GRPC_ARG_KEEPALIVE_PERMIT_WITHOUT_CALLS, 1)
      arguments.set(GRPC_ARG_HTTP2_MAX_PINGS_WITHOUT_DATA, 0)
    }
    if usesOwnConnection { arguments.set(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1) }
    arguments.set(GRPC_ARG_INITIAL_RECONNECT_BACKOFF_MS, min(.seconds(1), maxReconnectBackoff))
    arguments.set(GRPC_ARG_MIN_RECONNECT_BACKOFF_MS, .seconds(1))
    arguments.set(GRPC_ARG_MAX_RECONNECT_BACKOFF_MS, maxReconnectBackoff)
    if let authority { arguments.set(GRPC_ARG_DEFAULT_AUTHORITY, authority) }
    if let userAgent { arguments.set(GRPC_ARG_PRIMARY_USER_AGENT_STRING, userAgent) }
    arguments.set(GRPC_ARG_ENABLE_HTTP_PROXY, usesHTTPProxy ? 1 : 0)
    arguments.set(GRPC_ARG_SERVICE_CONFIG_DISABLE_RESOLUTION, 1)
    // A message is never buffered for a retry: who sends decides what to send again.
    arguments.set(GRPC_ARG_ENABLE_RETRIES, 0)
    // Nothing here compresses what it sends; what comes compressed is still read.
    arguments.set(GRPC_ARG_ENABLE_PER_MESSAGE_COMPRESSION, 0)
    arguments.set(GRPC_ARG_ENABLE_CHANNELZ, 0)
  }
}

extension ClientSecurity {
  /// Makes a gRPC channel; the caller destroys it.
  func makeChannel(target: String, options: ChannelOptions) -> OpaquePointer {
    let arguments = ChannelArguments()
    options.write(to: arguments)
    let credentials: OpaquePointer?
    switch self {
    case .plaintext: credentials = grpc_insecure_credentials_create()
    case .tls(let tls):
      if let name = tls.serverName { arguments.set(GRPC_SSL_TARGET_NAME_OVERRIDE_ARG, name) }
      credentials = tls.makeCredentials()
    }
    guard let credentials else {
      return grpc_lame_client_channel_create(target, GRPC_STATUS_UNAVAILABLE, "the TLS certificates are not usable")
    }
    defer { grpc_channel_credentials_release(credentials) }
    return grpc_channel_create(target, credentials, arguments.view)
  }
}

extension ClientTLS {
  fileprivate func makeCredentials() -> OpaquePointer? {
    withOptionalCString(rootCertificates) { roots in
      withOptionalCString(privateKey) { key in
        withOptionalCString(certificateChain) { chain in
          guard let key, let chain else { return grpc_ssl_credentials_create_ex(roots, nil, nil, nil) }
          var pair = grpc_ssl_pem_key_cert_pair(private_key: key, cert_chain: chain)
          return grpc_ssl_credentials_create_ex(roots, &pair, nil, nil)
        }
      }
    }
  }
}

private func withOptionalCString<R>(_ text: String?, _ body: (UnsafePointer<CChar>?) -> R) -> R {
  guard let text else { return body(nil) }
  return text.withCString { body($0) }
}
