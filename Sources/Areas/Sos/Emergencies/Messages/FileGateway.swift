public import Domain
internal import Glibc
public import Outbound
public import SosRules

/// A gateway for development: each message is a file in a folder, named after its key, so that a repeat is the same file.
/// What is written counts as delivered, or answered.
public struct FileGateway: Gateway {
  private let path: String
  private let threads = OutboundThreads(threadsMax: 1)

  /// - Parameter path: is made when the first message comes.
  public init(path: String) { self.path = path }

  public var queues: [OutboundThreads] { [threads] }

  public func send(_ message: GatewayMessage, completion: @escaping @Sendable (DeliveryOutcome) -> Void) {
    let isTaken = threads.submit { [self] in
      completion(
        write(message)
          ? .placed(sid: Self.name(message.key), Self.status(message.medium))
          : .failed("cannot write into \(path): \(String(cString: strerror(errno)))"))
    }
    if !isTaken { completion(.failed("too many messages wait")) }
  }

  public func look(
    for sid: String, _ medium: GatewayMedium, completion: @escaping @Sendable (DeliveryOutcome) -> Void
  ) {
    let isTaken = threads.submit { [self] in
      let isThere = access("\(path)/\(sid).txt", F_OK) == 0
      completion(isThere ? .placed(sid: sid, Self.status(medium)) : .declined("there is no such file"))
    }
    if !isTaken { completion(.failed("too many questions wait")) }
  }

  /// The key of a question to somebody whom a person has named as a contact, by which `forget` finds it.
  /// - Parameter unique: tells questions of a person to several contacts apart.
  public static func questionKey(_ person: PersonID, _ unique: String, _ number: Int32) -> String {
    "contact-\(person)-\(unique)/\(number)"
  }

  /// Removes the files of messages about a person.
  public func forget(_ person: PersonID, _ emergencies: Set<EmergencyID>) async throws {
    let subjects = Set(emergencies.map { "\($0)" })
    let error: JournalError? = await withCheckedContinuation { continuation in
      let isTaken = threads.submit { [path] in
        continuation.resume(
          returning: Self.remove(from: path) {
            subjects.contains($0) || $0.hasPrefix("silence-\(person)-") || $0.hasPrefix("contact-\(person)-")
          })
      }
      if !isTaken { continuation.resume(returning: JournalError("too many messages wait")) }
    }
    if let error { throw error }
  }

  /// Removes the files whose names begin with certain subjects, and drafts of such that a crash left.
  private static func remove(from path: String, where isGone: (_ subject: String) -> Bool) -> JournalError? {
    guard let folder = opendir(path) else { return errno == ENOENT ? nil : JournalError("open", path) }
    defer { closedir(folder) }
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      guard let subject = name.split(separator: ".").first, isGone(String(subject)) else { continue }
      guard unlink("\(path)/\(name)") == 0 || errno == ENOENT else { return JournalError("remove", "\(path)/\(name)") }
    }
    return nil
  }

  private static func name(_ key: String) -> String { String(key.map { $0 == "/" ? "." : $0 }) }

  private static func status(_ medium: GatewayMedium) -> CallStatus { medium == .sms ? .delivered : .answered }

  private func write(_ message: GatewayMessage) -> Bool {
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else { return false }
    let name = Self.name(message.key)
    // Whoever looks into the folder finds whole messages only.
    let (draft, final) = ("\(path)/.\(name).\(UInt32.random(in: 0 ... .max))", "\(path)/\(name).txt")
    guard let file = fopen(draft, "wxe") else { return false }
    let text = "\(message.medium.rawValue) to \(message.to)\n\n\(message.text)\n"
    let isWritten = fputs(text, file) >= 0
    guard fclose(file) == 0, isWritten, rename(draft, final) == 0 else {
      unlink(draft)
      return false
    }
    return true
  }
}
