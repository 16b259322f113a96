import Foundation
import LarderGit
import LarderJSON
import LarderModel
import LarderStore
import LarderText

/// A device of the simulated household: a clone, a clock, and its users.
final class Device {
  let name: String
  let root: String
  let clock: DeviceClock
  let hasGitProgram: Bool
  private let gitProgram: String?
  let target: Script.SyncsWith
  private(set) var store: Store
  /// The repository as opened by the users' own git, which is another process.
  let repository: Repository
  /// The current commits at times when a success was reported.
  var acknowledged: [ObjectID] = []
  /// The texts that people wrote into files and no command has adopted yet, by path.
  var handEdits: [FilePath: HandEdit] = [:]
  /// The content that people wrote into other files and nobody has committed yet, by path.
  var looseFiles: [FilePath: [UInt8]] = [:]

  /// A text that somebody wrote by hand into a field, and that nobody else has written.
  struct HandEdit {
    let folder: String
    let field: String
    let text: String
    /// Whether it was written during a command, which may not have seen it.
    var isMeanwhile = false

    var description: String { "\(folder)/\(field)/\(text)" }
  }

  init(
    _ name: String, root: String, clock: DeviceClock, hasGitProgram: Bool,
    target: Script.SyncsWith = .git
  )
    throws
  {
    self.name = name
    self.root = root
    self.clock = clock
    self.hasGitProgram = hasGitProgram
    self.target = target
    store = try Self.open(root, name, clock, hasGitProgram)
    repository = try Repository.open(root)
    gitProgram = repository.gitProgram
    repository.gitProgram = nil
  }

  /// Runs what reaches remotes from a repository of this device, for which every device has the git program.
  func reachingRemotes<Value>(
    from repository: Repository?, _ body: () throws -> Value
  ) rethrows -> Value {
    let own = repository?.gitProgram
    repository?.gitProgram = gitProgram
    defer { repository?.gitProgram = own }
    return try body()
  }

  private static func open(
    _ root: String, _ name: String, _ clock: DeviceClock, _ hasGitProgram: Bool
  ) throws -> Store {
    var context = StoreContext(now: { clock.now() }, newID: { clock.newID($0) }, device: name)
    // There is only one thread, so no lock is released while it waits, except that of a program
    // that is just starting and has inherited our open files for a moment.
    context.patience = 500
    context.acceptsManyRemovals = true
    let store = try Store.open(from: root, context: context)
    if !hasGitProgram { store.repository?.gitProgram = nil }
    return store
  }

  /// Opens the store as another process does.
  func another() throws -> Store { try Self.open(root, name, clock, hasGitProgram) }

  /// Simulates a new process, which remembers nothing of the previous one.
  func restart() throws { store = try another() }

  var head: ObjectID {
    get throws {
      guard let commit = try repository.head().commit else {
        throw Failure("\(name) has no commit")
      }
      return commit
    }
  }

  var headTree: ObjectID { get throws { try repository.commit(try head).tree } }
}

extension Device {
  /// Returns all files in the work tree by path, sorted.
  func allPaths() throws -> [FilePath] {
    let files = FileManager.default
    var paths: [FilePath] = []
    func scan(_ folder: FilePath) throws {
      for name in try files.contentsOfDirectory(atPath: "\(root)/\(folder)") where name != ".git" {
        let path = folder.appending(name)
        var isFolder: ObjCBool = false
        _ = files.fileExists(atPath: "\(root)/\(path)", isDirectory: &isFolder)
        if isFolder.boolValue { try scan(path) } else { paths.append(path) }
      }
    }
    try scan("")
    return paths.sorted()
  }

  /// Returns the paths of the household's own files.
  func paths(_ folder: String = "") throws -> [FilePath] {
    try allPaths().filter { Kind(path: $0) != nil && $0.hasPrefix(folder) }
  }

  func bytes(_ path: FilePath) -> [UInt8]? {
    FileManager.default.contents(atPath: "\(root)/\(path)").map { [UInt8]($0) }
  }

  func json(_ path: FilePath) -> JSON? {
    bytes(path).flatMap { try? JSON(parsing: $0) }
  }

  /// Writes a file as an editor does, with a time of the device's clock.
  func write(_ bytes: [UInt8], to path: FilePath) throws {
    let url = URL(filePath: "\(root)/\(path)")
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: url)
    let time = clock.now()
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: Double(time.milliseconds) / 1000)],
      ofItemAtPath: url.path())
    if Kind(path: path) == nil { looseFiles[path] = bytes } else { handEdits[path] = nil }
  }

  func remove(_ path: FilePath) throws {
    try FileManager.default.removeItem(atPath: "\(root)/\(path)")
    handEdits[path] = nil
    looseFiles[path] = nil
  }
}
