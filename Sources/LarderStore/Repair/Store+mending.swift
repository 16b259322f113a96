internal import Foundation
internal import LarderGit
internal import LarderModel
internal import LarderText

extension Store {
  /// Repairs damage as far as possible: from the work tree, the reflogs, the rest of the history
  /// and the remotes.
  ///
  /// Replaced files are kept in `.git/larder/kept`. Damage that remains afterwards could not be
  /// repaired.
  public func mend(_ damage: [Damage]) throws {
    guard let repository, let folder = deviceFolder else {
      throw StoreError.notARepository(root: root)
    }
    let lock = try HouseholdLock(folder: folder, patience: context.patience)
    let objects = damage.compactMap { one in
      if case .object(let object) = one { object } else { nil }
    }
    try mend(objects, repository)
    // libgit2 goes on reading removed packs, so the repository is opened again.
    let fresh = try reopened()
    for one in damage {
      switch one {
      case .reference(let name): try fresh.mendReference(name)
      case .index: try fresh.mendIndex()
      case .conflict(let path): try fresh.resolve(path)
      case .file(let path): try fresh.bringBack(path)
      case .hiddenFolder(let name): try fresh.setAside(name)
      case .object, .plainConflict, .wouldBeRefused, .refused: break
      }
    }
    // A branch whose last commit is lost goes back to the one before; the files in the work tree
    // have the rest.
    if let repository = fresh.repository {
      for name in unreadableReferences(repository) { try mendReference(name) }
    }
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
  public func reopened() throws(StoreError) -> Store {
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
  private func mend(_ objects: [DamagedObject], _ repository: Repository) throws {
    guard !objects.isEmpty else { return }
    let folder = kept.folder
    try SystemFile.makeFolder(folder)
    for object in objects { _ = try repository.setAside(object.id, into: folder) }
    _ = try repository.setDamagedPacksAside(into: folder)
    guard let fresh = try reopened().repository else { return }
    try writeAnew(objects, fresh)
    // Behind unreadable objects, more may be missing that is only visible now.
    let remotes = try fresh.remotes()
    for remote in remotes where try !fresh.damagedObjects(from: tips).isEmpty {
      try takeObjects(of: remote, fresh)
    }
  }

  /// Writes missing blobs from the work tree or the cache, and trees from the index.
  private func writeAnew(_ objects: [DamagedObject], _ repository: Repository) throws {
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
    for bytes in contents where wanted.contains(Repository.blobID(of: bytes)) {
      _ = try repository.writeBlob(bytes)
    }
    guard objects.contains(where: { $0.kind == .tree }), repository.indexDamage() == nil else {
      return
    }
    var lines: [FilePath: (ObjectID, FileMode)?] = [:]
    for entry in try repository.indexEntries() where entry.stage == 0 {
      guard repository.isReadable(entry.id) || entry.mode == .submodule else { return }
      lines[entry.path] = .some((entry.id, entry.mode))
    }
    _ = try repository.writeTree(from: nil, changing: lines)
  }

  /// Copies the objects of a new clone, because git does not fetch objects that it expects to have.
  private func takeObjects(of remote: String, _ repository: Repository) throws {
    guard let folder = deviceFolder, let url = try repository.remoteURL(remote) else { return }
    let draft = folder + "/rescue"
    let files = FileManager.default
    if files.fileExists(atPath: draft) { try files.removeItem(atPath: draft) }
    let isRelative = !url.contains(":") && !url.hasPrefix("/")
    do throws(GitError) {
      _ = try Repository.clone(isRelative ? root + "/" + url : url, to: draft)
    } catch {
      // A remote that can't be reached is skipped.
      return
    }
    let source = draft + "/.git/objects"
    let target = repository.commonDirectory + "/objects"
    // The index of a pack makes the pack visible, so it comes last.
    let paths = try files.subpathsOfDirectory(atPath: source)
      .sorted { !$0.hasSuffix(".idx") && $1.hasSuffix(".idx") }
    for path in paths where FileState(of: "\(source)/\(path)")?.kind == .file {
      guard FileState(of: "\(target)/\(path)") == nil else { continue }
      if let slash = path.lastIndex(of: "/") {
        try SystemFile.makeFolder("\(target)/\(path[..<slash])")
      }
      try SystemFile.rename("\(source)/\(path)", to: "\(target)/\(path)")
    }
    try files.removeItem(atPath: draft)
  }
}

// MARK: - References and the index

extension Store {
  private func unreadableReferences(_ repository: Repository) -> [String] {
    ReferenceFiles(folder: repository.commonDirectory).entries().filter { entry in
      !entry.name.hasPrefix("refs/tags/")
        && !(entry.target.map { repository.isReadable($0) } ?? false)
    }
    .map(\.name)
  }

  private func mendReference(_ name: String) throws(StoreError) {
    guard let repository else { return }
    let folder = name == "HEAD" ? repository.gitDirectory : repository.commonDirectory
    let path = folder + "/" + name
    let isThere = FileState(of: path)?.kind == .file
    if isThere { try kept.keep(try SystemFile.read(path), as: FilePath(name)) }
    if name == "HEAD" || name.hasPrefix("refs/heads/") {
      guard let commit = lastKnown(name, repository) else { return }
      if let slash = path.lastIndex(of: "/") { try SystemFile.makeFolder(String(path[..<slash])) }
      try SystemFile.replace(path, with: Array("\(commit.hex)\n".utf8))
      try log(commit, of: name, in: folder)
    } else {
      // The next sync rewrites the remotes' references, and adoption rewrites larder's own.
      if isThere { try SystemFile.remove(path) }
      try unpack(name, in: folder)
    }
  }

  /// Removes a reference from `packed-refs`.
  private func unpack(_ name: String, in folder: String) throws(StoreError) {
    let references = ReferenceFiles(folder: folder)
    guard references.isPacked(name) else { return }
    let path = folder + "/packed-refs"
    try kept.keep(try SystemFile.read(path), as: ".git/packed-refs")
    let rest = Array(references.soundPackedText(without: name).utf8)
    try SystemFile.replace(path, with: rest)
  }

  /// Appends a commit to a branch's reflog; the last entry of the reflog shows a lost commit.
  private func log(_ commit: ObjectID, of name: String, in folder: String) throws(StoreError) {
    let path = "\(folder)/logs/\(name)"
    guard FileState(of: path)?.kind == .file else { return }
    var bytes = try SystemFile.read(path)
    if let last = bytes.last, last != UInt8(ascii: "\n") { bytes.append(UInt8(ascii: "\n")) }
    let none = String(repeating: "0", count: 40)
    let who = "larder <larder@larder.invalid> \(context.now().milliseconds / 1000) +0000"
    bytes += Array("\(none) \(commit.hex) \(who)\tlarder: doctor\n".utf8)
    try SystemFile.replace(path, with: bytes)
  }

  /// Returns the last readable commit of a branch, by the reflogs or the remote.
  private func lastKnown(_ name: String, _ repository: Repository) -> ObjectID? {
    let files = ReferenceFiles(folder: repository.commonDirectory)
    var candidates = files.log(of: name) + files.log(of: "HEAD")
    let branch = name.dropFirst("refs/heads/".count)
    for entry in files.entries() {
      guard let target = entry.target else { continue }
      let isSame = entry.name.hasPrefix("refs/remotes/") && entry.name.hasSuffix("/\(branch)")
      if isSame || entry.name == Store.adoptedReference { candidates.append(target) }
    }
    return candidates.first { id in
      do throws(GitError) {
        _ = try repository.entries(of: try repository.commit(id).tree)
        return true
      } catch {
        return false
      }
    }
  }

  private func mendIndex() throws(StoreError) {
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
