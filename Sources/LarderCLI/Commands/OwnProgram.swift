import Foundation

/// How git is told to call this very program.
enum OwnProgram {
  /// The bare name where the shell finds this program by it, else its whole path as a shell word.
  static func word(_ environment: Environment) -> String {
    guard let path = environment.program.map(resolved) else { return "larder" }
    let folders = (environment["PATH"] ?? "").split(separator: ":").map(String.init)
    let found = folders.map { $0 + "/larder" }.first {
      FileManager.default.isExecutableFile(atPath: $0)
    }
    if let found, resolved(found) == path { return "larder" }
    return quoted(path)
  }

  /// Starts this program on words, behind a command that does not wait for it.
  static func startBehind(_ words: [String], _ environment: Environment) throws {
    let process = Process()
    process.executableURL = environment.program.map { URL(filePath: $0) }
    process.arguments = words
    // What reads our output is not to wait for the end of it.
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
  }

  private static func resolved(_ path: String) -> String {
    URL(filePath: path).resolvingSymlinksInPath().path()
  }

  /// One word for a shell, in single quotes where it needs them.
  private static func quoted(_ word: String) -> String {
    let isPlain = word.unicodeScalars.allSatisfy { scalar in
      scalar.isASCII
        && (scalar.properties.isAlphabetic || "0123456789/._-+".unicodeScalars.contains(scalar))
    }
    return isPlain ? word : "'" + word.replacing("'", with: "'\\''") + "'"
  }
}
