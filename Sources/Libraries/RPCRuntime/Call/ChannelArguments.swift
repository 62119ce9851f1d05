import CGRPC
import CGRPCSupport

/// The settings handed to gRPC when a server or a channel is made.
final class ChannelArguments {
  private let list = tmrpc_arguments_create()

  deinit { tmrpc_arguments_destroy(list) }

  var view: UnsafePointer<grpc_channel_args>? { tmrpc_arguments_view(list) }

  func set(_ key: String, _ value: Int) {
    tmrpc_arguments_set_integer(list, key, Int32(clamping: value))
  }

  func set(_ key: String, _ value: Duration) {
    set(key, value.milliseconds)
  }

  func set(_ key: String, _ value: String) {
    tmrpc_arguments_set_string(list, key, value)
  }

  /// - Parameter value: must live as long as what is made with the arguments.
  func set(_ key: String, _ value: OpaquePointer) {
    tmrpc_arguments_set_pointer(list, key, UnsafeMutableRawPointer(value))
  }
}

extension Duration {
  /// Whole milliseconds, rounded up.
  var milliseconds: Int {
    let (seconds, attoseconds) = components
    let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000)
    return overflow ? .max : Int(whole) + Int((attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
  }
}
