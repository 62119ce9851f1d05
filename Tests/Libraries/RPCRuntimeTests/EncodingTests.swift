import Testing

@testable import RPCRuntime

extension RPCRuntimeTests {
  @Suite struct Encodings {
    @Test func anEncodingThatIsNotKnownIsUnimplemented() async throws {
      try await withRig([Methods.echo]) { rig in
        let client = try RawHTTP2(port: rig.port)
        client.write(client.call("/test.Echo/Echo", [("grpc-encoding", "zstd")], message: [1, 2, 3]))
        let answer = client.read(until: "grpc-status")
        #expect(answer.contains(status: "12"))
      }
    }

    @Test func aMessageThatIsMarkedAsCompressedWithoutAnEncodingIsInternal() async throws {
      try await withRig([Methods.echo]) { rig in
        let client = try RawHTTP2(port: rig.port)
        client.write(client.call("/test.Echo/Echo", message: [1, 2, 3], flag: 1))
        let answer = client.read(until: "grpc-status")
        #expect(answer.contains(status: "13"))
      }
    }

    /// "hello", as zlib writes it.
    private static let hello: [String: [UInt8]] = [
      "gzip": [
        31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 203, 72, 205, 201, 201, 7, 0, 134, 166, 16, 54, 5, 0, 0, 0,
      ],
      "deflate": [120, 156, 203, 72, 205, 201, 201, 7, 0, 6, 44, 2, 21],
    ]

    @Test(arguments: ["gzip", "deflate"]) func aCompressedMessageIsRead(_ encoding: String) async throws {
      try await withRig([Methods.unary]) { rig in
        let client = try RawHTTP2(port: rig.port)
        let message = try #require(Self.hello[encoding])
        client.write(client.call("/test.Echo/Unary", [("grpc-encoding", encoding)], message: message, flag: 1))
        let answer = client.read(until: "grpc-status")
        #expect(answer.contains(status: "0"))
        #expect(answer.firstRange(of: [0, 0, 0, 0, 5] + Array("hello".utf8)) != nil)
      }
    }

    /// What is no text that gzip has written.
    private static let damaged: [String: [UInt8]] = [
      "cut short": hello["gzip"]!.dropLast(9), "empty": [], "with more behind it": hello["gzip"]! + [0],
      "of another kind": hello["deflate"]!, "nothing of the kind": [1, 2, 3],
    ]

    @Test(arguments: damaged.keys.sorted())
    func aMessageThatCannotBeDecompressedIsInvalid(_ how: String) async throws {
      let message = try #require(Self.damaged[how])
      try await withRig([Methods.unary]) { rig in
        let client = try RawHTTP2(port: rig.port)
        let headers = [("grpc-encoding", "gzip")]
        client.write(client.call("/test.Echo/Unary", headers, message: message, flag: 1))
        #expect(client.read(until: "grpc-status").contains(status: "3"))
      }
    }

    /// So often 64 KiB of zeros, each in a block of its own.
    private static func zeros(_ count: Int) -> [UInt8] {
      let block: [UInt8] =
        [236, 193, 1, 1, 0, 0, 0, 128, 144, 254, 175, 238, 8, 10] + [UInt8](repeating: 0, count: 63)
        + [106, 0, 0, 0, 255, 255]
      return [31, 139, 8, 0, 0, 0, 0, 0, 2, 3] + Array(repeatElement(block, count: count).joined())
    }

    /// A bomb of 12 MiB, or of 128 KiB for a stranger, in one frame.
    @Test(arguments: [("known", 190, 4 << 20), ("stranger", 2, 64 << 10)])
    func nothingIsDecompressedBeyondWhatAMessageMayHave(_ caller: String, _ blocks: Int, _ limit: Int) async throws {
      try await withRig([Methods.unary], interceptors: [ReadingBoundsTests.Reads()]) { rig in
        let client = try RawHTTP2(port: rig.port)
        let headers = [("grpc-encoding", "gzip"), ("as", caller)]
        client.write(client.call("/test.Echo/Unary", headers, message: Self.zeros(blocks), flag: 1))
        let answer = client.read(until: "limit")
        #expect(answer.contains(status: "8"))
        let text = "the message has more than \(limit) bytes when it is decompressed"
        #expect(answer.firstRange(of: Array(text.utf8)) != nil)
      }
    }
  }
}

extension [UInt8] {
  /// Whether the headers hold a `grpc-status`, as gRPC's core writes it: literals without Huffman's code.
  fileprivate func contains(status: String) -> Bool {
    firstRange(of: Array("grpc-status".utf8) + [UInt8(status.utf8.count)] + Array(status.utf8)) != nil
  }
}
