/// A name and type for something interceptors attach to a call.
///
///     enum CallerKey: CallValueKey { typealias Value = Caller }
///     call.values[CallerKey.self] = caller
public protocol CallValueKey {
  /// The type of what is attached.
  associatedtype Value: Sendable
}

/// What interceptors have attached to a call, by key.
public struct CallValues: Sendable {
  private var values: [ObjectIdentifier: any Sendable] = [:]

  /// Makes an empty store.
  public init() {}

  /// The value under a key, or nil.
  public subscript<Key: CallValueKey>(key: Key.Type) -> Key.Value? {
    get { values[ObjectIdentifier(key)] as? Key.Value }
    set { values[ObjectIdentifier(key)] = newValue }
  }
}
