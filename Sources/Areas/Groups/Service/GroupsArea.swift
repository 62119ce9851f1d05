package import AreaKit
internal import Identity
package import Log
package import RPCRuntime

/// Anonymous groups: what each person shares anonymously.
package struct GroupsArea: Area {
  package static let tables = AreaTables.groups

  private let service: GroupService

  package init(_ house: House, _ settings: NoSettings) {
    service = GroupService(
      sharing: house.storage.anonymousSharing, metrics: house.storage.metrics, clock: house.clock)
    house[IdentityArea.self].additions.add(
      .anonymousSharing(metrics: house.storage.metrics, clock: house.clock))
  }

  package var methods: [RPCMethod] { service.methods }
}
