package import ArgumentParser

/// Of `trackme bench`.
package let expenditureBenches: [any ParsableCommand.Type] = [ExpenditureBench.self]
