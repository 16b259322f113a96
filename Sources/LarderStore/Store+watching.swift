internal import LarderGit

extension Store {
  /// Does something for as long as the household is watched, which one process does at a time.
  package func whileWatching<Value>(_ body: () throws -> Value) throws -> Value {
    guard let folder = deviceFolder else { throw StoreError.notARepository(root: root) }
    let lock: HouseholdLock
    do {
      lock = try HouseholdLock(folder: folder, name: "watch-lock", patience: 0)
    } catch {
      guard case .locked = error else { throw error }
      throw StoreError.watched
    }
    defer { lock.release() }
    return try body()
  }

  /// What keeps the household from being written just now, as far as can be told without waiting:
  /// somebody's merge or rebase, or a git that is writing the index.
  package var obstacle: StoreError? {
    guard let repository else { return .notARepository(root: root) }
    if let operation = repository.operationInProgress() { return .operationInProgress(operation) }
    return repository.isIndexLocked ? .indexLocked(path: repository.indexLockPath) : nil
  }

  /// Whether the household's repository is still where it was.
  package var isThere: Bool {
    guard let repository else { return false }
    return FileState(of: repository.gitDirectory + "/HEAD") != nil
  }

  /// When a file of the household was last changed, as far as the file system tells; nil for none.
  package func version(of path: String) -> FileState? {
    do throws(StoreError) {
      return try files.state(of: path)
    } catch {
      // What lies where no file may is looked at by nobody.
      return nil
    }
  }

  /// Takes the household's lock, waiting for whoever is writing, and keeps it.
  package func locked() throws(StoreError) -> HouseholdLock {
    guard let folder = deviceFolder else { throw .notARepository(root: root) }
    return try HouseholdLock(folder: folder, patience: context.patience)
  }
}
