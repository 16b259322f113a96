package import Foundation
import LarderGit
package import LarderModel
package import LarderStore
package import LarderText
import Libc
package import Testing
package import TestSupport

/// A household on two devices around a bare remote, with its own clock.
package final class Home {
  package let folder: Folder
  package let clock = TestClock()
  package private(set) var devices: [Store] = []

  package var laptop: Store { devices[0] }
  package var phone: Store { devices[1] }

  /// Creates the household on the laptop, prepares it there, and joins it on the phone.
  package init(alone: Bool = false, _ prepare: (Store) throws -> Void = { _ in }) throws {
    folder = try Folder()
    try Git.run("init", "-q", "--bare", "-b", "main", folder("hub.git"), in: folder.path)
    let laptop = try Store.create(
      at: folder("laptop"), name: "Home", timeZone: "Europe/London", currency: "GBP",
      program: "larder", context: context("laptop"))
    try Git.run("remote", "add", "origin", folder("hub.git"), in: laptop.root)
    try Self.leaveMergingToGit(laptop)
    devices = [laptop]
    try prepare(laptop)
    if !alone {
      try sync(laptop)
      try join("phone")
    }
  }

  package func context(_ device: String) -> StoreContext {
    var context = StoreContext(now: { [clock] in clock.now() }, device: device)
    context.patience = 200
    return context
  }

  @discardableResult
  package func join(_ device: String) throws -> Store {
    let store = try Store.join(
      folder("hub.git"), into: folder(device), program: "larder", context: context(device))
    try Self.leaveMergingToGit(store)
    devices.append(store)
    return store
  }

  /// Uses git's own text merge, as on a device without setup, because these tests have no program.
  private static func leaveMergingToGit(_ store: Store) throws {
    for section in ["merge.larder", "diff.larder"] {
      try Git.run("config", "--remove-section", section, in: store.root)
    }
  }

  /// Opens a device's household again, as the next command does.
  package func opened(_ store: Store, _ change: (inout StoreContext) -> Void = { _ in }) throws
    -> Store
  {
    var context = context(store.root == laptop.root ? "laptop" : "phone")
    change(&context)
    return try Store.open(from: store.root, context: context)
  }

  @discardableResult
  package func sync(_ store: Store) throws -> SyncOutcome { try Synchronizer(store: store).sync() }

  /// Commits everything in a work tree with plain git, a minute after the previous commit.
  package func commitAll(_ store: Store, _ message: String = "by hand") throws {
    try Git.run("add", "-A", in: store.root)
    try git(store, "commit", "-q", "-m", message)
  }

  /// Runs git at the next minute of the household's clock.
  @discardableResult
  package func git(_ store: Store, _ arguments: String...) throws -> String {
    try Git.run(arguments, in: store.root, at: clock.gitDate())
  }
}

/// A clock that advances with every reading.
package final class TestClock: @unchecked Sendable {
  private let lock = NSLock()
  private var milliseconds: Int64 = 1_700_000_000_000

  package init() {}

  package func now() -> Instant {
    lock.withLock {
      milliseconds += 1000
      return Instant(milliseconds: milliseconds)
    }
  }

  package func gitDate() -> String {
    lock.withLock {
      milliseconds += 60_000
      return "\(milliseconds / 1000) +0000"
    }
  }
}

extension Home {
  /// Syncs all devices until nothing changes any more, and checks that they are equal.
  ///
  /// They must have the same commit, files and household. A new clone, which has only the commits,
  /// must have the same household, and another adoption must find nothing to do.
  package func settle(isClean: Bool = true, _ location: SourceLocation = #_sourceLocation) throws {
    var heads: Set<String> = []
    for _ in 0..<6 where heads.count != 1 {
      for device in devices { try sync(device) }
      heads = Set(try devices.map { try $0.head() })
      heads.insert(try Git.run("rev-parse", "main", in: folder("hub.git")).trimmed)
    }
    try #require(heads.count == 1, "the devices end alike", sourceLocation: location)
    let clone = try newClone()
    let files = try clone.files()
    let household = try #require(try clone.household(at: "HEAD"), sourceLocation: location)
    #expect(
      try clone.adopt().commit == nil, "nothing is left to adopt", sourceLocation: location)
    for device in devices {
      let mine = try device.read().household
      #expect(mine.differences(from: household) == [], sourceLocation: location)
      guard isClean else { continue }
      let own = try device.files()
      let differing = Set(own.keys).union(files.keys).filter { own[$0] != files[$0] }
      #expect(differing == [], sourceLocation: location)
      #expect(try device.status() == "", sourceLocation: location)
      #expect(try device.unformatted() == [], sourceLocation: location)
      #expect(try device.read().edited == [], sourceLocation: location)
    }
  }

  private func newClone() throws -> Store {
    let path = folder("clone-\(UUID().uuidString.prefix(8))")
    return try Store.join(
      folder("hub.git"), into: path, program: "larder", context: context("clone"))
  }
}

extension Store {
  package func head() throws -> String { try Git.run("rev-parse", "HEAD", in: root).trimmed }

  package func status() throws -> String { try Git.run("status", "--porcelain", in: root) }

  package func log() throws -> [String] {
    try Git.run("log", "--format=%s", in: root).split(separator: "\n").map(String.init)
  }

  /// Returns every file outside `.git`, by its path.
  package func files() throws -> [FilePath: String] {
    let base = URL(filePath: root)
    var files: [FilePath: String] = [:]
    for path in try FileManager.default.subpathsOfDirectory(atPath: root)
    where !path.hasPrefix(".git/") {
      let url = base.appending(path: path)
      var status = stat()
      guard lstat("\(root)/\(path)", &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
        continue
      }
      files[FilePath(path)] = String(decoding: try Data(contentsOf: url), as: UTF8.self)
    }
    return files
  }

  package func text(_ path: FilePath) throws -> String {
    String(decoding: try Data(contentsOf: URL(filePath: "\(root)/\(path)")), as: UTF8.self)
  }

  package func write(_ text: String, to path: FilePath) throws {
    try write(Data(text.utf8), to: path)
  }

  package func write(_ data: Data, to path: FilePath) throws {
    let url = URL(filePath: "\(root)/\(path)")
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try data.write(to: url)
  }

  /// Replaces a text in a file, which must contain it.
  package func edit(_ path: FilePath, _ old: String, _ new: String) throws {
    let text = try text(path)
    try #require(text.contains(old), "\(path) holds \(old)")
    try write(text.replacing(old, with: new), to: path)
  }

  package func exists(_ path: FilePath) -> Bool {
    var status = stat()
    return lstat("\(root)/\(path)", &status) == 0
  }

  package func removeFile(_ path: FilePath) throws {
    try FileManager.default.removeItem(atPath: "\(root)/\(path)")
  }

  package func moveFile(_ path: FilePath, to target: FilePath) throws {
    try FileManager.default.createDirectory(
      at: URL(filePath: "\(root)/\(target)").deletingLastPathComponent(),
      withIntermediateDirectories: true)
    try FileManager.default.moveItem(atPath: "\(root)/\(path)", toPath: "\(root)/\(target)")
  }

  package func names(in folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: "\(root)/\(folder)").sorted()
  }
}

extension Household {
  /// Returns the differences of two households, as lines of their files.
  package func differences(from other: Household) -> [String] {
    Set(keys).union(other.keys).flatMap { key in
      let lines = [self[key], other[key]].map { entity in
        entity.map { String(decoding: $0.fileBytes, as: UTF8.self).split(separator: "\n") } ?? []
      }
      return lines[0].filter { !lines[1].contains($0) }.map { "+\($0)" }
        + lines[1].filter { !lines[0].contains($0) }.map { "-\($0)" }
    }
  }
}

extension String {
  package var trimmed: String { trimmingCharacters(in: .whitespacesAndNewlines) }
}
