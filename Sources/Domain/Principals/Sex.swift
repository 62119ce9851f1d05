/// The sex in a person's identity document, as the fiscal code encodes it.
public enum Sex: String, Sendable, Codable, CaseIterable {
  case female
  case male
}
