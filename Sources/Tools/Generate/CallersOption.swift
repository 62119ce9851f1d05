import CMessages
import CProtobufC

// Who may make a call, as the option trackme.options.v1.callers of a method says.

/// The full name of the enum of kinds of callers.
let callerEnum = "trackme.options.v1.Caller"

/// Services that others have published. Their files name no callers: everyone may call them.
let openServices: Set = [
  "grpc.health.v1.Health", "grpc.reflection.v1.ServerReflection", "grpc.reflection.v1alpha.ServerReflection",
]

/// The number of the option's field.
private let optionField: UInt32 = 50_001

/// The numbers of the callers that a method's options name. protobuf-c knows no extensions, so they stand among the
/// unknown fields; protoc writes each as a varint of its own, and they are small.
func callers(in options: UnsafeMutablePointer<Google__Protobuf__MethodOptions>?) -> [Int32] {
  guard let options else { return [] }
  let fields = UnsafeBufferPointer(
    start: options.pointee.base.unknown_fields, count: Int(options.pointee.base.n_unknown_fields))
  return fields.compactMap { field in
    guard field.tag == optionField, field.wire_type == PROTOBUF_C_WIRE_TYPE_VARINT, field.len == 1 else { return nil }
    return Int32(field.data[0])
  }
}
