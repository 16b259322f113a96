import LarderKit

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
      guard let merged else { throw conflict(path) }
      try FileBytes.write(merged, to: invocation[ours])
    } catch let error as StoreError {
      invocation.output.report(MessageWords().commandError(for: error))
      throw ExitStatus(code: 129)
    }
  }

  private static func conflict(_ path: String) -> CommandError {
    CommandError(
      .failed,
      "can't join the versions of \(path): a side is broken or refused, they are two things, or both "
        + "say what there is in all, and not the same",
      "mend the file or choose a side with 'git checkout --ours' or '--theirs', then 'git add' it")
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
