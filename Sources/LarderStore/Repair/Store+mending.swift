internal import LarderGit
internal import LarderModel
internal import LarderText

extension Store {
  /// Repairs what the files, HEAD and the reflogs are enough for.
  ///
  /// Replaced files are kept in `.git/larder/kept`. Damage that remains afterwards needs a new clone.
  public func mend(_ damage: [Damage]) throws {
    guard let repository, let folder = deviceFolder else {
      throw StoreError.notARepository(root: root)
    }
    let lock = try HouseholdLock(folder: folder, context)
    let objects = damage.compactMap { one in
      if case .object(let object) = one { object } else { nil }
    }
    try mend(objects, repository)
    let fresh = try reopened()
    for one in damage {
      switch one {
      case .reference(let name): try fresh.mendReference(name)
      case .index: try fresh.mendIndex()
      case .uncheckedIndex:
        try fresh.git { repository throws(GitError) in try repository.writeChecksum() }
      case .conflict(let path): try fresh.resolve(path)
      case .file(let path): try fresh.bringBack(path)
      case .syncCopy(let path, of: let original): try fresh.join(copy: path, with: original)
      case .hiddenFolder(let name): try fresh.setAside(name)
      case .object, .plainConflict, .wouldBeRefused, .refused: break
      }
    }
    try fresh.mendReferences()
    lock.release()
    for one in damage {
      switch one {
      case .wouldBeRefused: try fresh.takeOutOwn()
      case .refused(let refused, let reference): try fresh.take(refused, from: reference)
      default: break
      }
    }
  }

  /// Moves away what is in the place of one of the household's own folders.
  private func setAside(_ name: FilePath) throws(StoreError) {
    try SystemFile.makeFolder(kept.folder)
    try files.moveAway(name, to: kept.place(forFolder: name))
  }

  /// Returns the same household with its repository opened again.
  public func reopened() throws(StoreError) -> sending Store {
    do {
      return Store(root: root, repository: try Repository.open(root), context: context)
    } catch {
      throw .git(error)
    }
  }

  private var kept: KeptFiles {
    KeptFiles(gitDirectory: repository?.gitDirectory ?? root)
  }
}

// MARK: - Objects

extension Store {
  /// Sets the files of unreadable objects aside, and writes blobs anew that the work tree or the
  /// cache has; in a partial clone, fetches what was left out.
  private func mend(_ objects: [DamagedObject], _ repository: Repository) throws(StoreError) {
    guard !objects.isEmpty else { return }
    if repository.isPartial {
      return try git { _ throws(GitError) in
        for remote in try repository.remotes() { try repository.fetchAll(remote: remote) }
      }
    }
    let folder = kept.folder
    try SystemFile.makeFolder(folder)
    try git { _ throws(GitError) in
      for object in objects { try repository.setAside(object.id, into: folder) }
    }
    var contents = try WorkTree(self.files, known: nil).changes.values
      .compactMap { $0?.bytes.map { Array($0) } }
    for object in objects where object.kind == .blob {
      guard PathRule.fault(in: object.path) == nil,
        try self.files.state(of: object.path)?.kind == .file
      else { continue }
      contents.append(try self.files.read(object.path))
    }
    if let known = fileCache() {
      contents += Household(known.household).entities.map(\.fileBytes)
    }
    let wanted = Set(objects.map(\.id))
    try git { _ throws(GitError) in
      for bytes in contents where wanted.contains(Repository.blobID(of: bytes)) {
        _ = try repository.writeBlob(bytes)
      }
    }
  }
}

// MARK: - References and the index

extension Store {
  /// Mends the references to a commit that can't be read, or whose lists of files can't.
  ///
  /// A branch whose last commit is lost goes back to the one before; the files in the work tree have the
  /// rest. If even that is lost, a new copy is needed, and all else stays as it is.
  private func mendReferences() throws(StoreError) {
    guard let repository else { return }
    let lost = ReferenceFiles(folder: repository.commonDirectory).entries().filter { entry in
      !(entry.target.map { hasFiles($0, repository) } ?? false)
    }
    .map(\.name)
    for name in lost where name.begins(withBytesOf: "refs/heads/") { try mendReference(name) }
    let head = try git { _ throws(GitError) in try repository.head().commit }
    guard let head, hasFiles(head, repository) else { return }
    for name in lost where !name.begins(withBytesOf: "refs/heads/") { try mendReference(name) }
  }

  private func hasFiles(_ commit: ObjectID, _ repository: Repository) -> Bool {
    do throws(GitError) {
      _ = try repository.entries(of: try repository.commit(commit).tree)
      return true
    } catch {
      return false
    }
  }

  /// Leads a branch to its last commit that is known, and removes any other reference: the next sync
  /// writes those of the remotes again, and adoption larder's own.
  private func mendReference(_ name: String) throws(StoreError) {
    guard let repository, name != "HEAD", !name.begins(withBytesOf: "refs/tags/") else { return }
    let path = repository.commonDirectory + "/" + name
    let isThere = FileState(of: path)?.kind == .file
    if isThere { try kept.keep(try SystemFile.read(path), as: FilePath(name)) }
    if name.begins(withBytesOf: "refs/heads/") {
      guard let commit = lastKnown(name, repository) else { return }
      if let slash = path.lastIndex(of: "/") { try SystemFile.makeFolder(String(path[..<slash])) }
      try SystemFile.replace(path, with: Array("\(commit.hex)\n".utf8))
    } else if isThere {
      try SystemFile.remove(path)
    } else {
      try git { _ throws(GitError) in try repository.deleteReference(name) }
    }
  }

  /// Returns the last readable commit of a branch, by the reflogs or the remote.
  private func lastKnown(_ name: String, _ repository: Repository) -> ObjectID? {
    let files = ReferenceFiles(folder: repository.commonDirectory)
    var candidates = files.log(of: name) + files.log(of: "HEAD")
    let branch = name.dropFirst("refs/heads/".count)
    for entry in files.entries() {
      guard let target = entry.target else { continue }
      let isSame =
        entry.name.begins(withBytesOf: "refs/remotes/") && entry.name.hasSuffix("/\(branch)")
      if isSame || entry.name == Store.adoptedReference { candidates.append(target) }
    }
    return candidates.first { hasFiles($0, repository) }
  }

  /// Makes the index anew from HEAD; a damaged one is kept.
  func mendIndex() throws(StoreError) {
    guard let repository else { return }
    let path = repository.indexPath
    let commit = try git { _ throws(GitError) in try repository.head().commit }
    guard let commit else { return }
    if FileState(of: path)?.kind == .file {
      try kept.keep(try SystemFile.read(path), as: ".git/index")
      try SystemFile.remove(path)
    }
    try git { _ throws(GitError) in
      try repository.rebuildIndex(from: try repository.commit(commit).tree)
    }
  }
}

// MARK: - Files

extension Store {
  /// Writes the known entity of a broken or refused file; the file's own content is kept.
  private func bringBack(_ path: FilePath) throws(StoreError) {
    let household = try load().household
    guard household.untaken[path] != nil,
      let entity = household.key(at: path).flatMap({ household[$0] })
    else { return }
    try replace(path, entity.fileBytes)
  }

  /// Joins a copy with the file that it is another version of, and moves it away.
  ///
  /// What somebody changed in it by hand is an edit of the version that it was made of: of those with
  /// its `updatedAt` the first, as later ones may have been edited too.
  private func join(copy path: FilePath, with original: FilePath) throws(StoreError) {
    let loaded = try load()
    guard let entity = loaded.household.key(at: original).flatMap({ loaded.household[$0] }),
      try self.files.state(of: path)?.kind == .file
    else { return }
    let bytes = try self.files.read(path)
    let ours = entity.fileBytes
    var failure: GitError?
    let versions = try git { _ throws(GitError) in
      try loaded.reader?.histories(
        of: [original], from: [loaded.head.commit].compactMap(\.self)
      ) { failure = $0 }
    }
    if let failure { throw .git(failure) }
    guard
      let joined = MergeFile.merge(
        ours: ours, theirs: bytes, versions: versions?[original] ?? [], path: original)
    else { return }
    if try self.files.read(original) != joined { try replace(original, joined) }
    try kept.keep(bytes, as: path)
    try self.files.remove(path)
  }

  private func resolve(_ path: FilePath) throws(StoreError) {
    guard let repository else { return }
    let stages = try git { _ throws(GitError) in try repository.indexEntries() }
    let sides = ConflictSides(path, stages.filter { $0.stage > 0 })
    guard let bytes = try resolution(of: sides) else { return }
    try replace(path, bytes)
    let mode = (sides.ours ?? sides.theirs)?.mode ?? .file
    try git { _ throws(GitError) in
      let id = try repository.writeBlob(bytes)
      try repository.refreshIndex([path: .some((id, mode))])
    }
  }

  private func replace(_ path: FilePath, _ bytes: [UInt8]) throws(StoreError) {
    switch try self.files.state(of: path)?.kind {
    case .file: try kept.keep(try self.files.read(path), as: path)
    case nil: break
    default:
      try SystemFile.makeFolder(kept.folder)
      try self.files.moveAway(path, to: kept.place(forFolder: path))
    }
    let temporary = TemporaryFile.path(for: path)
    try self.files.write(bytes, to: temporary)
    try self.files.rename(temporary, to: path)
  }
}

/// The folder for replaced damaged files, `.git/larder/kept`.
struct KeptFiles {
  let folder: String

  init(gitDirectory: String) {
    folder = gitDirectory + "/larder/kept"
  }

  /// Returns the path for a file with this content: its name in the household and the first digits
  /// of its blob id.
  func place(of path: FilePath, _ bytes: [UInt8]) -> String {
    let flat = path.names.joined(separator: "-")
    return "\(folder)/\(flat).\(Repository.blobID(of: bytes).hex.prefix(7))"
  }

  /// Returns an unused path for a folder or anything else that is not an ordinary file.
  func place(forFolder path: FilePath) -> String {
    let flat = path.names.joined(separator: "-")
    var place = "\(folder)/\(flat)"
    var number = 1
    while FileState(of: place) != nil {
      number += 1
      place = "\(folder)/\(flat).\(number)"
    }
    return place
  }

  /// Stores a copy of a file's content.
  func keep(_ bytes: [UInt8], as path: FilePath) throws(StoreError) {
    let place = place(of: path, bytes)
    try SystemFile.makeFolder(folder)
    guard FileState(of: place) == nil else { return }
    try SystemFile.replace(place, with: bytes)
    try SystemFile.synchronizeFolder(folder)
  }
}
