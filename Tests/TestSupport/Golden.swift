public import Foundation

/// Texts that are kept in the checkout and held against what the program says now.
///
/// `UPDATE_GOLDEN=1` writes them anew; the difference is then for a person to read and commit.
public enum Golden {
  public static let folder = Checkout.root.appending(path: "Tests/Golden")

  public static var isUpdating: Bool {
    ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1"
  }

  /// The kept text, after keeping the new one if asked to; nil where there is none.
  public static func kept(_ name: String, now text: String) throws -> String? {
    let file = folder.appending(path: name)
    if isUpdating {
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
    }
    guard FileManager.default.fileExists(atPath: file.path()) else { return nil }
    return String(decoding: try Data(contentsOf: file), as: UTF8.self)
  }
}
