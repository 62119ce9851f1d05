/// Why bytes are not a valid message.
public struct WireError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The path of the field at fault in the names of the .proto file, such as "batch.readings.sources[2]"; empty if the
  /// message as a whole can't be read.
  public var field: String
  /// What is wrong, to be read after the field's name, such as "is not valid UTF-8".
  public var problem: String

  public init(field: String, problem: String) {
    self.field = field
    self.problem = problem
  }

  public var description: String { (field.isEmpty ? "message" : field) + " " + problem }

  /// The same error as seen from the message that holds the faulty one in `field`.
  package func inside(_ field: String) -> WireError {
    WireError(field: self.field.isEmpty ? field : field + "." + self.field, problem: problem)
  }
}
