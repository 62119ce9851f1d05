import CGRPC

/// The deadlines of one loop's local calls, the next one first; gRPC watches those of its own. The loop's thread only.
///
/// A heap whose calls know their places, so that a call that ends in time leaves nothing behind.
struct Deadlines {
  private var heap: [LocalWire] = []

  var isEmpty: Bool { heap.isEmpty }

  /// The next deadline, or nil.
  var next: gpr_timespec? { heap.first?.deadline }

  /// Watches for the deadline of a call, if it has one.
  mutating func add(_ wire: LocalWire) {
    guard wire.deadline.tv_sec != .max else { return }
    heap.append(wire)
    rise(from: heap.count - 1)
  }

  /// Takes a call out, if it is there.
  mutating func remove(_ wire: LocalWire) {
    guard let place = wire.deadlinePlace else { return }
    wire.deadlinePlace = nil
    let last = heap.removeLast()
    if last === wire { return }
    heap[place] = last
    rise(from: place)
    sink(from: last.deadlinePlace!)
  }

  /// Ends the calls whose deadlines have passed.
  mutating func look() {
    let now = gpr_now(GPR_CLOCK_MONOTONIC)
    while let first = heap.first, gpr_time_cmp(first.deadline, now) <= 0 {
      remove(first)
      first.cancel(with: RPCStatus(.deadlineExceeded, "the deadline of the call has passed"))
    }
  }

  private mutating func rise(from place: Int) {
    var place = place
    let wire = heap[place]
    while place > 0, isBefore(wire, heap[(place - 1) / 2]) {
      put(heap[(place - 1) / 2], at: place)
      place = (place - 1) / 2
    }
    put(wire, at: place)
  }

  private mutating func sink(from place: Int) {
    var place = place
    let wire = heap[place]
    while true {
      var child = 2 * place + 1
      if child + 1 < heap.count, isBefore(heap[child + 1], heap[child]) { child += 1 }
      guard child < heap.count, isBefore(heap[child], wire) else { break }
      put(heap[child], at: place)
      place = child
    }
    put(wire, at: place)
  }

  private mutating func put(_ wire: LocalWire, at place: Int) {
    heap[place] = wire
    wire.deadlinePlace = place
  }

  private func isBefore(_ one: LocalWire, _ other: LocalWire) -> Bool {
    gpr_time_cmp(one.deadline, other.deadline) < 0
  }
}
