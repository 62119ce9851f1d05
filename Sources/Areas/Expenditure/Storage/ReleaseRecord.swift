package import Domain
package import ExpenditureRules
internal import Crypto
internal import ServiceKit
package import WireCodec

/// A release: files, and what the checks found.
package struct ReleaseRecord: Sendable, Hashable {
  package struct File: Sendable, Hashable {
    package let name: String
    package let form: FileForm
    package let sha256: [UInt8]
    package let rows: Int64
    package let firstYear: Int
    package let lastYear: Int
    package let source: FigureSource
    /// Whether an earlier release has it.
    package var wasImportedBefore = false
  }

  /// Something that a check came upon.
  package struct Finding: Sendable, Hashable {
    package let kind: CheckKind
    package let year: Int
    package let territory: TerritoryCode
    package let voice: VoiceCode
    package let expectedCents: Int64
    package let foundCents: Int64
    package let release: Int64
    package let file: String
    package let row: Int64
  }

  /// The most findings that are kept; the counts are of all.
  package static let findingsMax = 200

  /// 0: none was made.
  package var number: Int64
  package let createdAt: Microseconds
  package let note: String
  package var files: [File]
  package var checks: [CheckCount] = []
  package var findings: [Finding] = []

  package init(number: Int64, createdAt: Microseconds, note: String, files: [File]) {
    self.number = number
    self.createdAt = createdAt
    self.note = note
    self.files = files
  }

  /// As callers are told, and as it is stored.
  package var wire: Trackme_Expenditure_V1_Release {
    .init(
      number: number, createdTime: Google_Protobuf_Timestamp(createdAt), note: note, files: files.map(\.wire),
      checks: checks.map { .init(kind: .init(rawValue: Int32($0.kind.rawValue)), made: $0.made, failed: $0.failed) },
      findings: findings.map(\.wire), etag: number == 0 ? "" : Self.etag(number, isPublished: false))
  }

  /// It changes when the release is published.
  static func etag(_ number: Int64, isPublished: Bool) -> String { "\(number)-\(isPublished ? 2 : 1)" }
}

extension ReleaseRecord.File {
  fileprivate var wire: Trackme_Expenditure_V1_ImportedFile {
    .init(
      name: name, form: .init(rawValue: Int32(form.rawValue)), sha256: Hexadecimal.text(of: sha256), rows: rows,
      firstYear: Int32(clamping: firstYear), lastYear: Int32(clamping: lastYear),
      source: .init(name: source.name, licence: source.licence, uri: source.uri), importedBefore: wasImportedBefore)
  }
}

extension ReleaseRecord.Finding {
  fileprivate var wire: Trackme_Expenditure_V1_Finding {
    .init(
      kind: .init(rawValue: Int32(kind.rawValue)), blocks: kind.blocks, year: Int32(clamping: year),
      territory: territory.text, voice: voice.text, expectedCents: expectedCents, foundCents: foundCents,
      source: .init(release: release, file: file, row: row))
  }
}
