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

  /// Returns all damage.
  public func damage() throws(StoreError) -> [Damage] {
    var damage = ["objects", "refs", "refs/heads"]
      .filter { FileState(of: "\(path)/\($0)")?.kind != .folder }.map(Damage.missingFolder)
    if let line = try damagedSetting() { damage.append(.settings(line: line)) }
    let references = ReferenceFiles(folder: path)
    if references.hasDamagedPackedLines { damage.append(.packedReferences) }
    if try !hasSoundHead(references) { damage.append(.head) }
    return damage
  }

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

  private func damagedSetting() throws(StoreError) -> Int? {
    do throws(GitError) {
      return try SettingsFile.damagedLine(of: path + "/config")
    } catch {
      throw .git(error)
    }
  }
}
