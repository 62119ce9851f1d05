package import ArgumentParser

/// Of `trackme bench`.
package let sosBenches: [any ParsableCommand.Type] = [
  SosBench.self,
  // What it starts, each in a process of its own.
  SosLoad.self, DispatcherLoad.self, MonitorLoad.self,
]
