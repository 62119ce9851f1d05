package import CoreMetrics

/// What is counted or measured under one name: declared once, beside what it is about.
package struct MetricFamily: Sendable, Hashable {
  package enum Kind: Sendable, Hashable {
    /// Only grows while a server lives.
    case counter
    /// Goes up and down.
    case gauge
    /// How often something was how large: counted by upper bounds, which rise and leave out the infinite one.
    case histogram(upTo: [Double])
  }

  /// What tells the members of a family apart. Its values come out of the code and never from a client: no person,
  /// account, token, address or text of somebody's.
  package struct Label: Sendable, Hashable {
    package let name: String
    /// All that there are; nil: the constants that whoever looks gives.
    package let values: [String]?

    package init(_ name: String, _ values: [String]? = nil) {
      self.name = name
      self.values = values
    }
  }

  /// Such as "trackme_commit_seconds": with the unit (seconds, bytes, none of their multiples), and "_total" for counters.
  package let name: String
  package let kind: Kind
  /// In a line.
  package let meaning: String
  package let labels: [Label]

  package init(_ kind: Kind, _ name: String, _ meaning: String, labels: [Label] = []) {
    self.kind = kind
    self.name = name
    self.meaning = meaning
    self.labels = labels
  }
}

/// For what is counted when it happens. To be made once, after the program has said where metrics go, and kept: finding
/// one takes a lock, counting with it does not.
extension MetricFamily {
  /// - Parameter values: of the labels, in their order.
  package func counter(_ values: String...) -> Counter { Counter(label: name, dimensions: dimensions(values)) }

  /// For a histogram of seconds.
  /// - Parameter values: of the labels, in their order.
  package func timer(_ values: String...) -> Timer { Timer(label: name, dimensions: dimensions(values)) }

  private func dimensions(_ values: [String]) -> [(String, String)] {
    precondition(values.count == labels.count, "\(name) has \(labels.count) labels")
    return zip(labels, values).map { ($0.name, $1) }
  }
}

extension Timer {
  /// Records a time.
  package func record(_ duration: Duration) {
    let (seconds, attoseconds) = duration.components
    recordNanoseconds(seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
  }
}
