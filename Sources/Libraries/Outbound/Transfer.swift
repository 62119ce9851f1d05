internal import CCurl
internal import CCurlSupport
internal import Synchronization

/// One call of libcurl: a handle, what it sends and what it receives. Used from one thread, once.
final class Transfer {
  /// The result of libcurl, with what it calls errors in its own words.
  struct Outcome {
    let code: CURLcode
    var problem: String { String(cString: curl_easy_strerror(code)) }
  }

  /// libcurl's one-time preparation, which must not happen on two threads at once.
  private static let library: Void = { _ = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) }()

  let handle: OpaquePointer
  private var lists: [UnsafeMutablePointer<curl_slist>] = []
  private let upload: [UInt8]
  private let bodyMax: Int
  private let headerMax: Int
  private let shallGiveUp: (Transfer) -> Bool
  private(set) var body: [UInt8] = []
  private var headerBytes = 0
  private var uploaded = 0
  /// Whether the limit of an answer was passed.
  private(set) var isTooLarge = false
  /// The code of the first whole reply after the last byte was taken for sending, and when it came.
  private(set) var verdict: (reply: Int, at: ContinuousClock.Instant)?
  private let handles: IdleHandles?
  /// The most of a POST's content that was seen to go out.
  private var postedBytes = 0

  /// Whether libcurl has taken the whole upload: from here on the server may have it.
  var isUploaded: Bool { !upload.isEmpty && uploaded == upload.count }

  /// - Parameters:
  ///   - limits: of times and of what the server may answer.
  ///   - handles: whose connections may be used again; nil: a new connection.
  ///   - shallGiveUp: asked at least once a second.
  init(
    url: OutboundURL, limits: OutboundLimits, upload: [UInt8] = [], handles: IdleHandles? = nil,
    shallGiveUp: @escaping (Transfer) -> Bool
  ) throws(OutboundError) {
    _ = Self.library
    guard let handle = handles?.take() ?? curl_easy_init().map({ OpaquePointer($0) }) else {
      throw .unreachable("libcurl has no memory")
    }
    self.handle = handle
    self.handles = handles
    self.upload = upload
    bodyMax = limits.bodyBytes
    headerMax = limits.headerBytes
    self.shallGiveUp = shallGiveUp
    set(CURLOPT_URL, url.description)
    set(CURLOPT_PROTOCOLS_STR, url.scheme)
    // A redirect is an answer like any other: nothing is asked of a server that nobody named.
    set(CURLOPT_FOLLOWLOCATION, 0)
    set(CURLOPT_NOSIGNAL, 1)
    set(CURLOPT_FRESH_CONNECT, handles == nil ? 1 : 0)
    set(CURLOPT_FORBID_REUSE, handles == nil ? 1 : 0)
    set(CURLOPT_CONNECTTIMEOUT_MS, limits.connect.milliseconds)
    set(CURLOPT_TIMEOUT_MS, limits.whole.milliseconds)
    set(CURLOPT_SERVER_RESPONSE_TIMEOUT, max(1, limits.whole.milliseconds / 1_000))
    set(CURLOPT_SSL_VERIFYPEER, 1)
    set(CURLOPT_SSL_VERIFYHOST, 2)
    set(CURLOPT_SSLVERSION, CURL_SSLVERSION_TLSv1_2)
    if let authority = limits.certificateAuthority { set(CURLOPT_CAINFO, authority) }
  }

  deinit {
    // A handle forgets its lists before they are freed, and keeps its connection.
    if let handles { handles.give(handle) } else { curl_easy_cleanup(UnsafeMutableRawPointer(handle)) }
    for list in lists { curl_slist_free_all(list) }
  }

  func set(_ option: CURLoption, _ value: Int) { tmcurl_set_number(UnsafeMutableRawPointer(handle), option, value) }
  func set(_ option: CURLoption, _ value: String) { tmcurl_set_text(UnsafeMutableRawPointer(handle), option, value) }

  func set(_ option: CURLoption, _ values: [String]) {
    var list: UnsafeMutablePointer<curl_slist>?
    for value in values { list = curl_slist_append(list, value) ?? list }
    guard let list else { return }
    lists.append(list)
    tmcurl_set_list(UnsafeMutableRawPointer(handle), option, list)
  }

  /// What a POST sends.
  func setPost(_ content: [UInt8]) {
    content.withUnsafeBytes { bytes in
      _ = tmcurl_set_post(UnsafeMutableRawPointer(handle), bytes.baseAddress, curl_off_t(bytes.count))
    }
  }

  /// Whether a whole request with so much content may have gone out, in this attempt or an earlier one.
  func mayHaveSent(_ contentBytes: Int) -> Bool {
    let handle = UnsafeMutableRawPointer(handle)
    return tmcurl_request_bytes(handle) > 0
      && max(postedBytes, Int(tmcurl_uploaded_bytes(handle))) >= contentBytes
  }

  /// The last status of HTTP, or reply of SMTP; 0 if there was none.
  var responseCode: Int { tmcurl_response_code(UnsafeMutableRawPointer(handle)) }

  /// Blocks until the call has ended.
  func perform() -> Outcome {
    // Unmanaged: the pointer is used by the callbacks of this call only, and `self` lives as long.
    let context = Unmanaged.passUnretained(self).toOpaque()
    tmcurl_set_receiver(
      UnsafeMutableRawPointer(handle),
      { bytes, size, count, context in Transfer.of(context).received(bytes, size * count) },
      { bytes, size, count, context in Transfer.of(context).receivedLine(bytes, size * count) },
      { context, _, _, _, sent in
        let transfer = Transfer.of(context)
        transfer.postedBytes = max(transfer.postedBytes, Int(sent))
        return transfer.shallGiveUp(transfer) ? 1 : 0
      }, context)
    if !upload.isEmpty {
      tmcurl_set_upload(
        UnsafeMutableRawPointer(handle),
        { bytes, size, count, context in Transfer.of(context).read(into: bytes, size * count) },
        curl_off_t(upload.count), context)
    }
    return withExtendedLifetime(self) { Outcome(code: curl_easy_perform(UnsafeMutableRawPointer(handle))) }
  }

  private static func of(_ context: UnsafeMutableRawPointer?) -> Transfer {
    // Unmanaged: what `perform` gave to libcurl, while it waits.
    Unmanaged<Transfer>.fromOpaque(context!).takeUnretainedValue()
  }

  private func received(_ bytes: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int {
    guard body.count + count <= bodyMax else {
      isTooLarge = true
      return 0
    }
    body += UnsafeRawBufferPointer(start: bytes, count: count)
    return count
  }

  private func receivedLine(_ bytes: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int {
    headerBytes += count
    guard headerBytes <= headerMax else {
      isTooLarge = true
      return 0
    }
    if isUploaded, verdict == nil, let reply = Self.reply(in: UnsafeRawBufferPointer(start: bytes, count: count)) {
      verdict = (reply, .now)
    }
    return count
  }

  /// The code of a reply's last line ("250 taken"); nil for an earlier one ("250-taken") and for anything else.
  private static func reply(in line: UnsafeRawBufferPointer) -> Int? {
    guard line.count >= 3, line.count == 3 || line[3] != UInt8(ascii: "-") else { return nil }
    return Int(String(decoding: line[..<3], as: UTF8.self))
  }

  private func read(into bytes: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int {
    let taken = min(count, upload.count - uploaded)
    upload.withUnsafeBytes { source in
      UnsafeMutableRawBufferPointer(start: bytes, count: count).copyMemory(
        from: UnsafeRawBufferPointer(rebasing: source[uploaded..<uploaded + taken]))
    }
    uploaded += taken
    return taken
  }
}

/// How long a server of others may take, and how much it may answer.
public struct OutboundLimits: Sendable {
  /// Until the connection stands, TLS included.
  public var connect: Duration = .seconds(10)
  /// The whole call.
  public var whole: Duration = .seconds(30)
  /// Of an answer's body.
  public var bodyBytes = 1 << 20
  /// Of an answer's header, or of all replies of a mail server.
  public var headerBytes = 64 << 10
  /// PEM file of the authorities to trust; nil: the system's.
  public var certificateAuthority: String?

  public init() {}
}

extension Duration {
  /// Whole milliseconds.
  var milliseconds: Int { Int(components.seconds) * 1_000 + Int(components.attoseconds / 1_000_000_000_000_000) }
}
