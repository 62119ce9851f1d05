package import IdentityRules
package import WireCodec

extension Trackme_Identity_V1_ThirdPartyDetails {
  package init(_ profile: ThirdPartyProfile) {
    self.init(profile.holder, description: profile.description)
  }

  package init(_ holder: CodeHolder, description: String = "") {
    self.init(name: holder.name, description: description, kind: .init(holder.kind), checked: holder.checked)
  }
}

extension Trackme_Identity_V1_HolderKind {
  package init(_ kind: HolderKind) { self.init(rawValue: Int32(kind.rawValue)) }
}

extension HolderKind {
  /// The kind that a request names; `unknown` if it names none.
  package init(_ kind: Trackme_Identity_V1_HolderKind) {
    self = HolderKind.allCases.first { Int32($0.rawValue) == kind.rawValue } ?? .unknown
  }
}
