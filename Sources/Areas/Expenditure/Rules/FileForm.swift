/// What a file of figures holds. The number is the wire's and the database's.
package enum FileForm: Int, Sendable, Hashable, CaseIterable {
  case national = 1
  case regional = 2
  case bodies = 3
  case residents = 4
  case prices = 5
  case mobility = 6
}
