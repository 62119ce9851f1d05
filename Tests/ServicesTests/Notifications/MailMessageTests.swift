import Testing

@testable import Admin
@testable import AreaKit
@testable import Identity
@testable import Log
@testable import Notifications
@testable import Races
@testable import Readings
@testable import ServiceKit
@testable import Sharing
@testable import Sos

/// Messages as they go over the wire.
struct MailMessageTests {
  private func message(subject: String = "Hello", text: String = "Text", recipient: String = "a@b.example") -> String {
    let message = MailMessage(
      sender: "trackme@b.example", recipient: recipient, subject: subject, text: text,
      id: "0f0e0d0c-0b0a-0908-0706-050403020100", date: 1_795_233_906_000_000)
    return String(decoding: message.bytes, as: UTF8.self)
  }

  @Test func hasTheHeadersOfAMail() {
    #expect(
      message() == """
        Date: Sat, 21 Nov 2026 04:05:06 +0000\r
        From: TrackMe <trackme@b.example>\r
        To: <a@b.example>\r
        Subject: Hello\r
        Message-ID: <0f0e0d0c-0b0a-0908-0706-050403020100@b.example>\r
        Auto-Submitted: auto-generated\r
        Content-Language: en, it\r
        MIME-Version: 1.0\r
        Content-Type: text/plain; charset=utf-8\r
        Content-Transfer-Encoding: quoted-printable\r
        \r
        Text\r

        """)
  }

  @Test(arguments: ["x\r\nBcc: evil@x", "x\nBcc: evil@x", "x\rBcc: evil@x", "\u{e8}\r\n\r\nBcc: evil@x", "\u{0}x"])
  func noTextAddsAHeader(_ text: String) {
    for message in [message(subject: text), message(recipient: text), message(text: text)] {
      let header = message.components("\r\n\r\n")[0]
      #expect(!header.components("\r\n").contains { $0.hasPrefix("Bcc") })
      #expect(header.components("\r\n").filter { !$0.hasPrefix(" ") }.count == 10)
      #expect(!message.components("\r\n").contains { $0.contains("\n") || $0.contains("\r") || $0.contains("\u{0}") })
    }
  }

  @Test func encodesSubjectsThatAreNotPlainASCII() {
    #expect(MailMessage.encodedSubject("Studio Città") == "=?UTF-8?B?U3R1ZGlvIENpdHTDoA==?=")
    #expect(MailMessage.encodedSubject("=?UTF-8?Q?x?=").hasPrefix("=?UTF-8?B?PT9"))
    let lines = MailMessage.encodedSubject(String(repeating: "日本", count: 50)).components("\r\n")
    #expect(lines.count > 1)
    #expect(lines.allSatisfy { $0.utf8.count <= 76 && $0.hasSuffix("?=") })
    #expect(lines.dropFirst().allSatisfy { $0.hasPrefix(" =?UTF-8?B?") })
  }

  @Test func encodesTheBodyInShortLines() {
    #expect(MailMessage.quotedPrintable("a=b è \nc") == Array("a=3Db =C3=A8=20\r\nc\r\n".utf8))
    let lines = String(decoding: MailMessage.quotedPrintable(String(repeating: "x", count: 200)), as: UTF8.self)
      .components("\r\n")
    #expect(lines.map(\.utf8.count) == [76, 76, 50, 0])
    #expect(lines[0].hasSuffix("="))
  }
}

extension String {
  /// The parts between separators, in bytes: Swift takes CR LF for one character.
  fileprivate func components(_ separator: String) -> [String] {
    let (bytes, mark) = (Array(utf8), Array(separator.utf8))
    var parts: [[UInt8]] = [[]]
    var index = 0
    while index < bytes.count {
      if bytes[index...].starts(with: mark) {
        parts.append([])
        index += mark.count
      } else {
        parts[parts.count - 1].append(bytes[index])
        index += 1
      }
    }
    return parts.map { String(decoding: $0, as: UTF8.self) }
  }
}
