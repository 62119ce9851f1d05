import Foundation
import RPCRuntime
import Testing

extension RPCRuntimeTests {
  @Suite struct TLS {
    static let whoami = RPCMethod(path: "/test.TLS/WhoAmI") { call in
      let identity = call.peerIdentity
      call.sendLast(RPCMessage("\(identity?.commonName ?? "nobody") \(identity?.alternativeNames ?? [])"))
    }

    @Test func aVerifiedServerAnswers() async throws {
      let certificates = try Certificates()
      let configuration = ServerConfiguration(
        tls: ServerTLS(certificateChain: certificates.server, privateKey: certificates.serverKey))
      let security = ClientSecurity.tls(
        ClientTLS(rootCertificates: certificates.authority, serverName: "server.test"))
      try await withRig([Self.whoami], configuration: configuration, security: security) { rig in
        let answer = try await rig.channel.unary("/test.TLS/WhoAmI", RPCMessage(""))
        #expect(answer.text == "nobody []")
        let clear = try await statusThrown { _ = try await rig.channel().unary("/test.TLS/WhoAmI", RPCMessage("")) }
        #expect(clear.code == .unavailable)
      }
    }

    @Test func aServerOfAnotherNameOrAuthorityIsNotTrusted() async throws {
      let certificates = try Certificates()
      let configuration = ServerConfiguration(
        tls: ServerTLS(certificateChain: certificates.server, privateKey: certificates.serverKey))
      try await withRig([Self.whoami], configuration: configuration) { rig in
        for tls in [
          ClientTLS(rootCertificates: certificates.authority, serverName: "other.test"),
          ClientTLS(rootCertificates: try Certificates().authority, serverName: "server.test"),
        ] {
          let channel = Channel(target: "127.0.0.1:\(rig.port)", security: .tls(tls), loops: rig.clientLoops)
          let status = try await statusThrown { _ = try await channel.unary("/test.TLS/WhoAmI", RPCMessage("")) }
          #expect(status.code == .unavailable)
          await channel.close()
        }
      }
    }

    @Test func mutualTLSTellsWhoTheClientIs() async throws {
      let certificates = try Certificates()
      let configuration = ServerConfiguration(
        tls: ServerTLS(
          certificateChain: certificates.server, privateKey: certificates.serverKey,
          clientCertificateAuthority: certificates.authority))
      let security = ClientSecurity.tls(
        ClientTLS(
          rootCertificates: certificates.authority, certificateChain: certificates.client,
          privateKey: certificates.clientKey, serverName: "server.test"))
      try await withRig([Self.whoami], configuration: configuration, security: security) { rig in
        let answer = try await rig.channel.unary("/test.TLS/WhoAmI", RPCMessage(""))
        #expect(answer.text == "bridge-7 [\"bridge-7.test\"]")

        let stranger = Channel(
          target: "127.0.0.1:\(rig.port)",
          security: .tls(ClientTLS(rootCertificates: certificates.authority, serverName: "server.test")),
          loops: rig.clientLoops)
        let status = try await statusThrown { _ = try await stranger.unary("/test.TLS/WhoAmI", RPCMessage("")) }
        #expect(status.code == .unavailable)
        await stranger.close()
      }
    }

    @Test func unusableCertificatesAreToldApart() async throws {
      let loops = EventLoopGroup(count: 1)
      let server = try Server(
        configuration: ServerConfiguration(tls: ServerTLS(certificateChain: "no", privateKey: "pem")), methods: [],
        loops: loops)
      #expect(throws: ServerError.self) { _ = try server.start() }
      loops.shutdown()
    }
  }
}

/// An authority with a server's and a client's certificate, made by the openssl command.
struct Certificates {
  let authority: String
  let server: String
  let serverKey: String
  let client: String
  let clientKey: String

  init() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("rpc-tls-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let script = """
      set -e
      key="-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes"
      openssl req -x509 $key -keyout ca.key -out ca.pem -days 2 -subj "/CN=test authority"
      issue() {
        openssl req $key -keyout $1.key -out $1.csr -subj "/CN=$2"
        printf 'subjectAltName=DNS:%s' "$3" > $1.ext
        openssl x509 -req -in $1.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -extfile $1.ext -out $1.pem
      }
      issue server server server.test
      issue client bridge-7 bridge-7.test
      """
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", script]
    process.currentDirectoryURL = folder
    process.standardError = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    func text(_ name: String) throws -> String {
      try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
    }
    authority = try text("ca.pem")
    server = try text("server.pem")
    serverKey = try text("server.key")
    client = try text("client.pem")
    clientKey = try text("client.key")
  }
}
