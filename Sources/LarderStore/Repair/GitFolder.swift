internal import LarderGit
internal import LarderModel
internal import LarderText

/// The `.git` folder of a household, read file by file for when git can't open it.
public struct GitFolder: Sendable {
  /// Damage that keeps git from opening the folder.
  public enum Damage: Hashable, Sendable {
    /// A folder that every repository has is missing.
    case missingFolder(String)
    /// HEAD is missing or unreadable, or names a branch that never existed.
    case head
    /// A line of the settings is unreadable; lines count from 1.
    case settings(line: Int)
    /// `packed-refs` has unreadable lines.
    case packedReferences
  }

  /// The path of the folder, absolute.
  public let path: String

  /// Finds the folder of the nearest household at or above a directory; nil if there is none.
  public init?(near directory: String) {
    var root = realPath(directory)
    while FileState(of: "\(root)/\(Kind.householdPath)") == nil
      || FileState(of: root + "/.git")?.kind != .folder
    {
      guard root != "/", let slash = root.lastIndex(of: "/") else { return nil }
      root = slash == root.startIndex ? "/" : String(root[..<slash])
    }
    self.init(path: root + "/.git")
  }

  init(path: String) {
    self.path = path
  }

  /// Returns all damage, in the order of repair.
  public func damage() throws(StoreError) -> [Damage] {
    var damage = ["objects", "refs", "refs/heads"]
      .filter { FileState(of: "\(path)/\($0)")?.kind != .folder }.map(Damage.missingFolder)
    if let line = try damagedSetting() { damage.append(.settings(line: line)) }
    let references = ReferenceFiles(folder: path)
    if references.hasDamagedPackedLines { damage.append(.packedReferences) }
    if try !hasSoundHead(references) { damage.append(.head) }
    return damage
  }

  /// Returns the path at which a damaged file is kept when it is repaired.
  ///
  /// Nil if the file is missing.
  public func placeKept(_ damage: Damage) throws(StoreError) -> String? {
    guard let name = file(of: damage), FileState(of: "\(path)/\(name)")?.kind == .file else {
      return nil
    }
    return KeptFiles(gitDirectory: path)
      .place(of: FilePath(name), try SystemFile.read("\(path)/\(name)"))
  }

  /// Repairs one damage; the old file is kept.
  public func mend(_ damage: Damage) throws(StoreError) {
    if let name = file(of: damage), FileState(of: "\(path)/\(name)")?.kind == .file {
      try KeptFiles(gitDirectory: path).keep(
        try SystemFile.read("\(path)/\(name)"), as: FilePath(name))
    }
    switch damage {
    case .missingFolder(let name): try SystemFile.makeFolder("\(path)/\(name)")
    case .settings: try takeOutDamagedSettings()
    case .packedReferences:
      try replace("packed-refs", ReferenceFiles(folder: path).soundPackedText())
    case .head:
      try replace("HEAD", "ref: refs/heads/\(likelyBranch(ReferenceFiles(folder: path)))\n")
    }
  }

  private func file(of damage: Damage) -> String? {
    switch damage {
    case .missingFolder: nil
    case .settings: "config"
    case .packedReferences: "packed-refs"
    case .head: "HEAD"
    }
  }

  private func replace(_ name: String, _ text: String) throws(StoreError) {
    try SystemFile.replace("\(path)/\(name)", with: Array(text.utf8))
  }
}

extension GitFolder {
  /// Whether HEAD names a commit, a branch that exists or existed, or the first branch of a new
  /// repository.
  private func hasSoundHead(_ references: ReferenceFiles) throws(StoreError) -> Bool {
    let head = path + "/HEAD"
    guard FileState(of: head) != nil else { return false }
    let text = String(decoding: try SystemFile.read(head), as: UTF8.self)
    let word = String(text.prefix { !$0.isNewline })
    if ObjectID(hex: word) != nil { return true }
    guard word.hasPrefix("ref: refs/heads/") else { return false }
    let name = String(word.dropFirst("ref: ".count))
    let branches = references.entries().map(\.name).filter { $0.hasPrefix("refs/heads/") }
    if branches.contains(name) || !references.log(of: name).isEmpty { return true }
    return branches.isEmpty && references.log(of: "HEAD").isEmpty
  }

  /// Returns the branch that HEAD most likely named.
  private func likelyBranch(_ references: ReferenceFiles) -> String {
    let branches = references.entries().filter { $0.name.hasPrefix("refs/heads/") }
    let names = branches.map { String($0.name.dropFirst("refs/heads/".count)) }
    if let last = references.lastCheckedOut, names.contains(last) { return last }
    if let commit = references.log(of: "HEAD").first,
      let index = branches.firstIndex(where: { $0.target == commit })
    {
      return names[index]
    }
    return names.contains("main") ? "main" : names.first ?? "main"
  }

  private func damagedSetting() throws(StoreError) -> Int? {
    do throws(GitError) {
      return try SettingsFile.damagedLine(of: path + "/config")
    } catch {
      throw .git(error)
    }
  }

  /// Removes one line after another until the settings can be read.
  private func takeOutDamagedSettings() throws(StoreError) {
    while let line = try damagedSetting() {
      var lines = try SystemFile.read(path + "/config")
        .split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      guard !lines.isEmpty else { return }
      lines.remove(at: min(max(line, 1), lines.count) - 1)
      let rest = Array(lines.joined(separator: [UInt8(ascii: "\n")]))
      try SystemFile.replace(path + "/config", with: rest)
      if rest.isEmpty { return }
    }
  }
}
