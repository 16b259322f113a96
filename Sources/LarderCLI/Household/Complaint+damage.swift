import LarderKit
import LarderModel
internal import LarderText

extension Complaint {
  /// How to get a sound copy of a damaged household; all that counts is in the files.
  private static let copyingAgain =
    "'larder join ADDRESS NEW' makes a new copy; copy all files but .git from here over those in NEW, "
    + "and 'larder adopt' there takes in what they have; without a remote, move .git away, and "
    + "'larder init' makes a new history of the files"

  /// Returns the words for damage that prevents git from opening a household's folder.
  static func about(_ damage: GitFolder.Damage, in path: String) -> Complaint {
    let own: String? =
      switch damage {
      case .missingFolder(let name): "'mkdir -p \(shellWord("\(path)/\(name)"))' makes it again"
      case .head:
        "write the line 'ref: refs/heads/main', with the branch's name, into \(path)/HEAD"
      case .settings: "take that line out, or all: 'larder doctor --fix' sets up what larder needs"
      case .packedReferences: nil
      }
    return Complaint(
      name: "damagedGitFolder", message: MessageWords().message(damage, in: path),
      hint: own.map { "\($0); otherwise \(copyingAgain)" } ?? copyingAgain)
  }

  /// Returns the words for damage in the repository or the files.
  static func about(_ damage: Damage, kept: String?, _ words: MessageWords) -> Complaint {
    let kept = kept.map { "; what was there is kept in \($0)" } ?? ""
    switch damage {
    case .reference(let name): return reference(name)
    case .object(let object): return about(object)
    case .index:
      return Complaint(
        name: "damagedIndex", message: "git's index can't be read, or is gone", hint: mending,
        mended: "git's index is rebuilt from HEAD" + kept)
    case .hiddenFolder(let name):
      return Complaint(
        name: "hiddenFolder",
        message: "a commit put something else into the place of the household's folder \(name)",
        hint: mending, mended: "\(name) is a folder again" + kept)
    case .file(let path):
      return Complaint(
        name: "damagedFile",
        message: "\(path) is broken or refused; 'larder check' shows its mistakes",
        hint:
          "mend it by hand, or let 'larder doctor --fix' put its last good version there and keep "
          + "this one in .git/larder/kept", mended: "\(path) has its last good version again" + kept
      )
    case .conflict(let path):
      return Complaint(
        name: "unresolvedMerge", message: "git left \(path) in conflict",
        hint: "'larder doctor --fix' joins both sides; 'git commit' ends the merge then",
        mended: "both sides of \(path) are joined" + kept)
    case .wouldBeRefused(let refused):
      return Complaint(
        name: "wouldBeRefused",
        message:
          "other devices would refuse \(words.words(for: refused)), which is checked out here"
          + words.faults(of: refused),
        hint: mending,
        mended: "a commit that other devices accept is checked out; what was in "
          + "\(refused.commit.id.short) stays in the history")
    case .refused(let refused, let reference):
      let remote = reference.split(separator: "/").dropFirst(2).first.map(String.init) ?? reference
      return Complaint(
        name: "refusedCommit",
        message: "\(remote) has a commit that is not followed: \(words.words(for: refused))"
          + words.faults(of: refused),
        hint:
          "'larder doctor --fix' takes it without these, and 'larder sync' sends that to everybody",
        mended: "took \(words.words(for: refused)), without what no household may have; "
          + "'larder sync' sends that")
    case .plainConflict(let path):
      return Complaint(
        name: "unresolvedFile", message: "git left \(path) in conflict, for you to resolve",
        hint: "edit what is left in conflict and 'git add' it; or leave the merge with 'git merge "
          + "--abort', and 'larder sync' keeps both versions")
    }
  }

  private static func reference(_ name: String) -> Complaint {
    if name.hasPrefix("refs/tags/") {
      return Complaint(
        name: "damagedReference", message: "\(name) can't be read, or leads to nothing",
        hint: "'git fetch --tags --force' brings tags again, 'git tag -d' takes one away")
    }
    let mended =
      name.hasPrefix("refs/heads/")
      ? "\(name) leads to the last commit that is known of it"
      : "\(name) is gone until it is written again"
    return Complaint(
      name: "damagedReference", message: "\(name) can't be read, or leads to nothing",
      hint: "'larder doctor --fix' looks for it in git's logs; otherwise \(copyingAgain)",
      mended: name == "HEAD" ? nil : mended)
  }

  private static func about(_ object: DamagedObject) -> Complaint {
    let what =
      switch object.kind {
      case .commit: "a commit of the history"
      case .tree: object.path.isEmpty ? "a list of files" : "a list of the files in \(object.path)"
      case .blob: "a version of \(object.path)"
      }
    return Complaint(
      name: "damagedObject", message: "\(what) can't be read: \(object.id.hex)",
      hint: "'larder doctor --fix' brings it back if the work tree still has it, a backup's "
        + ".git/objects may have it too; otherwise \(copyingAgain)",
      mended: object.kind == .blob
        ? "\(what) is there again: \(object.id.hex)"
        : "the history goes on without \(what), \(object.id.hex); the files have what it said")
  }
}

extension MessageWords {
  /// Returns the first faults of a commit, in one line.
  fileprivate func faults(of refused: RefusedCommit) -> String {
    let shown = refused.faults.prefix(3).map { fault in
      let problem = problem(for: fault)
      return [problem.path.map(safePath), problem.message].compactMap(\.self).joined(
        separator: ": ")
    }
    let more = refused.faults.count - shown.count
    let rest = more > 0 ? ["\(more) more"] : []
    return shown.isEmpty ? "" : " (" + (shown + rest).joined(separator: "; ") + ")"
  }
}
