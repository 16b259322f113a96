internal import LarderStore
internal import LarderGit
public import LarderModel

extension Inventory {
  /// What changed in the household at one time, and how that came.
  public struct Change: Sendable {
    public enum Cause: Hashable, Sendable {
      /// A method of this inventory, by the name of its command, such as `inventory add`.
      case command(String)
      /// People: a file that was saved, removed or renamed, or a commit of plain git's.
      case edits
      /// Another program on this device, such as `larder`.
      case otherProgram
      /// Other devices, whose commits have come here.
      case sync
    }

    /// Where several things happened at once, the last of these that did.
    public let cause: Cause
    /// What differs, each entity with its version before and after, in the order of their files.
    public let differences: [EntityDifference]
  }

  /// Tells of everything that changes in the household from now on, whoever changes it.
  ///
  /// Changes by this inventory are told before its method returns, others within about a second (half
  /// a minute on a system that does not tell of files' changes and for many files). Any number may
  /// listen, each in a `for await` of its own; what one has not taken yet waits for it, in memory. A
  /// file that can't be read is told of when it can be again. The stream ends when its task is
  /// cancelled, or with the household's folder; until then it keeps the inventory alive.
  ///
  /// Throws `.store`.
  public func changes() throws(InventoryError) -> AsyncStream<Change> {
    do throws(StoreError) {
      try tellNews()
    } catch {
      throw .store(error)
    }
    let (stream, continuation) = AsyncStream.makeStream(of: Change.self)
    let number = listeners.add(continuation)
    continuation.onTermination = { [weak self] _ in
      Task { await self?.leave(number) }
    }
    if listeners.watch == nil { startWatching() }
    return stream
  }

  private func startWatching() {
    let watch = InventoryWatch()
    listeners.watch = watch
    watch.start(store.noticedPlaces) {
      self.queue.run { self.assumeIsolated { $0.look() } }
    } ended: {
      self.queue.run { self.assumeIsolated { $0.finish(watch) } }
    }
  }

  private func leave(_ listener: Int) {
    listeners.remove(listener)
  }

  private func finish(_ watch: InventoryWatch) {
    if listeners.watch === watch { listeners.finish() }
  }

  private func look() -> InventoryWatch.Look {
    do throws(StoreError) {
      if !listeners.isEmpty { try tellNews() }
      return .done
    } catch {
      return store.isThere ? .failed : .gone
    }
  }

  /// Tells of what others have changed since the last time.
  private func tellNews() throws(StoreError) {
    let reading = try store.read()
    let commit = reading.head?.commit
    tellNews(reading.household, commit)
    listeners.known = (reading.household, commit)
  }

  private func tellNews(_ household: Household, _ commit: ObjectID?) {
    guard let known = listeners.known else { return }
    let cause = commit.map { self.cause(of: $0, since: known.commit) }
    listeners.tell(cause ?? .edits, from: known.household, to: household)
  }

  /// Tells of what a method of this inventory changed, and before that of what it found changed.
  func heard(_ writing: Writing, of command: String) {
    guard !listeners.isEmpty else { return }
    tellNews(writing.base.household, writing.base.commit)
    listeners.tell(.command(command), from: writing.base.household, to: writing.household)
    listeners.known = (writing.household, writing.commit ?? writing.base.commit)
  }

  /// Who made the commits that have come since one that is known.
  private func cause(of commit: ObjectID, since known: ObjectID?) -> Change.Cause {
    guard commit != known else { return .edits }
    var cause = Change.Cause.edits
    do {
      let device = try store.device
      try store.git { repository throws(GitError) in
        try repository.history(from: commit, hiding: [known].compactMap(\.self)) { made in
          let trailers = Trailers(made.message)
          let isForeign = trailers["Larder-Device"].map { $0 != device } ?? false
          if isForeign || made.parents.count > 1 {
            cause = .sync
          } else if let command = trailers["Larder-Command"], command != "adopt" {
            cause = .otherProgram
          }
          return cause != .sync
        }
      }
    } catch {
      // The commit that was known may be gone, with a history that somebody wrote anew.
      return .otherProgram
    }
    return cause
  }
}

/// Who listens to an inventory, and what they know.
struct Listeners {
  /// What has been told, and the commit that it is of; nil while nobody listens.
  var known: (household: Household, commit: ObjectID?)?
  var watch: InventoryWatch?
  private var continuations: [Int: AsyncStream<Inventory.Change>.Continuation] = [:]
  private var count = 0

  var isEmpty: Bool { continuations.isEmpty }

  mutating func add(_ continuation: AsyncStream<Inventory.Change>.Continuation) -> Int {
    count += 1
    continuations[count] = continuation
    return count
  }

  mutating func remove(_ listener: Int) {
    continuations[listener] = nil
    if isEmpty { finish() }
  }

  mutating func finish() {
    let all = continuations.values
    continuations = [:]
    known = nil
    watch?.end()
    watch = nil
    for continuation in all { continuation.finish() }
  }

  func tell(_ cause: Inventory.Change.Cause, from old: Household, to new: Household) {
    let stock = Stock(new)
    let differences = new.differences(from: old).filter { difference in
      [difference.before, difference.after].compactMap(\.self).allSatisfy { stock.isOurs($0) }
    }
    guard !differences.isEmpty else { return }
    let change = Inventory.Change(cause: cause, differences: differences)
    for continuation in continuations.values { continuation.yield(change) }
  }
}
