import Foundation

/// How git is told to call this very program.
enum OwnProgram {
  /// The bare name where the shell finds this program by it, else its whole path as a shell word.
  static func word(_ environment: Environment) -> String {
    guard let path = Bundle.main.executablePath.map(resolved) else { return "larder" }
    let folders = (environment["PATH"] ?? "").split(separator: ":").map(String.init)
    let found = folders.map { $0 + "/larder" }.first {
      FileManager.default.isExecutableFile(atPath: $0)
    }
    if let found, resolved(found) == path { return "larder" }
    return quoted(path)
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
