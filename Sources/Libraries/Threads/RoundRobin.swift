internal import DequeModule

/// Who waits, by whom they belong to: keys take turns, and of each key whoever has waited longest.
public struct RoundRobin<Key: Hashable, Element> {
  /// Nobody's is empty.
  private var waiting: [Key: Deque<Element>] = [:]
  /// Those who wait, the one whose turn it is first.
  private var order: Deque<Key> = []
  /// How many wait.
  public private(set) var count = 0

  public init() {}

  public var isEmpty: Bool { count == 0 }

  /// How many of a key's wait.
  public func count(of key: Key) -> Int { waiting[key]?.count ?? 0 }

  /// The key that has most waiting; nil if nobody waits.
  public var longest: Key? { waiting.max { $0.value.count < $1.value.count }?.key }

  /// Puts an element behind the others of its key.
  public mutating func append(_ element: Element, of key: Key) {
    if waiting[key] == nil { order.append(key) }
    waiting[key, default: []].append(element)
    count += 1
  }

  /// Takes out the first element of a key that the condition holds for.
  /// - Returns: nil if there is none.
  public mutating func remove(of key: Key, where isWanted: (Element) -> Bool) -> Element? {
    guard let index = waiting[key]?.firstIndex(where: isWanted) else { return nil }
    return remove(at: index, of: key)
  }

  /// Takes out the element of a key that came last.
  /// - Returns: nil if there is none.
  public mutating func removeLast(of key: Key) -> Element? {
    guard let index = waiting[key]?.indices.last else { return nil }
    return remove(at: index, of: key)
  }

  /// Takes out the oldest element of the next key that may have a turn, whose next turn is then the last.
  /// - Returns: nil if there is none.
  public mutating func popNext(where mayHaveTurn: (Key) -> Bool = { _ in true }) -> (key: Key, element: Element)? {
    guard let index = order.firstIndex(where: mayHaveTurn) else { return nil }
    let key = order[index]
    guard let element = remove(at: 0, of: key) else { return nil }
    if waiting[key] != nil { order.append(order.remove(at: index)) }
    return (key, element)
  }

  private mutating func remove(at index: Int, of key: Key) -> Element? {
    let element = waiting[key]?.remove(at: index)
    count -= 1
    if waiting[key]?.isEmpty == true {
      waiting[key] = nil
      order.removeAll { $0 == key }
    }
    return element
  }
}

extension RoundRobin: Sendable where Key: Sendable, Element: Sendable {}
