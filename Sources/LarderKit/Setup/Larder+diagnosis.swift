internal import LarderGit
public import LarderModel
internal import LarderStore
internal import Libc

/// Something that prevents a copy of a household from working well on this device.
public enum Finding: Sendable, Hashable {
  /// The household is read-only, because its folder is not the root of a git repository.
  case notARepository(root: String)
  /// Git can't open the folder.
  case damagedFolder(GitFolder.Damage, path: String)
  /// Something in the repository or the files is damaged.
  case damage(Damage, kept: String?)
  case setUp(SetUpProblem)
  /// Git does something else with files of the household than larder.
  case attribute(AttributeFault)
  /// A pre-commit hook calls larder, as in earlier versions; larder needs none.
  case formerHook(path: String)
  /// The program of git's merge driver is missing.
  case staleMergeDriver(String)
  /// A killed larder left an unfinished change.
  case unfinished
  case indexLocked(path: String)
  case leftLock(path: String, isRemovable: Bool)
  case operationInProgress(Operation)
  /// There is no git program in `PATH`.
  case noGit
  case shallow
  /// A remote that was synced with is no longer in git's configuration.
  case lostRemote(String)
  /// HEAD is on no branch.
  case detached(LooseHead)
  /// No branch has a commit that was made on none.
  case leftCommit(LeftCommit)
  /// This number of times is more than a day ahead of the clock, in this number of files.
  case aheadOfClock(times: Int, files: Int)
  /// There is a second version of a file beside it.
  case keptVersion(KeptVersion)
  case newerFormat(String, FormatPlace)
  /// Broken and refused files without a known good version; never empty.
  case untaken([FilePath])

  /// The place of a newer format.
  public enum FormatPlace: Sendable, Hashable {
    case here, remote, project
  }

  /// Whether ``Larder/mend()`` repairs it; people have to repair the others.
  public var isMendable: Bool {
    switch self {
    case .setUp, .staleMergeDriver, .unfinished, .leftCommit: true
    case .damage(let damage, _): damage.isMendable
    case .leftLock(_, let isRemovable): isRemovable
    case .notARepository, .damagedFolder, .attribute, .formerHook, .indexLocked,
      .operationInProgress, .noGit, .shallow, .lostRemote, .detached, .aheadOfClock, .keptVersion,
      .newerFormat, .untaken:
      false
    }
  }
}

extension Damage {
  /// The path of the damaged file; nil for any other damage.
  var path: FilePath? {
    switch self {
    case .file(let path), .conflict(let path), .plainConflict(let path),
      .syncCopy(let path, of: _):
      path
    case .object, .reference, .index, .uncheckedIndex, .hiddenFolder, .wouldBeRefused, .refused: nil
    }
  }

  /// Whether only single files are damaged, so everything else can be checked.
  var isOfFiles: Bool {
    switch self {
    case .file, .syncCopy, .conflict, .plainConflict, .wouldBeRefused, .refused: true
    case .object, .reference, .index, .uncheckedIndex, .hiddenFolder: false
    }
  }

  fileprivate var isSyncCopy: Bool { if case .syncCopy = self { true } else { false } }

  fileprivate var isMendable: Bool {
    switch self {
    case .plainConflict: false
    case .reference(let name): name != "HEAD" && !name.hasPrefix("refs/tags/")
    case .object, .index, .uncheckedIndex, .hiddenFolder, .file, .syncCopy, .conflict,
      .wouldBeRefused, .refused:
      true
    }
  }
}

extension Larder {
  /// Returns everything that prevents this copy of the household from working well; reads the whole
  /// history.
  public func diagnose() throws -> [Finding] {
    guard let repository = store.repository else { return [.notARepository(root: root)] }
    let damage = try store.damage()
    let damaged = try damage.map { Finding.damage($0, kept: try store.placeKept($0)) }
    // Everything else needs the damaged objects, references or index.
    guard damage.allSatisfy(\.isOfFiles) else { return damaged }
    let leftovers = leftovers(repository)
    // Reading would finish an unfinished change, which only a repair may do; and a shallow clone
    // may lack commits that its meaning depends on.
    let isReadable = !leftovers.contains(where: \.isMendable) && !repository.isShallow
    var findings = try damaged + setUp(repository) + leftovers + surroundings(repository)
    if isReadable { findings += try timesAhead() }
    findings += try keptVersions().map { .keptVersion($0) }
    if isReadable { findings += try newerFormat() + untaken(besides: damage) }
    return findings
  }

  /// Repairs everything that larder can repair, and sets this device up.
  ///
  /// Replaced parts are kept in `.git/larder/kept`. Open the household again afterwards.
  public func mend() throws { try mend(store) }

  private func mend(_ store: Store) throws {
    let damage = try store.damage()
    // The state of the files can't be checked until the rest is repaired.
    try store.mend(damage)
    if !damage.allSatisfy(\.isOfFiles) {
      let fresh = try store.reopened()
      guard try fresh.damage().allSatisfy(\.isOfFiles) else { return }
      return try mend(fresh)
    }
    try store.removeLeftLocks()
    try store.setUpDevice(program: context.program())
    if store.repository?.isShallow ?? false { return }
    _ = try store.read()
    // Adding the lines of .gitattributes makes a commit, which needs a branch and no merge in progress.
    guard store.repository?.operationInProgress() == nil, try store.looseHead() == nil,
      try store.filters().isEmpty
    else { return }
    // A file that a copy was joined with is an edit until it is adopted.
    if damage.contains(where: \.isSyncCopy) { _ = try adopt() }
    _ = try store.mendAttributes()
    try store.takeLeftCommits()
  }

  /// Returns the same household with its repository opened again.
  public func reopened() throws(StoreError) -> Larder { Larder(try store.reopened(), context) }

  /// Returns what prevents git from opening the household's repository near a folder.
  public static func diagnoseFolder(near directory: String) throws(StoreError) -> [Finding] {
    guard let folder = GitFolder(near: directory) else { return [] }
    return try folder.damage().map { .damagedFolder($0, path: folder.path) }
  }

  private func setUp(_ repository: Repository) throws -> [Finding] {
    var findings = try store.setUpProblems().map { Finding.setUp($0) }
    findings += try store.attributeFaults().map { .attribute($0) }
    if let hook = try store.formerHook { findings.append(.formerHook(path: hook)) }
    if let driver = try repository.configuration("merge.larder.driver"), !runs(driver) {
      findings.append(.staleMergeDriver(driver))
    }
    return findings
  }

  /// Whether the program of a driver exists; a name without a folder counts as found in PATH.
  private func runs(_ driver: String) -> Bool {
    let program = firstWord(ofCommand: driver)
    return !program.hasPrefix("/") || access(program, X_OK) == 0
  }

  /// Returns the first word of a command as a shell reads it, without its quotes.
  private func firstWord(ofCommand command: String) -> String {
    var word = ""
    var quote: Character?
    var isEscaped = false
    for character in command {
      if isEscaped {
        word.append(character)
        isEscaped = false
      } else if character == "\\", quote != "'" {
        isEscaped = true
      } else if character == quote {
        quote = nil
      } else if quote == nil, character == "'" || character == "\"" {
        quote = character
      } else if quote == nil, character == " " {
        break
      } else {
        word.append(character)
      }
    }
    return word
  }

  private func leftovers(_ repository: Repository) -> [Finding] {
    var findings: [Finding] = []
    if FileState(of: repository.gitDirectory + "/larder/transaction") != nil {
      findings.append(.unfinished)
    }
    if repository.isIndexLocked {
      findings.append(.indexLocked(path: repository.indexLockPath))
    }
    findings += store.leftLocks().map { .leftLock(path: $0.path, isRemovable: $0.isRemovable) }
    if let operation = repository.operationInProgress() {
      findings.append(.operationInProgress(operation))
    }
    return findings
  }

  private func surroundings(_ repository: Repository) throws -> [Finding] {
    var findings: [Finding] = []
    if GitVersion.program() == nil { findings.append(.noGit) }
    if repository.isShallow { findings.append(.shallow) }
    findings += try lostRemotes(repository).map { .lostRemote($0) }
    if let head = try store.looseHead() { findings.append(.detached(head)) }
    findings += try store.leftCommits().map { .leftCommit($0) }
    return findings
  }

  /// Returns the remotes that were synced with but are no longer in git's configuration, sorted.
  private func lostRemotes(_ repository: Repository) throws -> [String] {
    var seen: Set<String> = []
    for entry in ReferenceFiles(folder: repository.commonDirectory).entries() {
      let parts = entry.name.split(separator: "/")
      if parts.count > 3, parts[1] == "remotes" { seen.insert(String(parts[2])) }
    }
    return seen.subtracting(try repository.remotes()).sorted()
  }

  private func timesAhead() throws -> [Finding] {
    let ahead = HouseholdCheck.findings(in: try read().household, now: context.now())
      .filter { finding in
        if case .aheadOfClock = finding.kind { true } else { false }
      }
    guard !ahead.isEmpty else { return [] }
    return [.aheadOfClock(times: ahead.count, files: Set(ahead.map(\.path)).count)]
  }

  /// Returns a newer format of the household here, otherwise of the remote, otherwise of the
  /// project.
  private func newerFormat() throws -> [Finding] {
    if let own = try read().household.own, !Schema.knows(format: own.format) {
      return [.newerFormat(own.format, .here)]
    }
    if let format = try store.formatOfUpstream(), !Schema.knows(format: format) {
      return [.newerFormat(format, .remote)]
    }
    guard let format = try store.cloudFormat(), !Schema.knows(format: format) else { return [] }
    return [.newerFormat(format, .project)]
  }

  private func untaken(besides damage: [Damage]) throws -> [Finding] {
    let told = Set(damage.compactMap(\.path))
    let paths = try read().household.untaken.keys.filter { !told.contains($0) }.sorted()
    return paths.isEmpty ? [] : [.untaken(paths)]
  }
}
