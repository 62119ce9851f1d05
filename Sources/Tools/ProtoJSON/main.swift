internal import Glibc
internal import ProtoJSON
internal import WireCodec

// trackme-proto-json [FILE]: answers requests on standard input until it ends, for tests that compare ProtoJSON with
// another implementation. The schema is that of the file, a google.protobuf.FileDescriptorSet, or the embedded one.
//
// A request is a byte, 'j' for JSON out of protobuf bytes or 'p' for the way back, and twice a length (32 bits, little
// end first) with as many bytes: the full name of the message, and its content. The answer is a byte, 0 or 1 for an
// error, and the result or the error's text, with its length.

/// Exactly so many bytes of standard input; nil if it ends before.
func receive(_ count: Int) -> [UInt8]? {
  var bytes = [UInt8](repeating: 0, count: count)
  var done = 0
  while done < count {
    let got = bytes.withUnsafeMutableBytes { read(STDIN_FILENO, $0.baseAddress! + done, count - done) }
    guard got > 0 else { return nil }
    done += got
  }
  return bytes
}

func receiveBlock() -> [UInt8]? {
  guard let length = receive(4) else { return nil }
  return receive(length.reversed().reduce(0) { $0 << 8 | Int($1) })
}

/// False if nobody reads standard output any more.
func send(_ status: UInt8, _ content: [UInt8]) -> Bool {
  let answer = [status] + (0..<4).map { UInt8(truncatingIfNeeded: content.count >> ($0 * 8)) } + content
  var done = 0
  while done < answer.count {
    let put = answer.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress! + done, answer.count - done) }
    guard put > 0 else { return false }
    done += put
  }
  return true
}

func contents(ofFile path: String) -> [UInt8] {
  guard let file = fopen(path, "re") else { fatalError("\(path) can't be read") }
  defer { fclose(file) }
  var contents: [UInt8] = []
  var piece = [UInt8](repeating: 0, count: 1 << 16)
  while case let count = fread(&piece, 1, piece.count, file), count > 0 { contents += piece[..<count] }
  return contents
}

func convert(_ direction: [UInt8], _ name: String, _ content: [UInt8], _ schema: ProtoSchema) throws -> [UInt8] {
  guard let type = schema.message(name) else { throw WireError(field: name, problem: "is no message of the schema") }
  return direction == [UInt8(ascii: "j")] ? try type.json(content) : try type.message(fromJSON: content)
}

let schema = CommandLine.argc > 1 ? try ProtoSchema(contents(ofFile: CommandLine.arguments[1])) : .embedded
while let direction = receive(1), let name = receiveBlock(), let content = receiveBlock() {
  let isRead: Bool
  do {
    isRead = send(0, try convert(direction, String(decoding: name, as: UTF8.self), content, schema))
  } catch {
    isRead = send(1, Array("\(error)".utf8))
  }
  if !isRead { break }
}
