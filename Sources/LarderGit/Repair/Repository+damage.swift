internal import Clibgit2
public import LarderText
internal import Libc

/// A reachable object that can't be read.
public struct DamagedObject: Sendable, Hashable {
  public enum Kind: Sendable, Hashable { case commit, tree, blob }

  public var id: ObjectID
  public var kind: Kind
  /// For a tree or blob, a path that it has in some commit; empty for the root.
  public var path: FilePath
}

extension Repository {
  /// Returns all unreadable objects that the commits reach, each once.
  ///
  /// It reads the whole history, which takes seconds if it is long.
  public func damagedObjects(from commits: [ObjectID]) throws(GitError) -> [DamagedObject] {
    Library.namesAreVerified(true)
    defer { Library.namesAreVerified(false) }
    // This handle may have unverified objects in its cache.
    var walk = ObjectWalk(try Repository.open(gitDirectory))
    var waiting = commits
    while let id = waiting.popLast() { waiting += try walk.visit(id) }
    return walk.damaged
  }

  /// Whether an object of any kind can be read.
  public func isReadable(_ id: ObjectID) -> Bool {
    do throws(GitError) {
      try withObject(id) { _ in }
      return true
    } catch {
      return false
    }
  }

  /// Moves the file of an unreadable loose object into a folder; does nothing if there is none.
  ///
  /// While the file exists, git treats the object as stored and does not store it again.
  public func setAside(_ id: ObjectID, into folder: String) throws(GitError) {
    let path = "\(commonDirectory)/objects/\(id.hex.prefix(2))/\(id.hex.dropFirst(2))"
    guard rename(path, "\(folder)/object-\(id.hex)") == 0 || errno == ENOENT else {
      throw GitError.system(action: "set a damaged object aside", path: path)
    }
  }

  /// Rebuilds the index from a commit's tree; the old index file must have been moved away.
  public func rebuildIndex(from tree: ObjectID) throws(GitError) {
    var lines: [FilePath: (ObjectID, FileMode)?] = [:]
    for entry in try entries(of: tree) { lines[entry.path] = .some((entry.id, entry.mode)) }
    try refreshIndex(lines)
  }

  /// Returns an object's kind and content from the database.
  func object(_ id: ObjectID) throws(GitError) -> (kind: git_object_t, bytes: [UInt8]) {
    try withObject(id) { object in
      let bytes = UnsafeRawBufferPointer(
        start: git_odb_object_data(object), count: git_odb_object_size(object))
      return (git_odb_object_type(object), [UInt8](bytes))
    }
  }

  private func withObject<Result>(
    _ id: ObjectID, _ body: (OpaquePointer) -> Result
  ) throws(GitError) -> Result {
    let action = "read an object"
    let database = try Handle(action, free: { git_odb_free($0) }) {
      git_repository_odb($0, pointer)
    }
    var oid = id.oid
    let read = try Handle(action, path: id.hex, free: { git_odb_object_free($0) }) {
      git_odb_read($0, database.pointer, &oid)
    }
    return body(read.pointer)
  }
}

/// A walk through everything that commits reach, each object once.
///
/// Unreadable objects don't stop it.
private struct ObjectWalk {
  private let repository: Repository
  private var seen: Set<ObjectID> = []
  /// The last folder read at each path; what the next one shares with it has been visited.
  private var latest: [FilePath: ObjectID] = [:]
  /// The commits where a shallow clone ends.
  private let boundary: Set<ObjectID>
  private(set) var damaged: [DamagedObject] = []

  init(_ repository: Repository) {
    self.repository = repository
    boundary = ReferenceFiles(folder: repository.commonDirectory).shallowBoundary
  }

  /// Visits a commit and returns its parents, as far as the clone has them.
  mutating func visit(_ commit: ObjectID) throws(GitError) -> [ObjectID] {
    guard seen.insert(commit).inserted else { return [] }
    do throws(GitError) {
      let read = try repository.commit(commit)
      visit(tree: read.tree, at: "")
      return boundary.contains(commit) ? [] : read.parents
    } catch {
      damaged.append(DamagedObject(id: commit, kind: .commit, path: ""))
      return []
    }
  }

  private mutating func visit(tree: ObjectID, at path: FilePath) {
    guard seen.insert(tree).inserted else { return }
    do throws(GitError) {
      let folder = try Folder(repository, tree)
      let prefix = path.isEmpty ? [] : Array("\(path)/".utf8)
      if let known = latest[path] {
        try Folder(repository, known).differences(to: folder) { _, item in
          if let item { visit(item, below: prefix) }
        }
      } else {
        var offset = 0
        while let item = try folder.item(at: offset) {
          visit(item, below: prefix)
          offset = item.end
        }
      }
      latest[path] = tree
    } catch {
      damaged.append(DamagedObject(id: tree, kind: .tree, path: path))
    }
  }

  private mutating func visit(_ item: FolderItem, below prefix: [UInt8]) {
    guard item.mode != GIT_FILEMODE_COMMIT, !seen.contains(item.id) else { return }
    let path = item.path(below: prefix)
    if item.isFolder { return visit(tree: item.id, at: path) }
    seen.insert(item.id)
    if !repository.isReadable(item.id) {
      damaged.append(DamagedObject(id: item.id, kind: .blob, path: path))
    }
  }
}
