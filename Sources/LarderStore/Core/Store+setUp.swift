internal import Foundation
public import LarderGit
internal import LarderJSON
internal import LarderModel
internal import LarderText
internal import Libc

extension Store {
  /// Creates a household in a folder, and a git repository if there is none.
  ///
  /// Files that are already in the household's folders are adopted. `program` is the command by
  /// which git calls larder.
  public static func create(
    at directory: String, name: String, timeZone: String, currency: String?, program: String,
    context: StoreContext
  ) throws -> Store {
    try check(timeZone: timeZone)
    if let currency { try check(currency: currency) }
    try SystemFile.makeFolder(directory)
    let root = realPath(directory)
    let household = "\(root)/\(Kind.householdPath)"
    guard FileState(of: household) == nil else { throw StoreError.exists(path: household) }
    let store = Store(root: root, repository: try repository(at: root), context: context)
    try store.setUpDevice(program: program)
    try store.whileLocked { () throws(any Error) in
      var loaded = try store.load()
      try store.refuseFilters(loaded)
      store.timeZone = timeZone
      let writer = try store.writer()
      var edit = Edit(loaded.meaning.household)
      let fields: [FieldValue] = [
        (.name, .string(name)), (.timeZone, .string(timeZone)),
        (.currency, currency.map { .string($0) }),
      ]
      edit.put(edit.new(.household, fields, by: writer))
      let files =
        store.plan(edit.changed, edit.after, from: edit.before, loaded)
        + [try store.plannedAttributes(&loaded)].compactMap(\.self)
      let message = try store.message("init the household \(name)", command: "init")
      _ = try store.commit(
        files, parents: [loaded.head.commit].compactMap(\.self), message,
        by: try store.signature(), &loaded)
    }
    _ = try store.adopt()
    return store
  }

  /// Whether a folder has a `household.json`.
  public static func hasHousehold(in folder: String) -> Bool {
    FileState(of: "\(folder)/\(Kind.householdPath)")?.kind == .file
  }

  /// Creates a git repository in a folder that already has a household's files, such as a copy of
  /// the sample, and commits them.
  ///
  /// Of the sample it moves the days to the present first.
  public static func track(
    _ directory: String, isSample: Bool = false, program: String, context: StoreContext
  ) throws -> Store {
    let root = realPath(directory)
    let household = "\(root)/\(Kind.householdPath)"
    guard FileState(of: household) != nil else {
      throw StoreError.notAHousehold(directory: directory)
    }
    let repository = try repository(at: root)
    let store = Store(root: root, repository: repository, context: context)
    guard try store.git({ repo throws(GitError) in try repo.head() }).commit == nil else {
      throw StoreError.exists(path: household)
    }
    if isSample { try store.moveSampleToToday() }
    try store.setUpDevice(program: program)
    _ = try store.mendAttributes()
    _ = try store.adopt()
    return store
  }

  static func repository(at root: String) throws -> Repository {
    guard FileState(of: root)?.kind == .folder else {
      throw StoreError.system(action: "use", path: root, code: ENOTDIR)
    }
    do throws(GitError) {
      let known = try Repository.discover(from: root)
      if let known, known.workTree == root { return known }
      // A bare repository, or the inside of a `.git`, has no place for a household's files.
      if let folder = known?.gitDirectory, (root + "/").hasPrefix(folder + "/") {
        throw GitError(
          .invalid, action: "make a household",
          detail: "a repository without a work tree has no place for files; make the household in "
            + "another folder, and add this one as its remote", path: root)
      }
    } catch {
      throw StoreError.git(error)
    }
    return try makeRepository(at: root)
  }

  /// Creates a repository at a temporary path and moves it, so that a killed process leaves no
  /// incomplete repository.
  private static func makeRepository(at root: String) throws -> Repository {
    let files = FileManager.default
    let draft = root + "/.git.larder-new"
    if FileState(of: draft) != nil { try files.removeItem(atPath: draft) }
    do {
      _ = try Repository.create(at: draft, branch: "main")
    } catch {
      throw StoreError.git(error)
    }
    try SystemFile.rename(draft + "/.git", to: root + "/.git")
    try files.removeItem(atPath: draft)
    do {
      return try Repository.open(root)
    } catch {
      throw StoreError.git(error)
    }
  }

  /// Throws `badTimeZone` unless a text is a name of the time zone database.
  public static func check(timeZone text: String) throws(StoreError) {
    guard Day.knows(timeZone: text) else { throw .badTimeZone(text) }
  }

  /// Throws `badCurrency` unless a text has the form of a currency's code.
  public static func check(currency text: String) throws(StoreError) {
    guard text.utf8.count == 3, text.utf8.allSatisfy({ (65...90).contains($0) }) else {
      throw .badCurrency(text)
    }
  }
}

/// A missing part of this device's setup.
public enum SetUpProblem: Hashable, Sendable, CaseIterable {
  case noUserID, noDeviceName, noMergeDriver, noTextConversion, noAttributes
}

extension Store {
  /// Gives the device a user id and a name if it has none, and configures git's merge and diff
  /// drivers.
  ///
  /// `.gitattributes` belongs to the household, and ``mendAttributes()`` repairs it.
  public func setUpDevice(program: String) throws(StoreError) {
    let now = context.now()
    let name = Signature.cleaned(context.device ?? Store.hostName)
    let settings: [(String, String)] = [
      ("larder.userId", context.newID(now)), ("larder.device", name),
      ("merge.larder.name", "join two versions of a household's file"),
      ("merge.larder.driver", "\(program) merge-driver %O %A %B %P"),
      ("diff.larder.textconv", "\(program) textconv"),
    ]
    try git { repository throws(GitError) in
      for (key, value) in settings {
        if key.hasPrefix("larder."), try isSet(key, in: repository) { continue }
        try repository.setConfiguration(key, value)
      }
    }
    try hideTemporaryFiles()
    try makeFolders()
    // The repository may be new, and no journal has it.
    try waitForDisk()
  }

  /// Creates the household's folders, in which people save files; git keeps no empty ones.
  private func makeFolders() throws(StoreError) {
    for name in Kind.allCases.compactMap(\.folder)
    where try files.state(of: FilePath(name)) == nil {
      try files.makeFolder(FilePath(name))
    }
  }

  /// Whether one of larder's settings has a valid value.
  private func isSet(_ key: String, in repository: Repository) throws(GitError) -> Bool {
    guard let value = try repository.configuration(key) else { return false }
    return key != "larder.userId" || Identifier.isUUID(value)
  }

  /// Keeps plain git from committing temporary files.
  private func hideTemporaryFiles() throws(StoreError) {
    guard let repository else { return }
    let folder = repository.commonDirectory + "/info"
    let path = folder + "/exclude"
    let state = FileState(of: path)
    guard state == nil || state?.kind == .file else { return }
    let old = state == nil ? [] : try SystemFile.read(path)
    let line = TemporaryFile.pattern
    let lines = String(decoding: old, as: UTF8.self).split(separator: "\n")
    guard !lines.contains(where: { $0 == line }) else { return }
    let gap = old.isEmpty || old.last == UInt8(ascii: "\n") ? "" : "\n"
    try SystemFile.makeFolder(folder)
    try SystemFile.replace(path, with: old + Array("\(gap)\(line)\n".utf8))
  }

  /// Returns what ``setUpDevice(program:)`` and ``mendAttributes()`` would repair.
  public func setUpProblems() throws(StoreError) -> [SetUpProblem] {
    var problems: [SetUpProblem] = []
    if try userID == nil { problems.append(.noUserID) }
    let needed: [(SetUpProblem, String)] = [
      (.noDeviceName, "larder.device"),
      (.noMergeDriver, "merge.larder.driver"), (.noTextConversion, "diff.larder.textconv"),
    ]
    for (problem, key) in needed where try setting(key) == nil { problems.append(problem) }
    if try missingAttributes() != nil { problems.append(.noAttributes) }
    return problems
  }

  /// Adds the missing lines to `.gitattributes`, in its own commit; nil if none are missing.
  public func mendAttributes() throws -> ObjectID? {
    try whileLocked { () throws(any Error) in
      var loaded = try load()
      try refuseFilters(loaded)
      guard let file = try plannedAttributes(&loaded) else { return nil }
      try adoptCommitsIfAllowed(&loaded)
      let message = try message("tell git how to merge and show the files", command: "doctor")
      return try commit(
        [file], parents: [loaded.head.commit].compactMap(\.self), message, by: try signature(),
        &loaded)
    }
  }

  private static let attributeLines =
    ["/\(Kind.householdPath)"]
    .appending(Kind.allCases.compactMap(\.folder).map { "/\($0)/**/*.json" })
    .map { "\($0) text eol=lf merge=larder diff=larder" }

  /// Returns the complete text for `.gitattributes`; nil if nothing is missing.
  private func missingAttributes() throws(StoreError) -> (old: [UInt8]?, new: [UInt8])? {
    let path = Store.attributesPath
    let state = try files.state(of: path)
    guard state == nil || state?.kind == .file else { return nil }
    let old = state == nil ? nil : try files.read(path)
    // Where git checks texts out with CRLF, they are committed with LF.
    let text = String(decoding: old ?? [], as: UTF8.self).replacing("\r\n", with: "\n")
    let lines = text.split(separator: "\n").map {
      $0.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
    let missing = Store.attributeLines.filter { !lines.contains($0) }
    guard !missing.isEmpty, try !hasOwnAttributes() else { return nil }
    let gap = text.isEmpty || text.hasSuffix("\n") ? "" : "\n"
    return (old, Array((text + gap + missing.map { $0 + "\n" }.joined()).utf8))
  }

  func plannedAttributes(_ loaded: inout Loaded) throws(StoreError) -> PlannedFile? {
    guard let (old, new) = try missingAttributes() else { return nil }
    let path = Store.attributesPath
    if let old { loaded.workTree.note(path, old, at: context.now()) }
    let tree = loaded.tree
    let committed = try git { repository throws(GitError) in
      try tree.map { id throws(GitError) in try repository.entry(at: path, in: id) } ?? nil
    }
    return PlannedFile(
      path: path, bytes: new, blob: Repository.blobID(of: new), committed: committed)
  }

  /// The machine's name up to its first dot.
  private static var hostName: String {
    let name = ProcessInfo.processInfo.hostName.split(separator: ".").first.map(String.init) ?? ""
    return name.isEmpty ? "device" : name.lowercased()
  }
}

extension Array {
  fileprivate func appending(_ others: [Element]) -> [Element] { self + others }
}

extension Store {
  /// Moves all days and instants of a copy of the sample by the same number of whole days, so that
  /// the newest instant is of the last 24 hours.
  ///
  /// None is ahead of the clock: a change would come before it. A file that is named by a day moves
  /// too. The day that stood on a package becomes the new one; "after opening" stays.
  func moveSampleToToday() throws {
    var files: [(path: FilePath, json: JSON)] = []
    try noticedPlaces[0].walk { path, state throws(StoreError) in
      guard state.kind == .file else { return }
      let bytes = try self.files.read(path)
      if let json = try? JSON(parsing: bytes) { files.append((path, json)) }
    }
    guard let newest = files.compactMap({ MovedDays.newest(in: $0.json) }).max() else { return }
    let gap = context.now().milliseconds - newest.milliseconds
    let days = MovedDays(days: Int((Double(gap) / 86_400_000).rounded(.down)))
    for (path, json) in files {
      let temporary = TemporaryFile.path(for: path)
      try self.files.write(days.moved(json).writeFile(), to: temporary)
      try self.files.remove(path)
      try self.files.rename(temporary, to: path.folder.appending(days.moved(name: path.name)))
    }
  }
}

/// The days by which a copy of the sample is moved.
private struct MovedDays {
  let days: Int

  /// The newest instant in a value; nil if there is none.
  static func newest(in json: JSON) -> Instant? {
    switch json {
    case .string(let text): text.utf8.count == 24 ? Instant(text) : nil
    case .array(let elements): elements.compactMap(newest).max()
    case .object(let members): members.compactMap { newest(in: $0.value) }.max()
    case .null, .bool, .number: nil
    }
  }

  func moved(_ json: JSON) -> JSON {
    switch json {
    case .string(let text): .string(moved(text))
    case .array(let elements): .array(elements.map(moved))
    case .object(let members): .object(members.map { moved($0, in: json) })
    case .null, .bool, .number: json
    }
  }

  private func moved(_ member: JSONMember, in object: JSON) -> JSONMember {
    let saysDay =
      member.key == FieldName.rawText.text
      && member.value.string?.hasSuffix("opening") == false
    let day = saysDay ? object[FieldName.isoDate.text] : nil
    return JSONMember(member.key, moved(day ?? member.value))
  }

  private func moved(_ text: String) -> String {
    if text.utf8.count == 10, let day = Day(text) { return day.adding(days: days).description }
    if text.utf8.count == 24, let instant = Instant(text) {
      return instant.adding(milliseconds: Int64(days) * 86_400_000).description
    }
    return text
  }

  func moved(name: String) -> String { moved(String(name.prefix(10))) + name.dropFirst(10) }
}

extension Store {
  /// The path of a pre-commit hook that calls larder, as earlier versions installed it.
  ///
  /// Larder needs none: the next command adopts what is committed.
  public var formerHook: String? {
    get throws(StoreError) {
      let folder = try git { repository throws(GitError) in try repository.hooksFolder() }
      let path = folder + "/pre-commit"
      guard FileState(of: path)?.kind == .file else { return nil }
      let text = String(decoding: try SystemFile.read(path), as: UTF8.self)
      return ["larder pre-commit", "larder' pre-commit", "\"$larder\" pre-commit"]
        .contains { text.contains($0) } ? path : nil
    }
  }
}

/// A setting of this device that is yes or no.
public enum DeviceFlag: String, Sendable, CaseIterable {
  /// Whether batches that are used up on this device are archived.
  case archiveConsumed
  /// Whether nothing is sent to or fetched from the project.
  case localOnly
  /// Whether commands sync in the background after each change.
  case autoSync
}

/// A setting of this device that is a number.
public enum DeviceNumber: String, Sendable, CaseIterable {
  /// The number of times that a request to the project is repeated after a temporary failure.
  case cloudRetries
  /// The longest wait before the first repetition, in milliseconds.
  case cloudRetryDelay

  /// The allowed numbers.
  public var range: ClosedRange<Int> { self == .cloudRetries ? 0...20 : 1...60_000 }

  fileprivate var standard: Int { self == .cloudRetries ? 4 : 500 }
}

extension Store {
  /// The value of a setting that is yes or no; no if nobody set it.
  package func isOn(_ flag: DeviceFlag) throws(StoreError) -> Bool {
    try setting("larder.\(flag.rawValue)") == "true"
  }

  package func set(_ flag: DeviceFlag, _ wanted: Bool) throws(StoreError) {
    try set("larder.\(flag.rawValue)", wanted ? "true" : nil)
  }

  /// The value of a setting that is a number.
  package func value(of number: DeviceNumber) throws(StoreError) -> Int {
    try setting("larder.\(number.rawValue)").flatMap { Int($0) } ?? number.standard
  }

  package func set(_ number: DeviceNumber, _ value: Int) throws(StoreError) {
    try set("larder.\(number.rawValue)", String(value))
  }
}
