extension HTTPRequest {
  /// Whether whoever asks has kept what an entity tag stands for, and need not be sent it again (RFC 9110, 13.1.2): also
  /// where a proxy has made the tag a weak one on its way.
  /// - Parameter entityTag: with its quotes, and without a comma in it.
  public func hasKept(_ entityTag: String) -> Bool {
    headers("if-none-match").flatMap { $0.split(separator: ",") }.contains { known in
      let tag = String(known.filter { $0 != " " && $0 != "\t" })
      return tag == "*" || tag == entityTag || tag == "W/" + entityTag
    }
  }
}
