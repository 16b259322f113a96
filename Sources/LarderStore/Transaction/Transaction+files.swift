internal import LarderGit
internal import LarderModel
internal import LarderText

extension Store {
  /// Writes the new versions under temporary names, and starts to write them to the disk.
  ///
  /// Returns the paths of files that are ready.
  ///
  /// A file that must go first, because a folder takes its place, is left to
  /// ``exchange(_:prepared:)``.
  func prepare(_ files: [Transaction.File]) throws(StoreError) -> Set<FilePath> {
    let removed = Set(files.filter { $0.new == nil }.map(\.path))
    let files = files.filter { removed.isDisjoint(with: $0.path.folders) }
    // A power cut may have left one without its record; with a record, it is settled by now.
    for file in files where !file.isOutOfReach {
      do throws(StoreError) {
        try self.files.remove(file.temporary)
      } catch {
        // Behind a link, nothing is larder's.
        guard case .noFolder = error else { throw error }
      }
    }
    return try prepare(files, besides: [])
  }

  private func prepare(_ files: [Transaction.File], besides prepared: Set<FilePath>)
    throws(StoreError) -> Set<FilePath>
  {
    let news = files.filter {
      $0.new != nil && $0.mode != .submodule && !prepared.contains($0.path)
    }
    var paths: Set<FilePath> = []
    try self.files.keepingFolderOpen { () throws(StoreError) in
      for file in news where try prepare(file) { paths.insert(file.path) }
    }
    return paths.union(prepared)
  }

  /// Updates the work tree's files for a transaction.
  ///
  /// New versions are first written under temporary names, so that no half-written file is ever in
  /// place.
  func exchange(_ files: [Transaction.File], prepared: Set<FilePath> = []) throws(StoreError) {
    // A removed file may be in the place of a new folder, and a removed folder in the place of a
    // new file.
    let folders = Set(files.filter { $0.new != nil }.flatMap(\.path.folders))
    for file in files where file.new == nil && folders.contains(file.path) {
      if try prepare(file) { try exchange(file) }
    }
    // Removals come first: a folder may take the place of a file.
    for file in files where file.mode != .submodule && file.new == nil {
      if try prepare(file) { try exchange(file) }
    }
    let ready = try prepare(files, besides: prepared)
    try self.files.keepingFolderOpen { () throws(StoreError) in
      for file in files where ready.contains(file.path) { try exchange(file) }
    }
  }

  /// Writes the new version under its temporary name.
  ///
  /// Returns false if the file in place is not the expected one, which stays.
  private func prepare(_ file: Transaction.File) throws(StoreError) -> Bool {
    guard !file.isOutOfReach else { return false }
    let target = file.path
    let temporary = file.temporary
    do throws(StoreError) {
      try settle(temporary, file, target)
    } catch {
      // People may keep their own folder behind a link; larder does not write there.
      guard case .noFolder = error, Kind(path: target) == nil else { throw error }
      return false
    }
    let current = try blob(at: target)
    if current == file.new {
      guard current != nil, try !hasMode(file) else { return false }
    } else {
      // The branch has moved: what somebody wrote over a plain file since is kept beside it.
      let isLate = file.isPlain && file.new != nil && current != nil
      guard file.old != file.new, current == file.old || isLate else { return false }
    }
    guard let new = file.new else { return true }
    let bytes = try git { repository throws(GitError) in
      if let bytes = file.bytes { bytes } else { try repository.readBlob(new) }
    }
    try files.write(bytes, to: temporary, as: file.mode)
    return true
  }

  /// Exchanges the new version with the expected one atomically, then checks what was replaced.
  ///
  /// A version that somebody saved in the meantime goes back, and is adopted next time.
  private func exchange(_ file: Transaction.File) throws(StoreError) {
    let target = file.path
    let temporary = file.temporary
    if file.new == nil {
      try take(away: target, temporary, file)
    } else if file.old == nil {
      if try files.place(temporary, at: target) { return }
      guard file.isPlain, try files.exchange(temporary, target) else {
        return try files.remove(temporary)
      }
      try settlePlain(temporary, file, target)
    } else if try files.exchange(temporary, target) {
      try file.isPlain ? settlePlain(temporary, file, target) : settle(temporary, file, target)
    } else {
      try files.rename(temporary, to: target)
    }
  }

  /// Handles what a plain file replaced: a version that is not the old one is kept beside it.
  ///
  /// Back in its place, it would take away at the next commit what came, and nobody would notice; an entity
  /// is joined instead.
  private func settlePlain(_ temporary: FilePath, _ file: Transaction.File, _ target: FilePath)
    throws(StoreError)
  {
    guard let found = try blob(at: temporary), found != file.old, found != file.new else {
      return try files.remove(temporary)
    }
    try keep(temporary, found, beside: target)
  }

  /// Whether a plain file in its place is a program or none, as it should be.
  private func hasMode(_ file: Transaction.File) throws(StoreError) -> Bool {
    guard file.isPlain, file.mode == .file || file.mode == .executable,
      try files.state(of: file.path)?.kind == .file,
      try git({ repository throws(GitError) in try repository.followsModes })
    else { return true }
    return try files.isExecutable(file.path) == (file.mode == .executable)
  }

  /// Handles a file under the temporary name.
  ///
  /// A version that is neither the old nor the new one is somebody's edit and goes back to its
  /// place.
  func settle(_ temporary: FilePath, _ file: Transaction.File, _ target: FilePath)
    throws(StoreError)
  {
    guard let found = try blob(at: temporary) else { return }
    if try isOurs(found, temporary, file) { return try files.remove(temporary) }
    guard try blob(at: target).map({ $0 == file.old || $0 == file.new }) ?? true else {
      return try keep(temporary, found, beside: target)
    }
    guard try files.exchange(temporary, target) else {
      if try files.place(temporary, at: target) { return }
      return try keep(temporary, found, beside: target)
    }
    // A file that was saved between the check and the exchange is kept too.
    guard let swapped = try blob(at: temporary), swapped != file.old, swapped != file.new else {
      return try files.remove(temporary)
    }
    try keep(temporary, swapped, beside: target)
  }

  private func isOurs(_ found: ObjectID, _ temporary: FilePath, _ file: Transaction.File)
    throws(StoreError) -> Bool
  {
    if found == file.old || found == file.new { return true }
    guard let new = file.new else { return false }
    return try isBeginning(temporary, of: new)
  }

  /// Keeps a second edit of one file under a conflict name.
  private func keep(_ temporary: FilePath, _ found: ObjectID, beside target: FilePath)
    throws(StoreError)
  {
    for digits in [7, 40] {
      let beside = ConflictFile.path(for: target, found, digits: digits)
      if try files.place(temporary, at: beside) { return }
      if try blob(at: beside) == found { return try files.remove(temporary) }
    }
  }

  /// Whether a file is the beginning of a blob, as a killed process left it, or zeros from some place
  /// on, as a power cut did.
  func isBeginning(_ path: FilePath, of blob: ObjectID) throws(StoreError) -> Bool {
    guard try files.state(of: path)?.kind == .file else { return false }
    let bytes = try git { repository throws(GitError) in try repository.readBlob(blob) }
    let found = try files.read(path)
    let written = (found.lastIndex { $0 != 0 } ?? -1) + 1
    return bytes.starts(with: found[..<written])
  }

  private func take(away target: FilePath, _ temporary: FilePath, _ file: Transaction.File)
    throws(StoreError)
  {
    try files.rename(target, to: temporary)
    if try blob(at: temporary) != file.old { return try settle(temporary, file, target) }
    try files.remove(temporary)
    try files.removeEmptyFolders(above: target)
  }

  /// Returns the blob of a file or link; nil if it is missing or must not be read.
  func blob(at path: FilePath) throws(StoreError) -> ObjectID? {
    do {
      return try files.content(at: path).map { Repository.blobID(of: $0) }
    } catch {
      guard error.isRefusal else { throw error }
      return nil
    }
  }
}
