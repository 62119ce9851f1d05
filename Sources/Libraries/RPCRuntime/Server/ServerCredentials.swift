import CGRPC
import CGRPCSupport

extension ServerTLS {
  /// Makes gRPC credentials, which the caller releases; nil when the texts are not usable.
  func makeCredentials() -> OpaquePointer? {
    let request: grpc_ssl_client_certificate_request_type =
      switch clientCertificate {
      case .ignored: GRPC_SSL_DONT_REQUEST_CLIENT_CERTIFICATE
      case .verifiedIfShown: GRPC_SSL_REQUEST_CLIENT_CERTIFICATE_AND_VERIFY
      case .required: GRPC_SSL_REQUEST_AND_REQUIRE_CLIENT_CERTIFICATE_AND_VERIFY
      }
    return privateKey.withCString { key in
      certificateChain.withCString { chain in
        var pair = grpc_ssl_pem_key_cert_pair(private_key: key, cert_chain: chain)
        guard let authority = clientCertificateAuthority else {
          return grpc_ssl_server_credentials_create_ex(nil, &pair, 1, request, nil)
        }
        return authority.withCString { grpc_ssl_server_credentials_create_ex($0, &pair, 1, request, nil) }
      }
    }
  }
}

extension ServerConfiguration {
  /// Writes the configuration as channel arguments.
  func write(to arguments: ChannelArguments, maxReceiveMessageBytes: Int) {
    arguments.set(GRPC_ARG_MAX_RECEIVE_MESSAGE_LENGTH, maxReceiveMessageBytes)
    arguments.set(GRPC_ARG_MAX_SEND_MESSAGE_LENGTH, -1)
    arguments.set(GRPC_ARG_MAX_METADATA_SIZE, maxMetadataBytes)
    arguments.set(GRPC_ARG_MAX_CONCURRENT_STREAMS, maxConcurrentStreamsPerConnection)
    arguments.set(GRPC_ARG_KEEPALIVE_TIME_MS, keepalive.interval)
    arguments.set(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, keepalive.timeout)
    // Go and Java clients ping as they like; answering with GOAWAY "too_many_pings" would cut their streams.
    arguments.set(GRPC_ARG_KEEPALIVE_PERMIT_WITHOUT_CALLS, 1)
    arguments.set(GRPC_ARG_HTTP2_MIN_RECV_PING_INTERVAL_WITHOUT_DATA_MS, minClientPingInterval)
    if minClientPingInterval == .zero { arguments.set(GRPC_ARG_HTTP2_MAX_PING_STRIKES, 0) }
    arguments.set(GRPC_ARG_HTTP2_MAX_PINGS_WITHOUT_DATA, 0)
    arguments.set(GRPC_ARG_SERVER_HANDSHAKE_TIMEOUT_MS, handshakeTimeout)
    if let maxConnectionIdle { arguments.set(GRPC_ARG_MAX_CONNECTION_IDLE_MS, maxConnectionIdle) }
    if let maxConnectionAge { arguments.set(GRPC_ARG_MAX_CONNECTION_AGE_MS, maxConnectionAge) }
    if let maxConnectionAgeGrace { arguments.set(GRPC_ARG_MAX_CONNECTION_AGE_GRACE_MS, maxConnectionAgeGrace) }
    arguments.set(GRPC_ARG_HTTP2_BDP_PROBE, probesBandwidth ? 1 : 0)
    // Nothing here compresses what it sends. What comes compressed is decompressed by the call, which knows how long it may be.
    arguments.set(GRPC_ARG_ENABLE_PER_MESSAGE_COMPRESSION, 0)
    arguments.set(GRPC_ARG_ENABLE_PER_MESSAGE_DECOMPRESSION, 0)
    arguments.set(GRPC_ARG_ENABLE_CHANNELZ, 0)
  }
}
