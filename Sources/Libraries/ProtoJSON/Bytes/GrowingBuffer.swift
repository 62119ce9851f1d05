/// Memory of its own that grows at its end. Unlike an array it may be written to without a check of who else holds it.
struct GrowingBuffer<Element: BitwiseCopyable>: ~Copyable {
  private var start: UnsafeMutablePointer<Element>
  private var capacity: Int
  private(set) var count = 0

  init(capacity: Int) {
    self.capacity = max(capacity, 16)
    start = .allocate(capacity: self.capacity)
  }

  deinit { start.deallocate() }

  subscript(index: Int) -> Element {
    get {
      assert(index >= 0 && index < count)
      return start[index]
    }
    set {
      assert(index >= 0 && index < count)
      start[index] = newValue
    }
  }

  @inline(__always)
  mutating func append(_ element: Element) {
    if count == capacity { grow(by: 1) }
    start[count] = element
    count += 1
  }

  /// Copies elements from elsewhere to the end.
  @inline(__always)
  mutating func append(_ elements: UnsafePointer<Element>, _ number: Int) {
    let place = extend(by: number)
    place.update(from: elements, count: number)
  }

  /// Makes the buffer longer by elements that hold anything until they are written, and returns where they are. Good
  /// until the next change of the buffer.
  @inline(__always)
  mutating func extend(by number: Int) -> UnsafeMutablePointer<Element> {
    if capacity - count < number { grow(by: number) }
    let place = start + count
    count += number
    return place
  }

  mutating func removeLast(to count: Int) {
    assert(count <= self.count)
    self.count = count
  }

  /// The elements from `first` on. Good until the next change of the buffer.
  func elements(from first: Int = 0) -> UnsafeMutableBufferPointer<Element> {
    UnsafeMutableBufferPointer(start: start + first, count: count - first)
  }

  @inline(never)
  private mutating func grow(by number: Int) {
    let larger = max(capacity * 2, count + number)
    let memory = UnsafeMutablePointer<Element>.allocate(capacity: larger)
    memory.update(from: start, count: count)
    start.deallocate()
    start = memory
    capacity = larger
  }
}

extension GrowingBuffer<UInt8> {
  /// Appends what is known when this is compiled.
  @inline(__always)
  mutating func append(_ text: StaticString) { append(text.utf8Start, text.utf8CodeUnitCount) }

  @inline(__always)
  mutating func append(_ bytes: UnsafeRawBufferPointer) {
    guard let start = bytes.baseAddress else { return }
    append(start.assumingMemoryBound(to: UInt8.self), bytes.count)
  }

  /// A copy of all of it.
  var array: [UInt8] { Array(elements()) }
}
