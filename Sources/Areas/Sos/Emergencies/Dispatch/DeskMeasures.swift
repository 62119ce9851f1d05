internal import Domain
package import Metering
internal import Outbound

extension EmergencyDesk {
  /// What waits at the desk, and for the threads of its channels. All of it is in memory.
  package var measures: [Measure] {
    let (gateways, webhooks) = (configuration.gateways, configuration.webhooks)
    return [
      untaken,
      .queue("desk_events", limit: configuration.inboxMax) { [inbox] in inbox.withLock { $0.events.count } },
      .queue("desk_silences", limit: configuration.silenceNoticesMax) { [self] in
        state.withLock { $0.silences.count }
      },
      .queue("desk_archive", limit: nil) { [self] in unrecordedCount },
      calls("desk_calls_sms", .sms), calls("desk_calls_voice", .voice), calls("desk_calls_contacts", .contacts),
      calls("desk_calls_webhooks", .webhooks),
      .queue("outbound_sms", of: gateways?.sms.queues ?? []),
      .queue("outbound_voice", of: gateways?.voice.queues ?? []),
      .queue("outbound_contacts", of: gateways?.contacts.queues ?? []),
      .queue("outbound_webhooks", of: webhooks.flatMap(\.queues)),
    ]
  }

  /// Emergencies that nobody has taken.
  private var untaken: Measure {
    Measure([.emergenciesUntaken, .emergenciesUntakenTime]) { [self] in
      let detected = state.withLock { state in
        state.cases.values.map(\.emergency).filter { $0.state == .detected || $0.state == .dispatching }
          .map(\.detected)
      }
      let age = detected.min().map { max(0, configuration.clock.wall() - $0) } ?? 0
      return [
        MetricSample(.emergenciesUntaken, [], Double(detected.count)),
        MetricSample(.emergenciesUntakenTime, [], Double(age) / 1_000_000),
      ]
    }
  }

  /// Calls that wait until one of those under way has ended.
  private func calls(_ name: String, _ channel: DispatchChannel) -> Measure {
    .queue(name, limit: nil) { [self] in
      state.withLock { state in
        state.channels.reduce(0) { $0 + ($1.key.counted == channel ? $1.value.waitingCount : 0) }
      }
    }
  }
}

extension MetricFamily {
  fileprivate static let emergenciesUntaken = MetricFamily(
    .gauge, "trackme_emergencies_untaken", "Emergencies for which help is called and that nobody has taken.")
  fileprivate static let emergenciesUntakenTime = MetricFamily(
    .gauge, "trackme_emergencies_untaken_seconds", "For how long the oldest of them has been waiting.")
}
