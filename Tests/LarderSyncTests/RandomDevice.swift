import Foundation
import LarderGit
import LarderJSON
import LarderModel
import LarderStore
import TestSupport

/// A device of the random household: a clone, and a clock that is wrong and jumps.
final class RandomDevice {
  let name: String
  let root: String
  let store: Store
  let time: Time
  /// The last commit that was seen checked out; none of them may get lost.
  var commits: [String] = []
  /// What people wrote into files and no command has adopted yet, by path.
  var handEdits: [String: HandEdit] = [:]
  /// Those of them that were committed with plain git, or adopted.
  var settledEdits: [HandEdit] = []

  /// A value that somebody wrote by hand: it has to turn up in the history.
  struct HandEdit {
    let kind: Kind
    let field: String
    let value: String
  }

  /// A clock of the device's own, and ids that the seed repeats.
  final class Time: @unchecked Sendable {
    var milliseconds: Int64
    private var generator: SeededGenerator

    init(milliseconds: Int64, seed: UInt64) {
      self.milliseconds = milliseconds
      generator = SeededGenerator(seed: seed)
    }

    func now() -> Instant {
      milliseconds += Int64.random(in: 0...1500, using: &generator)
      return Instant(milliseconds: milliseconds)
    }

    func newID(_ now: Instant) -> String {
      var hex = String(UInt64(bitPattern: now.milliseconds), radix: 16)
      hex = String(repeating: "0", count: 12 - hex.count) + hex
      let random = String(generator.next() | (1 << 63), radix: 16)
      let more = String(generator.next() | (1 << 63), radix: 16)
      return "\(hex.prefix(8))-\(hex.suffix(4))-7\(random.prefix(3))-8\(random.suffix(3))-"
        + more.prefix(12)
    }
  }

  init(_ name: String, root: String, store: Store, time: Time) {
    self.name = name
    self.root = root
    self.store = store
    self.time = time
  }

  /// The paths of the household's files in the work tree.
  func paths(_ folder: String? = nil) throws -> [String] {
    let all = try FileManager.default.subpathsOfDirectory(atPath: root)
    return all.filter { path in
      Kind(path: path) != nil && path.hasPrefix(folder ?? "") && !path.hasPrefix(".git/")
    }
    .sorted()
  }

  func read(_ path: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(filePath: root + "/" + path)))
  }

  /// Writes a file as an editor does, at a time of the device's clock.
  func write(_ bytes: [UInt8], to path: String) throws {
    let url = URL(filePath: root + "/" + path)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: url)
    let seconds = Double(time.now().milliseconds) / 1000
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: seconds)], ofItemAtPath: url.path())
  }

  func remove(_ path: String) throws {
    try FileManager.default.removeItem(atPath: root + "/" + path)
    handEdits[path] = nil
  }

  @discardableResult
  func git(_ arguments: String...) throws -> String {
    try Git.run(words: arguments, in: root, at: "@\(time.now().milliseconds / 1000) +0000")
  }

  /// Whether git agreed; what it did otherwise is no matter.
  func tryGit(_ arguments: String...) -> Bool {
    (try? Git.run(words: arguments, in: root, at: "@\(time.now().milliseconds / 1000) +0000"))
      != nil
  }

  var head: String {
    get throws { try store.repository?.head().commit?.hex ?? "" }
  }

  /// Notes what is checked out, and that what people wrote is in it.
  func noteHead() throws {
    let head = try head
    if commits.last != head { commits.append(head) }
  }

  /// Notes that what people wrote is committed now, one way or another.
  func settleEdits() throws {
    try noteHead()
    settledEdits += handEdits.values
    handEdits = [:]
  }
}

extension JSON {
  /// An object with one member set, or removed by nil.
  func setting(_ key: String, _ value: JSON?) -> JSON {
    var members = members ?? []
    let index = members.firstIndex { $0.key == key }
    switch (index, value) {
    case (let index?, let value?): members[index].value = value
    case (let index?, nil): members.remove(at: index)
    case (nil, let value?): members.append(JSONMember(key, value))
    case (nil, nil): break
    }
    return .object(members)
  }
}
