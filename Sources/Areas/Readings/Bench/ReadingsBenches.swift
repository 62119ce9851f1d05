package import ArgumentParser

/// Of `trackme bench`.
package let readingsBenches: [any ParsableCommand.Type] = [
  IngestBench.self, PushBench.self, QueryBench.self,
  // What they start, each in a process of its own.
  ReadingLoad.self, CopyLoad.self, SubscriberLoad.self, HistoryLoad.self,
]
