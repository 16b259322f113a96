public import Foundation
public import LarderText

/// The folders of this checkout that tests read.
public enum Checkout {
  public static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  public static let sample = root.appending(path: "sample-household")

  struct NoFiles: Error {
    let folder: String
  }

  /// Returns the files below a folder that end in `.json`, with their relative paths, sorted; there
  /// has to be one.
  public static func jsonFiles(in folder: URL) throws -> [(path: FilePath, bytes: [UInt8])] {
    let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path())
    let files = paths.map { FilePath($0) }.filter { $0.hasSuffix(".json") }.sorted()
    guard !files.isEmpty else { throw NoFiles(folder: folder.path()) }
    return try files.map { path in
      (path, [UInt8](try Data(contentsOf: folder.appending(path: path.text))))
    }
  }
}
