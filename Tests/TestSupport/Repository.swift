public import Foundation

/// Where this repository is.
public enum Repository {
  public static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
    .standardizedFileURL
  public static let fixtures = root.appending(path: "Tests/fixtures")
}
