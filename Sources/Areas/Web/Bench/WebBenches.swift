package import ArgumentParser

/// Of `trackme bench`.
package let webBenches: [any ParsableCommand.Type] = [
  WebBench.self,
  // What it starts, in a process of its own.
  WebSpectatorLoad.self,
]
