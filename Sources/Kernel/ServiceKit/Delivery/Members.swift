/// Who, objects all, belongs to which topic; a topic without members is forgotten. Whoever has it guards it with a lock.
package struct Members<Topic: Hashable & Sendable, Member: Sendable>: Sendable {
  private var byTopic: [Topic: [Member]] = [:]

  package init() {}

  /// The members of a topic in the order in which they came; nil if it has none.
  package subscript(topic: Topic) -> [Member]? { byTopic[topic] }

  /// Whether there are no members at all.
  package var isEmpty: Bool { byTopic.isEmpty }

  /// The topics that have members.
  package var topics: [Topic] { Array(byTopic.keys) }

  /// How many members there are; one of several topics counts for each.
  package var count: Int { byTopic.values.reduce(0) { $0 + $1.count } }

  package mutating func add(_ member: Member, to topic: Topic) { byTopic[topic, default: []].append(member) }

  package mutating func remove(_ member: Member, from topic: Topic) {
    byTopic[topic]?.removeAll { $0 as AnyObject === member as AnyObject }
    if byTopic[topic]?.isEmpty == true { byTopic[topic] = nil }
  }
}
