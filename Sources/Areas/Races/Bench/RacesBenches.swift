package import ArgumentParser

/// Of `trackme bench`.
package let racesBenches: [any ParsableCommand.Type] = [
  RaceBench.self,
  // What it starts, each in a process of its own.
  RunnerLoad.self, SpectatorLoad.self,
]
