public import WireCodec

/// How many messages may stand within each other, the outermost one counted; as many as protobuf's json_format takes.
let nestingLimit = 100

/// The messages and methods of a descriptor set, resolved once. Whatever the set declares can be written as JSON and
/// read from it.
public final class ProtoSchema: Sendable {
  /// Every method of every service, in the order of the set.
  public let methods: [MethodType]
  /// The JSON of a message takes at most this many bytes for each byte of the message, and 64 more, whatever it holds:
  /// about as many as the longest name of an enum has letters.
  public let growth: Int
  private let tables: SchemaTables
  private let messageIndices: [String: Int32]
  private let methodIndices: [String: Int]

  /// The schema of what is built into the program: every file of Protos/ and what they import.
  public static let embedded: ProtoSchema = {
    // protoc wrote the set and the compiler embedded it: it can't be at fault because of what anybody sends.
    do { return try ProtoSchema(DescriptorSet.embeddedBytes) } catch { preconditionFailure("descriptor set \(error)") }
  }()

  /// Reads a serialized `google.protobuf.FileDescriptorSet` that holds whatever its files import.
  /// - Throws: `WireError` if it is none, or refers to what is not in it.
  public init(_ fileDescriptorSet: [UInt8]) throws(WireError) {
    let files = try fileDescriptorSet.reading { (bytes) throws(WireError) in try DescriptorReader(bytes) }.files
    let builder = try SchemaBuilder(files)
    let tables = SchemaTables(builder)
    var methods: [MethodType] = []
    for service in files.flatMap(\.services) {
      for method in service.methods {
        let path = "/\(service.name)/\(method.name)"
        guard let input = builder.messageIndices[method.input], let output = builder.messageIndices[method.output]
        else { throw WireError(field: path, problem: "takes or returns a message that is not in the set") }
        methods.append(
          MethodType(
            path: path, input: MessageType(tables, input), output: MessageType(tables, output),
            isClientStreaming: method.isClientStreaming, isServerStreaming: method.isServerStreaming,
            hasNoSideEffects: method.hasNoSideEffects))
      }
    }
    self.tables = tables
    self.methods = methods
    growth = builder.growth
    messageIndices = builder.messageIndices
    methodIndices = Dictionary(methods.indices.map { (methods[$0].path, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The message of a full name, such as "trackme.readings.v1.Reading"; nil if there is none.
  public func message(_ fullName: String) -> MessageType? { messageIndices[fullName].map { MessageType(tables, $0) } }

  /// The method of a path, such as "/trackme.ingest.v1.IngestService/PushReadings"; nil if there is none.
  public func method(_ path: String) -> MethodType? { methodIndices[path].map { methods[$0] } }

  /// The full names of all messages, sorted.
  public var messageNames: [String] { messageIndices.keys.sorted() }
}

/// A method of a service.
public struct MethodType: Sendable {
  /// "/package.Service/Method".
  public let path: String
  /// The message, or each message, that the client sends.
  public let input: MessageType
  /// The message, or each message, that the server sends.
  public let output: MessageType
  public let isClientStreaming: Bool
  public let isServerStreaming: Bool
  /// Whether the method has the option `idempotency_level = NO_SIDE_EFFECTS`: it may be called by HTTP GET.
  public let hasNoSideEffects: Bool
}

extension Array {
  /// `body` over the array's own bytes.
  func reading<R>(_ body: (UnsafeRawBufferPointer) throws(WireError) -> R) throws(WireError) -> R {
    let result: Result<R, WireError> = withUnsafeBytes { bytes in
      do throws(WireError) { return .success(try body(bytes)) } catch { return .failure(error) }
    }
    return try result.get()
  }
}
