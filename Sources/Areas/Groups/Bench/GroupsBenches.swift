package import ArgumentParser

/// Of `trackme bench`.
package let groupsBenches: [any ParsableCommand.Type] = [GroupsBench.self]
