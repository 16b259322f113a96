import LarderKit
import LarderModel
internal import LarderText

extension MessageWords {
  /// Returns the words for a refused commit of somebody else.
  func commandError(refusing refused: RefusedCommit, from remote: String) -> CommandError {
    CommandError(
      .refused,
      "\(remote) has a commit that is not followed: \(words(for: refused)); nothing of it was written",
      problems: refused.faults.map { problem(for: $0) },
      hints: [
        "'larder doctor --fix' takes it without \(refused.faults.isEmpty ? "its fault" : "these"), and "
          + "'larder sync' sends that to everybody",
        "or ask its author to correct it and push again: then it is followed",
        "everything on this device goes on meanwhile",
      ])
  }

  /// Returns the words for a household that is not cloned.
  func commandError(refusingClone refused: RefusedCommit, from url: String) -> CommandError {
    CommandError(
      .refused,
      "\(url) is not joined: its last commit, \(words(for: refused)), has something that no household may have",
      problems: refused.faults.map { problem(for: $0) },
      hints: [
        "on a device that is in the household, 'larder doctor --fix' and 'larder sync' take them out"
      ])
  }

  /// Returns the words for a commit of this device that is not sent.
  func commandError(keeping refused: RefusedCommit) -> CommandError {
    CommandError(
      .refused,
      "can't send: the others would not follow \(words(for: refused)), which is checked out here",
      problems: refused.faults.map { problem(for: $0) },
      hints: ["'larder doctor --fix' takes these out of the next commit, and keeps them"])
  }

  /// Returns the words for a commit: its id, author and time, or that its author line is damaged.
  func words(for refused: RefusedCommit) -> String {
    let commit = refused.commit
    guard commit.isSound else {
      return "\(commit.id.short) by somebody whose name or time can't be read"
    }
    let author = commit.author
    let email = author.email.isEmpty ? "" : " <\(author.email)>"
    return "\(commit.id.short) by \(author.name)\(email) of \(commit.at)"
  }

  func problem(for fault: TreeFault) -> Problem {
    Problem(message(fault.reason), path: fault.path.isEmpty ? nil : fault.path.text)
  }

  private func message(_ reason: TreeFault.Reason) -> String {
    switch reason {
    case .path(let fault): message(fault)
    case .link: "a link, where the household has its own files"
    case .submodule: "another repository, where the household has its own files"
    case .executable: "a program, where the household has its own files; 'chmod -x' makes it a file"
    case .notAFolder: "a file, where a folder of the household belongs"
    case .notAFile: "a folder, where the household's own file belongs"
    case .tooLarge(let bytes): "a file of \(bytes) bytes, more than is taken from others"
    case .tooMany: "a folder with more files than are taken from others"
    case .disorder: "a list of files that names one twice, or is out of order"
    }
  }

  /// Returns the reason why a path is not allowed.
  func message(_ fault: PathFault) -> String {
    switch fault {
    case .emptyName: "a part of this path is empty"
    case .dots: "this path leads out of its folder"
    case .separator: "a name has a slash or a backslash in it"
    case .gitFolder: "this is git's own folder, on some disk at least"
    case .controlCharacter: "a name has a control character in it"
    case .longName(let bytes): "a name has \(bytes) bytes; \(PathRule.longestName) are the most"
    case .longPath(let bytes): "the path has \(bytes) bytes; \(PathRule.longestPath) are the most"
    case .tooDeep: "more than \(PathRule.deepest) folders lie inside each other"
    case .folderNamedAsFile: "a folder is named like a file"
    }
  }
}
