import WireCodec

/// What the .proto files say about the services of this program.
public enum ServiceDescriptors {
  /// The serialized `google.protobuf.FileDescriptorSet` of every .proto file and what they import, without comments.
  public static let fileDescriptorSet: [UInt8] = DescriptorSet.embeddedBytes
}
