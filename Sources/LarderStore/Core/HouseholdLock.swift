internal import LarderGit
internal import Libc

/// The lock across processes for writing; the system releases it when the process ends.
package struct HouseholdLock: Sendable {
  private let descriptor: Int32

  /// Takes the lock, waiting for another holder as long as the context allows.
  init(folder: String, name: String = "lock", _ context: StoreContext) throws(StoreError) {
    try self.init(folder: folder, name: name, patience: context.patience, context.waits)
  }

  /// Takes the lock, waiting up to `patience` milliseconds for another holder.
  ///
  /// `waits` is called again and again in the meantime.
  init(folder: String, name: String, patience: Int64, _ waits: () -> Void = {}) throws(StoreError) {
    // Creates only this folder: a repository that somebody removed is not created again.
    guard mkdir(folder, 0o777) == 0 || errno == EEXIST else {
      throw SystemFile.failure("make the folder", folder)
    }
    let path = folder + "/" + name
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw SystemFile.failure("lock", path) }
    let began = ContinuousClock.now
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      guard errno == EWOULDBLOCK || errno == EINTR else {
        let failure = SystemFile.failure("lock", path)
        close(descriptor)
        throw failure
      }
      guard ContinuousClock.now - began < Duration.milliseconds(patience) else {
        close(descriptor)
        throw .locked(milliseconds: patience)
      }
      waits()
      usleep(UInt32.random(in: 5_000...25_000))
    }
    self.descriptor = descriptor
  }

  package func release() {
    close(descriptor)
  }
}

extension Store {
  /// Takes the household's lock, waiting for another writer; the caller releases it.
  package func locked() throws(StoreError) -> HouseholdLock {
    guard let folder = deviceFolder else { throw .notARepository(root: root) }
    return try HouseholdLock(folder: folder, context)
  }

  /// Runs `body` under the lock, on a branch, when no git operation is in progress.
  package func whileLocked<Value>(_ body: () throws -> Value) throws -> Value {
    try whileLocked { () throws(StoreError) -> Result<Value, any Error> in
      do {
        return .success(try body())
      } catch let error as StoreError {
        throw error
      } catch {
        return .failure(error)
      }
    }.get()
  }

  /// Runs `body`, which throws only the store's errors, under the lock.
  package func whileLocked<Value>(_ body: () throws(StoreError) -> Value) throws(StoreError)
    -> Value
  {
    guard let repository else { throw StoreError.notARepository(root: root) }
    let lock = try locked()
    defer { lock.release() }
    if let operation = repository.operationInProgress() {
      throw StoreError.operationInProgress(operation)
    }
    let apart = try reinstate()
    try standOnBranch()
    try waitForIndex(repository)
    if !isReinstating, hasUnfinishedTransaction { try refuseDamagedIndex() }
    guard try userID != nil else { throw StoreError.noUserID }
    try recover()
    try join(apart)
    return try whileForestalled(body)
  }

  /// Runs `body` again if plain git, which does not know larder's lock, moved the branch in the
  /// meantime.
  private func whileForestalled<Value>(_ body: () throws(StoreError) -> Value) throws(StoreError)
    -> Value
  {
    let began = ContinuousClock.now
    while true {
      do throws(StoreError) {
        return try body()
      } catch {
        let waited = ContinuousClock.now - began
        guard error.isForestalled, waited < Duration.milliseconds(context.patience) else {
          throw error
        }
        pause(milliseconds: Int64.random(in: 5...25))
      }
    }
  }

  /// Runs `body`, which talks to a remote, in one process at a time.
  ///
  /// Others may write in the meantime.
  package func whileSyncing<Value>(_ body: () throws -> Value) throws -> Value {
    let lock = try syncLock()
    defer { lock.release() }
    return try body()
  }

  /// Takes the lock for a sync in the background; nil if another process keeps it.
  package func backgroundLock() throws -> HouseholdLock? {
    guard let folder = deviceFolder else { throw StoreError.notARepository(root: root) }
    do {
      // Long enough for one that is just ending.
      return try HouseholdLock(folder: folder, name: "background-lock", patience: 1000)
    } catch {
      guard case .locked = error else { throw error }
      return nil
    }
  }

  /// Takes the lock for talking to a remote; the caller releases it.
  package func syncLock() throws(StoreError) -> HouseholdLock {
    guard let folder = deviceFolder else { throw .notARepository(root: root) }
    return try HouseholdLock(folder: folder, name: "sync-lock", context)
  }

  /// Waits for a git process that is writing the index.
  ///
  /// Throws if the lock stays, because it may be stale.
  ///
  /// A lock left by larder, as the journal shows, is removed.
  private func waitForIndex(_ repository: Repository) throws(StoreError) {
    if !isReinstating, hasUnfinishedTransaction {
      try git { repository throws(GitError) in try repository.removeLeftIndexLock() }
    }
    var waited: Int64 = 0
    while repository.isIndexLocked {
      guard waited < min(context.patience, 2000) else {
        throw .indexLocked(path: repository.indexLockPath)
      }
      pause(milliseconds: 50)
      waited += 50
    }
  }

  /// Throws `indexDamaged` if git's index can't be read.
  ///
  /// In a large household, reading it takes longer than looking at all files, so only those ask who are
  /// going to write it.
  func refuseDamagedIndex() throws(StoreError) {
    guard let repository, repository.indexDamage() != nil else { return }
    if repository.isIndexUnchecked { throw .indexUnchecked(path: repository.indexPath) }
    throw .indexDamaged(path: repository.indexPath)
  }

  /// Runs `body`, which writes the index, when no git process is writing it.
  func whileIndexIsFree(_ body: () throws(StoreError) -> Void) throws(StoreError) {
    let began = ContinuousClock.now
    while true {
      do throws(StoreError) {
        try body()
        return
      } catch {
        let waited = ContinuousClock.now - began
        let patience = Duration.milliseconds(min(context.patience, 2000))
        guard error.isForestalled, waited < patience else { throw error }
        pause(milliseconds: 20)
      }
    }
  }
}
