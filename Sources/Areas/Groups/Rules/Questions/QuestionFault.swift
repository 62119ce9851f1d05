/// What is wrong with a question.
package struct QuestionFault: Error, Sendable, Hashable {
  /// The field of the question, as in the proto.
  package let field: String
  package let reason: String

  package init(_ field: String, _ reason: String) {
    self.field = field
    self.reason = reason
  }
}
