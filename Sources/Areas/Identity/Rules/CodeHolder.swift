internal import Domain

/// What a third party is, as an administrator has put it down.
public enum HolderKind: Int16, Sendable, Hashable, CaseIterable {
  /// Nobody has said it: the code is older than its holders' kinds.
  case unknown = 0
  case company = 1
  case healthCare = 2
  case researchInstitute = 3
  case publicAuthority = 4
  case association = 5
}

/// Who a code is for: what persons see of the third party that registers with it.
public struct CodeHolder: Sendable, Hashable {
  public static let maxNameCharacters = 200
  public static let maxCheckedCharacters = 500

  public let name: String
  public let kind: HolderKind
  /// What was checked, and how, in the words of whoever did; empty if nothing was.
  public let checked: String

  public init(name: String, kind: HolderKind, checked: String) {
    self.name = name
    self.kind = kind
    self.checked = checked
  }

  /// What is wrong with one that an administrator names, by fields of the request; empty if nothing is.
  public var problems: [(field: String, problem: String)] {
    var problems: [(field: String, problem: String)] = []
    if let problem = PlainText.problem(name, length: 1...Self.maxNameCharacters) {
      problems.append(("company", problem))
    }
    if kind == .unknown { problems.append(("kind", "must be a kind of holder")) }
    if !checked.isEmpty,
      let problem = PlainText.problem(checked, length: 1...Self.maxCheckedCharacters, isParagraph: true)
    {
      problems.append(("checked", problem))
    }
    return problems
  }

  /// Whether a third party that calls itself so may have the code: it says the holder's name, or none.
  public func admits(name other: String) -> Bool { other.isEmpty || other == name }
}
