import LarderKit
import Libc

/// `larder git`: git in the household's folder.
enum GitCommand {
  static let arguments = Argument("ARGS", .rest, help: "arguments for git, unchanged")

  static let command = Command("git", group: "Files", arguments: [arguments]) { invocation in
    try invocation.withLarder { larder in
      try run(invocation.all(arguments), in: larder.root)
    }
  }

  /// Replaces this process by git, which takes over its input, output and signals.
  private static func run(_ words: [String], in root: String) throws {
    guard chdir(root) == 0 else {
      throw StoreError.system(action: "go to", path: root, code: errno)
    }
    var arguments: [UnsafeMutablePointer<CChar>?] = (["git"] + words).map { strdup($0) }
    arguments.append(nil)
    signal(SIGPIPE, SIG_DFL)
    execvp("git", &arguments)
    let code = errno
    arguments.forEach { free($0) }
    guard code == ENOENT else { throw StoreError.system(action: "run", path: "git", code: code) }
    throw CommandError(.failed, "there is no git program in PATH", MessageWords.installingGit)
  }
}
