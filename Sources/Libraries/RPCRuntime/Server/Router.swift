/// A method as a server serves it: behind its interceptors, with the ends of its calls counted.
final class RoutedMethod: Sendable {
  let path: String
  let limits: CallLimits
  let handler: RPCMethod.Handler
  let ended = CallCounts()

  init(_ method: RPCMethod, interceptors: [any ServerInterceptor], defaultMaxReceiveMessageBytes: Int) {
    path = method.path
    var limits = method.limits
    if limits.maxReceiveMessageBytes == nil { limits.maxReceiveMessageBytes = defaultMaxReceiveMessageBytes }
    self.limits = limits
    handler = interceptors.reversed().reduce(method.handler) { next, interceptor in
      { call in try await interceptor.intercept(call, next: next) }
    }
  }
}

/// Finds methods by path.
struct Router: Sendable {
  private let methods: [String: RoutedMethod]

  init(_ methods: [RPCMethod], interceptors: [any ServerInterceptor], defaultMaxReceiveMessageBytes: Int) throws {
    var table: [String: RoutedMethod] = [:]
    for method in methods {
      let routed = RoutedMethod(
        method, interceptors: interceptors, defaultMaxReceiveMessageBytes: defaultMaxReceiveMessageBytes)
      guard table.updateValue(routed, forKey: method.path) == nil else {
        throw ServerError.duplicateMethod(method.path)
      }
    }
    self.methods = table
  }

  func method(at path: String) -> RoutedMethod? { methods[path] }

  var all: [RoutedMethod] { Array(methods.values) }

  /// The longest message that any method takes, in bytes.
  var maxReceiveMessageBytes: Int { methods.values.reduce(0) { max($0, $1.limits.maxReceiveMessageBytes ?? 0) } }
}
