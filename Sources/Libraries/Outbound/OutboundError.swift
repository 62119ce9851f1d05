/// Why a question to a server of others has no answer. No case holds what the server said.
public enum OutboundError: Error, Sendable, Equatable {
  /// As many calls wait as are allowed to.
  case queueFull
  /// The caller gave up.
  case cancelled
  /// The name, the connection or TLS failed, or the server broke off; in libcurl's words.
  case unreachable(String)
  /// The server took too long.
  case timedOut
  /// The server answered more than was asked for.
  case answerTooLarge
  /// A header would not be one line: nothing was sent.
  case malformed
  /// The whole of a POST may have gone out and no status came back, in libcurl's words: the server may have taken it.
  case outcomeUnknown(String)
}
