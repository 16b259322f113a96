import LarderKit

/// `larder doctor`: checks this device's setup and finds damage.
enum DoctorCommand {
  static let fix = Option("fix", help: "repair what larder can repair")

  private static let record = Column<(state: String, name: String, message: String)>.records(
    ("state", { $0.state }), ("name", { $0.name }), ("message", { $0.message }))

  static let command = Command(
    "doctor", group: "Household", options: [fix], records: [record.form()]
  ) { invocation in
    let isFixing = invocation.has(fix)
    let opening = try Larder.diagnoseFolder(near: invocation.directory).map { Complaint($0) }
    // Nothing else can be checked before git can open the folder.
    guard opening.isEmpty else { return try report(opening, [], invocation.output) }
    try await invocation.withLarder { larder in
      let found = try complaints(about: larder)
      guard isFixing, found.contains(where: \.isMendable) else {
        return try report(found, [], invocation.output)
      }
      try larder.mend()
      let left = try await complaints(about: try larder.reopened())
      let mended = found.filter { complaint in
        complaint.isMendable
          && !left.contains { $0.name == complaint.name && $0.message == complaint.message }
      }
      try report(left, mended, invocation.output)
    }
  }

  private static func complaints(about larder: isolated Larder) throws -> [Complaint] {
    try larder.diagnose().map { Complaint($0, root: larder.root) }
  }

  private static func report(_ left: [Complaint], _ mended: [Complaint], _ output: Output) throws {
    switch output.mode {
    case .json:
      output.json(["problems": .array(left.map(\.json)), "fixed": .array(mended.map(\.json))])
    case .plain:
      output.records(mended.map { ("fixed", $0.name, $0.mended ?? "") }, record)
      output.records(left.map { ("problem", $0.name, $0.message) }, record)
    case .human:
      for complaint in mended { output.line(complaint.mended ?? complaint.message) }
      for complaint in left { output.finding(Problem(complaint.message)) }
      if left.isEmpty { output.line(mended.isEmpty ? "all is well" : "all is well now") }
    }
    guard !left.isEmpty else { return }
    if output.mode != .json {
      for hint in left.map(\.hint).unique { output.hint(hint) }
    }
    throw ExitStatus(code: 1)
  }
}

/// A finding of `doctor` in words.
struct Complaint: Sendable, Equatable {
  /// A stable name for scripts.
  let name: String
  let message: String
  let hint: String
  /// The sentence after --fix has repaired it; nil if people have to.
  var mended: String?

  var isMendable: Bool { mended != nil }

  var json: JSON { ["name": .string(name), "message": .string(message), "hint": .string(hint)] }

  static let mending = "'larder doctor --fix' mends it"

  /// Creates the words for a finding in the household of a folder.
  init(_ finding: Finding, root: String? = nil) {
    self =
      switch finding {
      case .notARepository(let root):
        Complaint(
          "notARepository",
          "\(root) can be read but not written: it is not the root of a git repository",
          "'larder init' in a copy of the folder makes one of it")
      case .damagedFolder(let damage, let path): .about(damage, in: path)
      case .damage(let damage, let kept): .about(damage, kept: kept, MessageWords(root: root))
      case .setUp(let problem): problem.complaint
      case .attribute(let fault):
        Complaint(
          fault.isFilter ? "filtered" : "attribute", fault.sentence,
          fault.ways.joined(separator: "; "))
      case .formerHook(let path):
        Complaint(
          "formerHook",
          "git's pre-commit hook calls larder, which does nothing there any more: \(path)",
          "take the call out; if there is nothing else in it: rm \(shellWord(path))")
      case .staleMergeDriver(let driver):
        Complaint(
          "staleMergeDriver",
          "git's merge driver is a program that is not there any more: \(driver)", Self.mending,
          mended: "git's merge driver is this program now")
      case .unfinished:
        Complaint(
          "unfinished", "a larder that was killed left a change half written",
          "the next larder command finishes it", mended: "what a killed larder left is finished")
      case .indexLocked(let path):
        Complaint(
          "indexLocked", "git's index is locked: \(path) exists",
          MessageWords.waysAround(lock: path).joined(separator: "; "))
      case .leftLock(let path, let isRemovable):
        Complaint(
          "leftLock", "a lock was left behind: \(path)",
          isRemovable ? Self.mending : MessageWords.waysAround(lock: path).joined(separator: "; "),
          mended: isRemovable ? "the lock \(path) is gone" : nil)
      case .operationInProgress(let operation): .about(operation, MessageWords(root: root))
      case .noGit:
        Complaint("noGit", "there is no git program in PATH", MessageWords.installingGit)
      case .shallow:
        Complaint(
          "shallow", "this is a shallow clone, whose history is cut off",
          "'larder git -- fetch --unshallow' brings the rest")
      case .lostRemote(let name):
        Complaint(
          "lostRemote", "git's settings know no remote \(name) any more, which was synced with",
          "'larder git -- remote add \(shellWord(name)) URL' says again where it is; .git/FETCH_HEAD "
            + "may tell")
      case .detached(let head):
        Complaint("detached", head.sentence, head.ways.joined(separator: "; "))
      case .leftCommit(let left):
        Complaint(
          "leftCommit", left.sentence,
          "'larder git -- show \(left.commit.id.short)' shows it, 'larder doctor --fix' takes it in",
          mended: "\(left.commit.id.short) is taken in")
      case .aheadOfClock(let times, let files):
        Complaint(
          "aheadOfClock",
          "\(counted(times, "time lies", "times lie")) more than a day ahead of this "
            + "device's clock, in \(counted(files, "file"))",
          "set the clock right where it is wrong; 'larder check' shows the places")
      case .keptVersion(let version):
        Complaint("keptVersion", version.sentence, KeptVersion.hint)
      case .newerFormat(let format, let place): .about(format, place)
      case .untaken(let paths): .aboutUntaken(paths.map(\.text))
      }
  }

  init(_ name: String, _ message: String, _ hint: String, mended: String? = nil) {
    self.name = name
    self.message = message
    self.hint = hint
    self.mended = mended
  }

  private static func about(_ operation: Operation, _ prose: MessageWords) -> Complaint {
    let error = prose.errorWords(for: StoreError.operationInProgress(operation))
    return Complaint("operationInProgress", error.message, error.hints.first ?? "")
  }

  private static func aboutUntaken(_ paths: [String]) -> Complaint {
    let more = paths.count > 1 ? " and \(counted(paths.count - 1, "other file"))" : ""
    return Complaint(
      "unreadableFile",
      "\(safePath(paths.first ?? ""))\(more) \(paths.count > 1 ? "are" : "is") broken or refused",
      "'larder check' shows the mistakes; everything else goes on")
  }

  private static func about(_ format: String, _ place: Finding.FormatPlace) -> Complaint {
    switch place {
    case .here:
      Complaint(
        "newerFormat",
        "the household has format \(format), which this larder reads and does not write",
        "get a newer larder; or, if it was a mistake, write \"format\": \(Schema.format) "
          + "back in household.json, or in the project's table households, and sync")
    case .remote:
      Complaint(
        "newerRemoteFormat",
        "the others have the household in format \(format), so nothing is synced with them",
        MessageWords.aboutNewerFormat[0]
          + "; if it was a mistake, one of them writes \"format\": \(Schema.format) back in household.json, and "
          + "syncs")
    case .project:
      Complaint(
        "newerCloudFormat",
        "the project has the household in format \(format), so nothing is exchanged with it",
        MessageWords.aboutNewerFormat[0] + "; " + MessageWords.aboutNewerFormat[1])
    }
  }

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
      "damagedGitFolder", MessageWords().message(damage, in: path),
      own.map { "\($0); otherwise \(copyingAgain)" } ?? copyingAgain)
  }

  /// Returns the words for damage in the repository or the files.
  static func about(_ damage: Damage, kept: String?, _ words: MessageWords) -> Complaint {
    let kept = kept.map { "; what was there is kept in \($0)" } ?? ""
    switch damage {
    case .reference(let name): return reference(name)
    case .object(let object): return about(object)
    case .index:
      return Complaint(
        "damagedIndex", "git's index can't be read, or is gone", mending,
        mended: "git's index is rebuilt from HEAD" + kept)
    case .uncheckedIndex:
      return Complaint(
        "uncheckedIndex",
        "git's index has no checksum, and git's settings here don't say that it is to be left out",
        mending + "; 'git config index.skipHash true' says that it is wanted",
        mended: "git's index has its checksum, and nothing else in it is changed")
    case .hiddenFolder(let name):
      return Complaint(
        "hiddenFolder",
        "a commit put something else into the place of the household's folder \(name)", mending,
        mended: "\(name) is a folder again" + kept)
    case .file(let path):
      return Complaint(
        "damagedFile", "\(path) is broken or refused; 'larder check' shows its mistakes",
        "mend it by hand, or let 'larder doctor --fix' put its last good version there and keep "
          + "this one in .git/larder/kept", mended: "\(path) has its last good version again" + kept
      )
    case .syncCopy(let path, of: let original):
      return Complaint(
        "syncCopy", "\(path) is a copy of \(original) that a sync of folders left",
        "'larder doctor --fix' joins them and keeps the copy in .git/larder/kept; 'rm' drops it",
        mended: "\(path) is joined with \(original)" + kept)
    case .conflict(let path):
      return Complaint(
        "unresolvedMerge", "git left \(path) in conflict",
        "'larder doctor --fix' joins both sides; 'git commit' ends the merge then",
        mended: "both sides of \(path) are joined" + kept)
    case .wouldBeRefused(let refused):
      return Complaint(
        "wouldBeRefused",
        "other devices would refuse \(words.words(for: refused)), which is checked out here"
          + words.faults(of: refused), mending,
        mended: "a commit that other devices accept is checked out; what was in "
          + "\(refused.commit.id.short) stays in the history")
    case .refused(let refused, let reference):
      let remote = reference.split(separator: "/").dropFirst(2).first.map(String.init) ?? reference
      return Complaint(
        "refusedCommit",
        "\(remote) has a commit that is not followed: \(words.words(for: refused))"
          + words.faults(of: refused),
        "'larder doctor --fix' takes it without these, and 'larder sync' sends that to everybody",
        mended: "took \(words.words(for: refused)), without what no household may have; "
          + "'larder sync' sends that")
    case .plainConflict(let path):
      return Complaint(
        "unresolvedFile", "git left \(path) in conflict, for you to resolve",
        "edit what is left in conflict and 'git add' it; or leave the merge with 'git merge "
          + "--abort', and 'larder sync' keeps both versions")
    }
  }

  private static func reference(_ name: String) -> Complaint {
    if name.hasPrefix("refs/tags/") {
      return Complaint(
        "damagedReference", "\(name) can't be read, or leads to nothing",
        "'git fetch --tags --force' brings tags again, 'git tag -d' takes one away")
    }
    let mended =
      name.hasPrefix("refs/heads/")
      ? "\(name) leads to the last commit that is known of it"
      : "\(name) is gone until it is written again"
    return Complaint(
      "damagedReference", "\(name) can't be read, or leads to nothing",
      "'larder doctor --fix' looks for it in git's logs; otherwise \(copyingAgain)",
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
      "damagedObject", "\(what) can't be read: \(object.id.hex)",
      "'larder doctor --fix' brings it back if the work tree still has it, a backup's "
        + ".git/objects may have it too; otherwise \(copyingAgain)",
      mended: object.kind == .blob
        ? "\(what) is there again: \(object.id.hex)"
        : "the history goes on without \(what), \(object.id.hex); the files have what it said")
  }
}

extension SetUpProblem {
  /// The words of `doctor` and `status`.
  var complaint: Complaint {
    func mendable(_ name: String, _ message: String, _ mended: String) -> Complaint {
      Complaint(name, message, Complaint.mending, mended: mended)
    }
    return switch self {
    case .noUserID:
      mendable("noUserID", "this device has no user id", "this device has a user id now")
    case .noDeviceName:
      mendable("noDeviceName", "this device has no name", "this device has a name now")
    case .noMergeDriver:
      mendable(
        "noMergeDriver", "git does not know how to merge the household's files",
        "git merges the household's files with larder now")
    case .noTextConversion:
      mendable(
        "noTextConversion", "git does not know how to show the household's files in words",
        "git shows the household's files in words now")
    case .noAttributes:
      mendable(
        "noAttributes", ".gitattributes lacks lines for the household's files",
        ".gitattributes has the lines for the household's files now")
    }
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
