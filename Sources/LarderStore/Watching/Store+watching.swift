internal import LarderGit
package import LarderText

extension Store {
  /// Runs `body` while the household is watched; only one process may watch at a time.
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

  /// The reason why the household can't be written now, as far as known without waiting: an
  /// unfinished merge or rebase, or a git process that is writing the index.
  package var obstacle: StoreError? {
    guard let repository else { return .notARepository(root: root) }
    do throws(StoreError) {
      if let loose = try looseHead() { return .looseHead(loose) }
    } catch {
      return error
    }
    if let operation = repository.operationInProgress() { return .operationInProgress(operation) }
    return repository.isIndexLocked ? .indexLocked(path: repository.indexLockPath) : nil
  }

  /// Whether the household's repository still exists.
  package var isThere: Bool {
    guard let repository else { return false }
    return FileState(of: repository.gitDirectory + "/HEAD") != nil
  }

  /// Returns the state of a file of the household, which changes with the file; nil for no file.
  package func version(of path: FilePath) -> FileState? {
    do throws(StoreError) {
      return try files.state(of: path)
    } catch {
      // A file at a path that is not allowed has no version.
      return nil
    }
  }
}
