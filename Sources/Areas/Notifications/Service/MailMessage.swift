internal import Crypto
internal import Domain
internal import Glibc

/// A message as it goes over the wire (RFC 5322, MIME), made so that no text can add a header or a line to one.
struct MailMessage {
  let sender: String
  let recipient: String
  let subject: String
  /// Lines ended by LF.
  let text: String
  /// Without brackets and domain.
  let id: String
  let date: Microseconds

  /// Header and body; every line is ended by CR LF and at most 78 bytes long, but for long addresses.
  var bytes: [UInt8] {
    let domain = sender.split(separator: "@").last.map(String.init) ?? "localhost"
    let header = [
      ("Date", Self.date(date)),
      ("From", "TrackMe <\(Self.clean(sender))>"),
      ("To", "<\(Self.clean(recipient))>"),
      ("Subject", Self.encodedSubject(subject)),
      ("Message-ID", "<\(Self.clean(id))@\(Self.clean(domain))>"),
      ("Auto-Submitted", "auto-generated"),
      ("Content-Language", "en, it"),
      ("MIME-Version", "1.0"),
      ("Content-Type", "text/plain; charset=utf-8"),
      ("Content-Transfer-Encoding", "quoted-printable"),
    ]
    return Array(header.map { "\($0.0): \($0.1)\r\n" }.joined().utf8) + [13, 10] + Self.quotedPrintable(text)
  }

  /// Without control characters.
  private static func clean(_ text: String) -> String {
    String(decoding: text.utf8.filter { $0 >= 0x20 && $0 != 0x7f }, as: UTF8.self)
  }

  /// "Sat, 21 Nov 2026 04:05:06 +0000".
  private static func date(_ time: Microseconds) -> String {
    var seconds = time_t(time / 1_000_000)
    var parts = tm()
    gmtime_r(&seconds, &parts)
    func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    return "\(days[Int(parts.tm_wday)]), \(two(parts.tm_mday)) \(months[Int(parts.tm_mon)]) \(1900 + parts.tm_year) "
      + "\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec)) +0000"
  }

  /// As it is if it is short and printable ASCII; otherwise encoded words of RFC 2047, a line each, that cut no
  /// character in two.
  static func encodedSubject(_ subject: String) -> String {
    let subject = clean(subject)
    if subject.utf8.count <= 66, subject.utf8.allSatisfy({ $0 < 0x7f }), !subject.contains("=?") { return subject }
    var words: [[UInt8]] = [[]]
    for scalar in subject.unicodeScalars {
      let bytes = Array(String(scalar).utf8)
      // 42 bytes are 56 digits; with the frame, 68 characters.
      if words[words.count - 1].count + bytes.count > 42 { words.append([]) }
      words[words.count - 1] += bytes
    }
    return words.map { "=?UTF-8?B?\(Base64.text($0))?=" }.joined(separator: "\r\n ")
  }

  /// RFC 2045, 6.7.
  static func quotedPrintable(_ text: String) -> [UInt8] {
    let hex = Array("0123456789ABCDEF".utf8)
    var result: [UInt8] = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      let bytes = Array(line.utf8)
      var length = 0
      for (index, byte) in bytes.enumerated() {
        let isLast = index == bytes.count - 1
        let isPlain = (byte > 0x20 && byte < 0x7f && byte != UInt8(ascii: "=")) || (byte == 0x20 && !isLast)
        let unit = isPlain ? [byte] : [UInt8(ascii: "="), hex[Int(byte >> 4)], hex[Int(byte & 15)]]
        if length + unit.count > (isLast ? 76 : 75) {
          result += Array("=\r\n".utf8)
          length = 0
        }
        result += unit
        length += unit.count
      }
      result += [13, 10]
    }
    return result
  }
}
