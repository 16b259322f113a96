import LarderGit
import LarderModel
import LarderStore

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// What keeps a copy of a household from working well on this device.
struct Diagnosis {
  let store: Store
  let now: Instant
  /// The command by which git is to call larder.
  let program: String

  /// Everything found, what can be mended first.
  func complaints() throws -> [Complaint] {
    guard let repository = store.repository else {
      return [
        Complaint(
          name: "notARepository",
          message:
            "\(store.root) can be read but not written: it is not the root of a git repository",
          hint: "'larder init' in a copy of the folder makes one of it")
      ]
    }
    let damage = try store.damage()
    let complaints = try damage.map { try complaint(about: $0) }
    // Nothing can be said of what stands on objects, references or an index that can't be read.
    guard damage.allSatisfy(\.isOfFiles) else { return complaints }
    let leftovers = try leftovers(repository)
    // Reading would finish what a killed command left, which is for --fix to do; and what a shallow
    // clone means may hang on commits that are not here.
    let isReadable = !leftovers.contains(where: \.isMendable) && !repository.isShallow
    let stamps = isReadable ? try stamps() : []
    return try complaints + setUp(repository) + leftovers + surroundings(repository) + stamps
      + keptVersions() + (isReadable ? format() + unreadable(besides: damage) : [])
  }

  /// Files that can't be read and that nothing is known of which could be brought back.
  private func unreadable(besides damage: [Damage]) throws -> [Complaint] {
    let told = Set(damage.compactMap(\.path))
    let paths = try store.read().household.unreadable.keys.filter { !told.contains($0) }.sorted()
    guard let first = paths.first else { return [] }
    let more = paths.count > 1 ? " and \(counted(paths.count - 1, "other file"))" : ""
    return [
      Complaint(
        name: "unreadableFile", message: "\(safePath(first))\(more) can't be read",
        hint: "'larder check' shows the mistakes; everything else goes on")
    ]
  }

  private func keptVersions() throws -> [Complaint] {
    try store.keptVersions().map {
      Complaint(name: "keptVersion", message: $0.sentence, hint: KeptVersion.hint)
    }
  }

  /// Sets this device up, and finishes what a killed command left.
  func mend() throws {
    let damage = try store.damage()
    // What can be told of files hangs on the rest.
    try store.mend(damage)
    if !damage.allSatisfy(\.isOfFiles) {
      let fresh = Diagnosis(store: try store.reopened(), now: now, program: program)
      let left = try fresh.store.damage()
      guard left.allSatisfy(\.isOfFiles) else { return }
      return try fresh.mend()
    }
    try store.removeLeftLocks()
    try store.setUpDevice(program: program)
    if try store.wantsHook { _ = try store.mendHook(program: program) }
    if store.repository?.isShallow ?? false { return }
    _ = try store.read()
    // The lines of .gitattributes come with a commit, which has to wait for a merge.
    guard store.repository?.operationInProgress() == nil else { return }
    _ = try store.mendAttributes()
  }

  static let mending = "'larder doctor --fix' mends it"

  private func setUp(_ repository: Repository) throws -> [Complaint] {
    var complaints = try store.setUpProblems().map { problem in
      Complaint(
        name: name(problem), message: Diagnosis.message(problem), hint: Diagnosis.mending,
        mended: mended(problem))
    }
    if try store.wantsHook {
      let hook = try store.hook(program: program)
      complaints += [HookSetting.complaint(about: hook)].compactMap { $0 }
    }
    if let driver = try repository.configuration("merge.larder.driver"), !runs(driver) {
      complaints.append(
        Complaint(
          name: "staleMergeDriver",
          message: "git's merge driver is a program that is not there any more: \(driver)",
          hint: Diagnosis.mending, mended: "git's merge driver is this program now"))
    }
    return complaints
  }

  private func name(_ problem: SetUpProblem) -> String {
    switch problem {
    case .noUserID: "noUserID"
    case .noDeviceName: "noDeviceName"
    case .noMergeDriver: "noMergeDriver"
    case .noTextConversion: "noTextConversion"
    case .noAttributes: "noAttributes"
    }
  }

  private func mended(_ problem: SetUpProblem) -> String {
    switch problem {
    case .noUserID: "this device has a user id now"
    case .noDeviceName: "this device has a name now"
    case .noMergeDriver: "git merges the household's files with larder now"
    case .noTextConversion: "git shows the household's files in words now"
    case .noAttributes: ".gitattributes has the lines for the household's files now"
    }
  }

  /// What this device's copy lacks, as `status` says it too.
  static func message(_ problem: SetUpProblem) -> String {
    switch problem {
    case .noUserID: "this device has no user id"
    case .noDeviceName: "this device has no name"
    case .noMergeDriver: "git does not know how to merge the household's files"
    case .noTextConversion: "git does not know how to show the household's files in words"
    case .noAttributes: ".gitattributes lacks lines for the household's files"
    }
  }

  /// Whether the program of a driver is there; one found by its name in PATH counts as being so.
  private func runs(_ driver: String) -> Bool {
    let word =
      driver.hasPrefix("'")
      ? String(driver.dropFirst().prefix { $0 != "'" }) : String(driver.prefix { $0 != " " })
    return !word.hasPrefix("/") || access(word, X_OK) == 0
  }

  private func leftovers(_ repository: Repository) throws -> [Complaint] {
    var complaints: [Complaint] = []
    if access(repository.gitDirectory + "/larder/transaction", F_OK) == 0 {
      complaints.append(
        Complaint(
          name: "unfinished", message: "a larder that was killed left a change half written",
          hint: "the next larder command finishes it",
          mended: "what a killed larder left is finished"))
    }
    if repository.isIndexLocked {
      complaints.append(
        Complaint(
          name: "indexLocked", message: "git's index is locked: \(repository.indexLockPath) exists",
          hint: Prose.waysAround(lock: repository.indexLockPath).joined(separator: "; ")))
    }
    for lock in store.leftLocks() {
      complaints.append(
        Complaint(
          name: "leftLock", message: "a lock was left behind: \(lock.path)",
          hint: lock.isRemovable
            ? Diagnosis.mending : Prose.waysAround(lock: lock.path).joined(separator: "; "),
          mended: lock.isRemovable ? "the lock \(lock.path) is gone" : nil))
    }
    if let operation = repository.operationInProgress() {
      let error = Prose(root: store.root).commandError(
        for: StoreError.operationInProgress(operation))
      complaints.append(
        Complaint(
          name: "operationInProgress", message: error.message, hint: error.hints.first ?? ""))
    }
    return complaints
  }

  private func surroundings(_ repository: Repository) throws -> [Complaint] {
    var complaints: [Complaint] = []
    if GitVersion.program() == nil {
      complaints.append(
        Complaint(
          name: "noGit", message: "there is no git program in PATH",
          hint: "install git: without it, sync knows no credential helpers and no SSH settings"))
    }
    if repository.isShallow {
      complaints.append(
        Complaint(
          name: "shallow", message: "this is a shallow clone, whose history is cut off",
          hint: "'larder git -- fetch --unshallow' brings the rest"))
    }
    complaints += try lostRemotes(repository)
    if case .detached = try repository.head() {
      complaints.append(
        Complaint(
          name: "detached", message: "no branch is checked out, so new commits belong to none",
          hint: "'larder git -- switch main' goes back to the branch"))
    }
    return complaints
  }

  /// Remotes that were synced with, and of which git's settings know nothing any more.
  private func lostRemotes(_ repository: Repository) throws -> [Complaint] {
    let known = try repository.remotes()
    var seen: Set<String> = []
    for entry in ReferenceFiles(folder: repository.commonDirectory).entries() {
      let parts = entry.name.split(separator: "/")
      if parts.count > 3, parts[1] == "remotes" { seen.insert(String(parts[2])) }
    }
    return seen.subtracting(known).sorted().map { name in
      Complaint(
        name: "lostRemote",
        message: "git's settings know no remote \(name) any more, which was synced with",
        hint:
          "'larder git -- remote add \(name) URL' says again where it is; .git/FETCH_HEAD may tell")
    }
  }

  private func stamps() throws -> [Complaint] {
    let household = try store.read().household
    let ahead = HouseholdCheck.findings(in: household, now: now).filter { finding in
      if case .aheadOfClock = finding.kind { true } else { false }
    }
    guard !ahead.isEmpty else { return [] }
    return [
      Complaint(
        name: "aheadOfClock",
        message:
          "\(counted(ahead.count, "time lies", "times lie")) more than a day ahead of this device's "
          + "clock, in \(counted(Set(ahead.map(\.path)).count, "file"))",
        hint: "set the clock right where it is wrong; 'larder check' shows the places")
    ]
  }
}
