package import AreaKit
package import ArgumentParser
package import Log
package import RPCRuntime

/// Salute Trasparente: what the Italian regions spend on health.
package struct ExpenditureArea: Area {
  package static let tables = AreaTables.expenditure
  package static var commands: [any ParsableCommand.Type] { [ExpenditureCommand.self] }

  private let service: ExpenditureService

  package init(_ house: House, _ settings: NoSettings) {
    service = ExpenditureService(house.storage, clock: house.clock)
  }

  package var methods: [RPCMethod] { service.methods }
}
