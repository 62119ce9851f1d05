/// What a bench says when it can't go on, or when a measured server has not done its work right.
package struct BenchError: Error, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}

/// Throws unless the condition holds. A bench that measures wrong answers is worth nothing.
package func check(_ condition: Bool, _ problem: @autoclosure () -> String) throws {
  if !condition { throw BenchError(problem()) }
}
