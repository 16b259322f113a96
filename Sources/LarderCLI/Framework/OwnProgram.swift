import Foundation

/// The command by which git and background tasks call this program.
enum OwnProgram {
  /// Returns the plain name if the shell finds this program by it, otherwise its full path as a
  /// shell word.
  static func word(_ environment: Environment) -> String {
    guard let path = environment.program.map(resolved) else { return "larder" }
    let folders = (environment["PATH"] ?? "").split(separator: ":").map(String.init)
    let found = folders.map { $0 + "/larder" }.first {
      FileManager.default.isExecutableFile(atPath: $0)
    }
    if let found, resolved(found) == path { return "larder" }
    return shellWord(path)
  }

  /// Starts this program in the background; the current command does not wait for it.
  static func startBehind(_ words: [String], _ environment: Environment) throws {
    let process = Process()
    process.executableURL = environment.program.map { URL(filePath: $0) }
    process.arguments = words
    // Otherwise a reader of our output would wait until this process ends.
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
  }

  private static func resolved(_ path: String) -> String {
    URL(filePath: path).resolvingSymlinksInPath().path(percentEncoded: false)
  }
}
