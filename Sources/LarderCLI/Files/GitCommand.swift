import LarderKit
import Libc

/// `larder git`: git in the household's folder.
enum GitCommand {
  static let arguments = Argument("ARGS", .rest, help: "arguments for git, unchanged")

  static let command = Command("git", group: "Files", arguments: [arguments]) { invocation in
    try await invocation.withLarder { larder in try run(invocation.all(arguments), in: larder.root)
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
    throw ErrorWords(.failed, "there is no git program in PATH", MessageWords.installingGit)
  }
}

/// `larder merge-driver`: the merge of one file, for git.
enum MergeDriverCommand {
  static let base = Argument("BASE", values: .file, help: "the common ancestor's file (%O)")
  static let ours = Argument("OURS", values: .file, help: "our file, which gets the result (%A)")
  static let theirs = Argument("THEIRS", values: .file, help: "the other side's file (%B)")
  static let path = Argument("PATH", help: "the file's path in the household (%P)")

  static let command = Command(
    "merge-driver", group: "Files", arguments: [base, ours, theirs, path], isHidden: true
  ) { invocation in
    let path = invocation[path]
    do {
      let ancestor = try FileBytes.read(invocation[base])
      let merged = Larder.mergeFile(
        base: ancestor.isEmpty ? nil : ancestor, ours: try FileBytes.read(invocation[ours]),
        theirs: try FileBytes.read(invocation[theirs]), path: FilePath(path))
      guard let merged else {
        throw ErrorWords(
          .failed,
          "can't join the versions of \(path): a side is broken or refused, they are two things, or both "
            + "say what there is in all, and not the same",
          "mend the file or choose a side with 'git checkout --ours' or '--theirs', then 'git add' it"
        )
      }
      try FileBytes.write(merged, to: invocation[ours])
    } catch let error as StoreError {
      invocation.output.report(MessageWords().errorWords(for: error))
      throw ExitStatus(code: 129)
    }
  }

}

/// `larder textconv`: a file's text for people, for git.
enum TextconvCommand {
  static let file = Argument("FILE", values: .file, help: "the file to show")

  static let command = Command("textconv", group: "Files", arguments: [file], isHidden: true) {
    invocation in
    let bytes = try FileBytes.read(invocation[file])
    invocation.output.standardOutput.write(EntityText.text(of: bytes, path: invocation[file]))
  }
}

/// `larder tidy`: packs the history in a background process.
enum TidyCommand {
  static let command = Command("tidy", group: "Files", isHidden: true) { invocation in
    try await invocation.withLarder { larder in
      guard try !larder.pack() else { return }
      invocation.output.note("another process is packing the history already")
    }
  }

  /// Starts it in the background if it is due.
  ///
  /// The command has already succeeded, so a failure here is only a warning.
  static func startIfDue(for larder: isolated Larder, _ invocation: Invocation) {
    let output = invocation.output
    do {
      guard try larder.isPackingDue else { return }
      try OwnProgram.startBehind(["-C", larder.root, command.name], invocation.environment)
      output.note("packing the history in the background, so that it takes less room")
    } catch {
      output.warn("can't start packing the history; 'larder git -- gc' does the same")
    }
  }
}

/// `larder pre-commit`: what the hook of earlier versions calls.
enum PreCommitCommand {
  static let command = Command("pre-commit", group: "Files", isHidden: true) { _ in }
}
