internal import Glibc
internal import WireCodec

/// Decodes frames of a subscription into the numbers of the pushes that they bring.
final class DeliveryDecoder {
  struct Delivery {
    var pushes: [Int] = []
    var backlog: [Int] = []
    var isCatchingUp = false
  }

  private let schedule: PushSchedule
  private var lastBytes: [UInt8] = []
  private var last = Delivery()

  init(schedule: PushSchedule) { self.schedule = schedule }

  func decode(_ bytes: UnsafeRawBufferPointer) throws -> Delivery {
    // Those who follow the same person get the same bytes, which need no second look.
    if isLast(bytes) { return last }
    last = Delivery()
    lastBytes = Array(bytes)
    let response = try Trackme_Sharing_V1_SubscribeResponse.decode(bytes)
    guard case .delivery(let delivery) = response.frame, let scalars = delivery.readings?.scalars else { return last }
    last.isCatchingUp = delivery.catchingUp
    for index in scalars.timeUs.indices {
      let push = schedule.push(at: scalars.timeUs[index])
      // One entry stands for all.
      let person = scalars.personID[scalars.personID.count == 1 ? 0 : index]
      if person == schedule.backlogPerson { last.backlog.append(push) } else { last.pushes.append(push) }
    }
    return last
  }

  private func isLast(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard bytes.count == lastBytes.count, let start = bytes.baseAddress else { return false }
    return lastBytes.withUnsafeBytes { memcmp($0.baseAddress!, start, $0.count) } == 0
  }
}
