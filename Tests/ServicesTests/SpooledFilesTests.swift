import RPCRuntime
import ServiceKit
import Testing
import WireCodec

@testable import Expenditure

@Suite struct SpooledFilesTests {
  @Test("S-NFR10: files of an import have at most 512 MiB together, to the byte")
  func atMostTogether() throws {
    var spool = SpooledFiles()
    try spool.add(.head(.init()))
    let piece = [UInt8](repeating: 120, count: SpooledFiles.chunkMax)
    let (whole, rest) = SpooledFiles.bytesMax.quotientAndRemainder(dividingBy: piece.count)
    for (name, count) in [("a.csv", whole / 2), ("b.csv", whole - whole / 2)] {
      var file = Trackme_Expenditure_V1_FileHead()
      file.name = name
      try spool.add(.file(file))
      for _ in 0..<count { try spool.add(.chunk(piece)) }
    }
    try spool.add(.chunk([UInt8](piece.prefix(rest))))
    do {
      try spool.add(.chunk([120]))
      Issue.record("a byte more was taken")
    } catch let status as RPCStatus {
      #expect(status.code == .resourceExhausted && status.errorInfo?.reason == "IMPORT_TOO_LARGE")
    }
    #expect(spool.given.map(\.name) == ["a.csv", "b.csv"])
  }
}
