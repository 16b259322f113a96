public import Foundation

/// Texts in the checkout that are compared with the program's current output.
///
/// `UPDATE_GOLDEN=1` writes them again; a person then reads the difference and commits it.
public enum Golden {
  public static let folder = Checkout.root.appending(path: "Tests/Golden")

  public static var isUpdating: Bool {
    ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1"
  }

  /// Returns the stored text, after storing the new one if requested; nil if there is none.
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
