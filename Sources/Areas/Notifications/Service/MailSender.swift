public import Domain
package import Outbound
internal import ServiceKit
internal import Synchronization
internal import Threads

/// How mail is tried.
public struct MailPolicy: Sendable {
  /// After the first refusal; doubled after each further one.
  public var firstRetrySeconds: Int64 = 10
  /// The longest time between two attempts.
  public var lastRetrySeconds: Int64 = 3_600
  /// A mail that was refused so often is given up: after three days, about.
  public var attemptsLast = 80
  /// A mail that its taker has had for so long has lost it: longer than any attempt takes.
  public var leaseSeconds: Int64 = 300
  /// How often the queue is looked at when it was empty.
  public var interval: Duration = .seconds(1)
  /// The most attempts at once.
  public var attemptsMax = 4

  public init() {}

  var backOff: BackOff { BackOff(initial: .seconds(firstRetrySeconds), max: .seconds(lastRetrySeconds), jitter: 0) }
}

/// What the sender tells the log: counts and codes, never an address or what a server said.
public enum MailEvent: Sendable, Equatable {
  /// The server did not take a mail. Reply 0: there was none.
  case refused(isGivenUp: Bool, reply: Int, problem: String)
  /// So many mails may or may not have been delivered; they will not be sent again.
  case uncertain(count: Int, problem: String)
  /// The queue can't be read or written.
  case queueFailed(String)
}

/// A mail is just being sent: whoever wants to be sure that it leaves nothing has to come again.
public struct MailUnderWay: Error {}

/// Sends the mails that wait. A mail is put down as being sent before each attempt: if this process ends, or nobody
/// knows what came of the attempt, there is no other.
public final class MailSender: Sendable {
  private let queue: MailQueue
  private let transport: any MailTransport
  private let sender: String
  private let notices: Notices
  private let policy: MailPolicy
  private let isAlone: Bool
  private let report: @Sendable (MailEvent) -> Void
  /// Wakes the loop: a mail may be due, an attempt has ended, or it's over.
  private let signal = StreamSignal()
  private let isStopping = Mutex(false)
  /// One for each attempt that is under way, to end it.
  private let attempts = Mutex<[Int64: StreamSignal]>([:])

  /// - Parameters:
  ///   - notices: the words, and the stamps.
  ///   - sender: the address that mails come from.
  ///   - isAlone: whether no other server takes from this queue: then what is being sent at the start is lost.
  package init(
    queue: MailQueue, notices: Notices, transport: any MailTransport, sender: String, policy: MailPolicy = MailPolicy(),
    isAlone: Bool = false, report: @escaping @Sendable (MailEvent) -> Void
  ) {
    self.queue = queue
    self.transport = transport
    self.sender = sender
    self.notices = notices
    self.policy = policy
    self.isAlone = isAlone
    self.report = report
  }

  /// Sends until `stop`, then returns when attempts under way have ended.
  public func run() async {
    if isAlone { await giveUp(after: 0) }
    await withTaskGroup(of: Void.self) { background in
      background.addTask { [self] in
        while (try? await Task.sleep(for: policy.interval)) != nil { signal.signal(.data) }
      }
      background.addTask { [self] in await upkeep() }
      await withDiscardingTaskGroup { group in
        while !isStopping.withLock({ $0 }) && !Task.isCancelled {
          if attempts.withLock(\.count) < policy.attemptsMax, let mail = await take() {
            let stop = StreamSignal()
            attempts.withLock { $0[mail.id] = stop }
            if isStopping.withLock({ $0 }) { stop.signal(.drain) }
            group.addTask { [self] in
              await attempt(mail, stop)
              attempts.withLock { $0[mail.id] = nil }
              signal.signal(.data)
            }
          } else {
            _ = await signal.wait()
          }
        }
      }
      background.cancelAll()
    }
  }

  /// Begins no further attempt, and breaks off those whose mail is not with the server yet; for a verdict on the others
  /// it waits five seconds at most.
  public func stop() {
    isStopping.withLock { $0 = true }
    signal.signal(.drain)
    for stop in attempts.withLock({ Array($0.values) }) { stop.signal(.drain) }
  }

  /// Sends no more mails to an account, and about it to others, and removes those that the transport keeps on this machine.
  /// - Throws: `MailUnderWay`, `SMTPError`, `PostgresError`; then it may be tried again.
  public func forget(_ account: AccountID) async throws {
    guard try await queue.drop(account) else { throw MailUnderWay() }
    try await transport.remove(prefix: Self.prefix(account))
  }

  private static func prefix(_ account: AccountID) -> String { "\(account)-" }

  private func take() async -> QueuedMail? {
    do { return try await queue.take(stamps: notices.stamps, facts: notices.facts) } catch {
      if !Task.isCancelled { report(.queueFailed("\(error)")) }
      return nil
    }
  }

  private func attempt(_ mail: QueuedMail, _ stop: StreamSignal) async {
    guard mail.isWanted else { return await finish(mail.id, .failed) }
    let words = notices.words(of: mail.announcement).mail
    let message = MailMessage(
      sender: sender, recipient: mail.address, subject: words.subject, text: words.text, id: mail.messageID,
      date: mail.created)
    await finish(
      mail.id,
      await withTaskGroup(of: MailOutcome?.self) { group in
        group.addTask { [self] in await send(message, mail) }
        group.addTask {
          _ = await stop.wait()
          return nil
        }
        // Either it has ended, or it shall.
        let first = await group.next() ?? nil
        group.cancelAll()
        if let first { return first }
        return await group.next().flatMap { $0 } ?? .uncertain
      })
  }

  private func send(_ message: MailMessage, _ mail: QueuedMail) async -> MailOutcome {
    do throws(SMTPError) {
      try await transport.send(
        message.bytes, id: Self.prefix(mail.account) + mail.messageID, from: sender, to: mail.address)
      return .sent
    } catch {
      return judge(error, mail)
    }
  }

  private func judge(_ error: SMTPError, _ mail: QueuedMail) -> MailOutcome {
    switch error {
    case .refused(let isPermanent, let reply, let problem):
      let delay = policy.backOff.delay(after: mail.attempt).components.seconds
      let isGivenUp = isPermanent || mail.attempt >= policy.attemptsLast
      report(.refused(isGivenUp: isGivenUp, reply: reply, problem: problem))
      return isGivenUp ? .failed : .retry(after: delay)
    case .outcomeUnknown(let problem):
      report(.uncertain(count: 1, problem: problem))
      return .uncertain
    }
  }

  /// The database may be away just now; what is not put down counts as uncertain later.
  private func finish(_ id: Int64, _ outcome: MailOutcome) async {
    for _ in 0..<10 {
      do { return try await queue.finish(id, outcome) } catch { report(.queueFailed("\(error)")) }
      try? await Task.sleep(for: .milliseconds(500))
    }
  }

  private func upkeep() async {
    while !Task.isCancelled {
      await giveUp(after: policy.leaseSeconds)
      do { try await queue.forget() } catch { if !Task.isCancelled { report(.queueFailed("\(error)")) } }
      guard (try? await Task.sleep(for: .seconds(min(60, max(1, policy.leaseSeconds))))) != nil else { return }
    }
  }

  private func giveUp(after seconds: Int64) async {
    do {
      let count = try await queue.giveUp(after: seconds)
      if count > 0 { report(.uncertain(count: count, problem: "the server that sent them is gone")) }
    } catch {
      if !Task.isCancelled { report(.queueFailed("\(error)")) }
    }
  }
}
