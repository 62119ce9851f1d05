public import Domain
public import PaymentGateway
internal import ServiceKit

/// What the desk tells the log: never who pays.
public enum PaymentDeskEvent: Sendable, Equatable {
  /// The provider did not do what it was asked for; it is asked again.
  case providerFailed(wish: PaymentWish.Kind, payment: String, problem: String)
  /// The provider refuses it for good, or has not done it for days: it is not asked any more.
  case givenUp(wish: PaymentWish.Kind, payment: String)
  /// What the provider told can't be true of the payment as it is known, and was not put down: somebody has to look.
  case refused(payment: String, told: PaymentStatus, PaymentDisagreement)
  /// The provider told that it was paid, and now that it is not: somebody has to look.
  case contradiction(payment: String)
  /// The database can't be read or written.
  case storageFailed(String)
}

/// Asks the payment provider for what is wished, again and again until it is done, is refused for good or has not been
/// done for a week, and puts down what it tells. A wish is put down with the reason for it, in one transaction, and its key
/// is the payment's: a crash at any moment repeats a question at most.
public final class PaymentDesk: Sendable {
  /// How long a person waits for the address of the page to pay on; after that it comes later.
  private static let patience: Duration = .seconds(5)
  /// How often is looked whether somebody else has the address.
  private static let poll: Duration = .milliseconds(20)
  /// Questions at once.
  private static let questionsMax = 8

  private let payments: PaymentStore
  let provider: (any PaymentProvider)?
  private let clock: @Sendable () -> Microseconds
  private let told: @Sendable () -> Void
  private let report: @Sendable (PaymentDeskEvent) -> Void
  /// Wakes the loop: there may be a wish.
  private let signal = StreamSignal()

  /// Whether there is somebody to pay to.
  public var canPay: Bool { provider != nil }

  /// - Parameters:
  ///   - provider: nil: nothing can be paid for.
  ///   - clock: the time of day.
  ///   - told: hears that something was put into inboxes.
  ///   - report: must not block.
  public init(
    payments: PaymentStore, provider: (any PaymentProvider)?, clock: @escaping @Sendable () -> Microseconds,
    told: @escaping @Sendable () -> Void = {}, report: @escaping @Sendable (PaymentDeskEvent) -> Void = { _ in }
  ) {
    self.payments = payments
    self.provider = provider
    self.clock = clock
    self.told = told
    self.report = report
  }

  /// Carries out wishes until the task is cancelled.
  public func run() async {
    guard provider != nil else { return }
    await withTaskGroup(of: Void.self) { group in
      group.addTask { [signal] in
        while (try? await Task.sleep(for: .milliseconds(500))) != nil { signal.signal(.data) }
      }
      while !Task.isCancelled {
        if await round() == 0 { _ = await signal.wait() }
      }
      group.cancelAll()
    }
  }

  /// Carries out the wishes that are due.
  /// - Returns: how many there were.
  @discardableResult
  public func round() async -> Int {
    guard provider != nil else { return 0 }
    let wishes: [PaymentWish]
    do { wishes = try await payments.takeWishes(limit: Self.questionsMax) } catch {
      if !Task.isCancelled { report(.storageFailed("\(error)")) }
      return 0
    }
    await withTaskGroup(of: Void.self) { group in
      for wish in wishes { group.addTask { [self] in await carryOut(wish) } }
    }
    return wishes.count
  }

  /// Wakes the loop: something may be wished.
  public func wake() { signal.signal(.data) }

  /// Asks for a payment at once, so that the person who waits hears where to pay; where the loop is asking already, waits
  /// for its answer. If it takes too long, or fails, the loop does it later.
  public func begin(_ payment: String) async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { [self] in
        while let isWished = try? await payments.isCreationWished(payment), isWished {
          if let wish = try? await payments.takeWishes(of: payment, limit: 1).first { return await carryOut(wish) }
          guard (try? await Task.sleep(for: Self.poll)) != nil else { return }
        }
      }
      group.addTask { try? await Task.sleep(for: Self.patience) }
      await group.next()
      group.cancelAll()
    }
  }

  /// Puts down news of the provider.
  ///
  /// - Throws: `PostgresError`; then the provider has to tell it again.
  public func take(_ event: PaymentEvent) async throws -> PaymentStore.Settlement {
    try await settle(event.payment, event.status)
  }

  private func settle(_ payment: ProviderPayment, _ status: PaymentStatus) async throws -> PaymentStore.Settlement {
    guard let state = PaymentState(status) else { return .done }
    let settlement = try await payments.settle(
      payment.reference, as: payment.id, state,
      money: Money(currency: payment.currency, minorUnits: payment.amount), at: clock())
    if case .refused(let disagreement) = settlement {
      report(.refused(payment: payment.reference, told: status, disagreement))
      return settlement
    }
    told()
    wake()
    return settlement
  }

  private func carryOut(_ wish: PaymentWish) async {
    guard let provider else { return }
    do throws(PaymentProviderError) {
      let payment = try await ask(provider, wish)
      do {
        if wish.kind == .create || wish.providerPayment == nil {
          guard try await payments.created(wish.payment, as: payment.id, url: payment.url ?? "") else {
            report(.refused(payment: wish.payment, told: payment.status, .id))
            return try await askLater(wish)
          }
        }
        if case .refused = try await settle(payment, payment.status) { return try await askLater(wish) }
        if wish.kind == .capture, payment.status == .failed {
          // News of a failure may be of an attempt before; this is the answer to the capture.
          try await giveUp(wish)
        } else if !wish.kind.isDone(by: payment.status) {
          // It was told to be paid, and is not.
          if wish.kind == .capture, payment.status == .pending { report(.contradiction(payment: wish.payment)) }
          try await askLater(wish)
        }
      } catch {
        if !Task.isCancelled { report(.storageFailed("\(error)")) }
      }
    } catch {
      if Task.isCancelled { return }
      report(.providerFailed(wish: wish.kind, payment: wish.payment, problem: "\(error)"))
      do {
        try await error.isFinal ? giveUp(wish) : askLater(wish)
      } catch {
        if !Task.isCancelled { report(.storageFailed("\(error)")) }
      }
    }
  }

  /// Asks for it again after a pause, or not any more where it was asked for long enough.
  private func askLater(_ wish: PaymentWish) async throws {
    if try await payments.failed(wish) { try await giveUp(wish) }
  }

  private func giveUp(_ wish: PaymentWish) async throws {
    guard try await payments.giveUp(wish, at: clock()) else { return }
    report(.givenUp(wish: wish.kind, payment: wish.payment))
    told()
    wake()
  }

  private func ask(
    _ provider: any PaymentProvider, _ wish: PaymentWish
  ) async throws(PaymentProviderError) -> ProviderPayment {
    let id: String
    if let known = wish.providerPayment, wish.kind != .create {
      id = known
    } else {
      // An answer to an earlier question may have been lost: the same question has the same answer.
      let payment = try await provider.create(
        PaymentOrder(
          reference: wish.payment, amount: wish.money.minorUnits, currency: wish.money.currency,
          description: String(wish.description.prefix(100))))
      if wish.kind == .create { return payment }
      id = payment.id
    }
    switch wish.kind {
    case .create, .cancel: return try await provider.cancel(id, reference: wish.payment)
    case .capture: return try await provider.capture(id, reference: wish.payment)
    case .refund: return try await provider.refund(id, reference: wish.payment)
    }
  }
}

extension PaymentWish.Kind {
  /// Whether a payment in this status needs no more of what is wished.
  fileprivate func isDone(by status: PaymentStatus) -> Bool {
    switch self {
    case .create: true
    case .capture, .cancel: status != .pending && status != .authorized
    case .refund: status == .refunded
    }
  }
}

extension PaymentState {
  /// What the provider's status means to us; nil where it is no news.
  init?(_ status: PaymentStatus) {
    switch status {
    case .pending: return nil
    case .authorized: self = .authorized
    case .captured: self = .captured
    case .cancelled: self = .cancelled
    case .refunded: self = .refunded
    case .failed: self = .failed
    }
  }
}
