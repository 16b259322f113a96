internal import LarderGit
internal import LarderModel
package import LarderText
internal import Libc

/// A watch on changes of a household's files, its branch and HEAD.
///
/// It uses inotify if possible. Otherwise, and if its limits are reached, it polls the files.
package final class FileNotices {
  /// The result of a wait.
  package struct Heard {
    /// Whether something relevant changed.
    package var hasChanged = false
    /// The other descriptors that can be read.
    package var readable: Set<Int32> = []
  }

  private enum Way {
    #if !canImport(Darwin)
      case told(InotifyQueue)
    #endif
    case looking(FileStates)
  }

  private let places: [NoticedPlace]
  private var way: Way
  private var nextLook: ContinuousClock.Instant

  /// With `isTold` false, it always polls.
  package convenience init(of store: Store, isTold: Bool = true) throws(StoreError) {
    try self.init(of: store.noticedPlaces, isTold: isTold)
  }

  package init(of places: [NoticedPlace], isTold: Bool = true) throws(StoreError) {
    self.places = places
    nextLook = .now + Self.settling
    #if !canImport(Darwin)
      if isTold, let queue = try Self.queue(of: places) {
        way = .told(queue)
        return
      }
    #endif
    way = .looking(try FileStates(of: places))
  }

  /// Whether a folder has been moved or removed, so that it hears nothing of another one in its place.
  package var hasLostPlace: Bool {
    #if !canImport(Darwin)
      if case .told(let queue) = way { return queue.hasLostPlace }
    #endif
    return false
  }

  /// Whether it polls the files.
  package var isLooking: Bool { if case .looking = way { true } else { false } }

  /// Waits until something changes, one of the other descriptors can be read, or the time is up.
  package func wait(atMost time: Duration, orReadable others: [Int32]) throws(StoreError) -> Heard {
    var descriptors = others
    var time = max(.zero, time)
    switch way {
    #if !canImport(Darwin)
      case .told(let queue): descriptors.append(queue.descriptor)
    #endif
    case .looking: time = min(time, max(.zero, nextLook - .now))
    }
    var heard = Heard(readable: try Self.readable(descriptors, within: time))
    heard.hasChanged = try hasChanged(heard.readable)
    return heard
  }

  private func hasChanged(_ readable: Set<Int32>) throws(StoreError) -> Bool {
    switch way {
    #if !canImport(Darwin)
      case .told(let queue):
        guard readable.contains(queue.descriptor) else { return false }
        do throws(StoreError) {
          return try queue.take()
        } catch {
          guard error.isLimit else { throw error }
          way = .looking(try FileStates(of: places))
          return true
        }
    #endif
    case .looking(var states):
      let began = ContinuousClock.now
      guard began >= nextLook else { return false }
      let hasChanged = try states.haveChanged()
      way = .looking(states)
      nextLook = .now + (hasChanged ? Self.settling : Self.rest(after: .now - began))
      return hasChanged
    }
  }

  /// The time after a change until the next poll, to see whether the changes go on.
  private static let settling = Duration.seconds(1)

  /// Returns a thousand times the duration of a poll, between 2 and 30 seconds, so that many files
  /// don't keep the machine busy.
  private static func rest(after look: Duration) -> Duration {
    min(max(.seconds(2), look * 1000), .seconds(30))
  }

  #if !canImport(Darwin)
    /// Returns nil if the system's limits are reached.
    private static func queue(of places: [NoticedPlace]) throws(StoreError) -> InotifyQueue? {
      do throws(StoreError) {
        return try InotifyQueue(of: places)
      } catch {
        guard error.isLimit else { throw error }
        return nil
      }
    }
  #endif

  private static func readable(_ descriptors: [Int32], within time: Duration) throws(StoreError)
    -> Set<Int32>
  {
    var entries = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    // Rounded up: otherwise a time below a millisecond would not be waited at all.
    let milliseconds = Int32((min(time, .seconds(3600)) / .milliseconds(1)).rounded(.up))
    guard poll(&entries, nfds_t(entries.count), milliseconds) >= 0 || errno == EINTR else {
      throw SystemFile.failure("wait for changes", "of the files")
    }
    return Set(entries.filter { $0.revents != 0 }.map(\.fd))
  }
}

extension StoreError {
  /// Whether the system has no more watches, files or memory, or does not support inotify.
  fileprivate var isLimit: Bool {
    guard case .system(_, _, let code) = self else { return false }
    return [EMFILE, ENFILE, ENOMEM, ENOSPC, ENOSYS].contains(code)
  }
}

/// The states of files at the last poll, for systems without inotify.
struct FileStates {
  private let places: [NoticedPlace]
  private var known: [FilePath: FileState]

  init(of places: [NoticedPlace]) throws(StoreError) {
    self.places = places
    known = try Self.look(at: places)
  }

  /// Polls again; returns whether a file was added, removed or changed.
  mutating func haveChanged() throws(StoreError) -> Bool {
    let now = try Self.look(at: places)
    defer { known = now }
    return now != known
  }

  private static func look(at places: [NoticedPlace]) throws(StoreError) -> [FilePath: FileState] {
    var states: [FilePath: FileState] = [:]
    for place in places {
      try place.walk { path, state throws(StoreError) in
        // Irrelevant files change a folder too; relevant files are polled themselves.
        if state.kind != .folder { states[FilePath(place.absolute(path))] = state }
      }
    }
    return states
  }
}

/// A folder to watch.
package struct NoticedPlace: Sendable {
  /// The path of the folder, absolute.
  let folder: String
  /// Whether a file is relevant, by its path from the folder.
  let holdsFile: @Sendable (FilePath) -> Bool
  /// Whether a folder may have relevant files, by its path from the folder.
  let holdsFolder: @Sendable (FilePath) -> Bool

  /// Visits all relevant files and folders below a folder, that folder first.
  ///
  /// Skips unreadable folders; readers report the error.
  func walk(_ path: FilePath = "", _ visit: (FilePath, FileState) throws(StoreError) -> Void)
    throws(StoreError)
  {
    guard let state = FileState(of: absolute(path)), state.kind == .folder else { return }
    try visit(path, state)
    guard let directory = opendir(absolute(path)) else { return }
    defer { closedir(directory) }
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name == "." || name == ".." { continue }
      let inner = path.appending(name)
      guard holdsFile(inner) || holdsFolder(inner), let state = FileState(of: absolute(inner))
      else { continue }
      if state.kind == .folder {
        if holdsFolder(inner) { try walk(inner, visit) }
      } else if holdsFile(inner) {
        try visit(inner, state)
      }
    }
  }

  func absolute(_ path: FilePath) -> String { path.isEmpty ? folder : "\(folder)/\(path)" }
}

extension Store {
  /// The places to watch: the household's files, HEAD, the branches, and the settings, which have
  /// remotes and sign-ins.
  package var noticedPlaces: [NoticedPlace] {
    let folders = Set(Kind.allCases.compactMap(\.folder))
    let household = NoticedPlace(
      folder: root,
      holdsFile: { Kind(path: $0) != nil && !TemporaryFile.isOne($0.name) },
      holdsFolder: { $0.names.first.map(folders.contains) ?? false })
    guard let repository else { return [household] }
    return [
      household,
      NoticedPlace(
        folder: repository.gitDirectory, holdsFile: { $0 == "HEAD" || $0 == "config" },
        holdsFolder: { _ in false }),
      NoticedPlace(
        folder: repository.commonDirectory + "/refs/heads", holdsFile: { !$0.hasSuffix(".lock") },
        holdsFolder: { _ in true }),
    ]
  }
}

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
