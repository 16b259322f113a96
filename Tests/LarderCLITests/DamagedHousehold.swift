import Foundation
import TestSupport
import Testing

/// A household with a history, packed and loose, that was synced with a remote, and copies of it to
/// damage.
struct DamagedHousehold {
  let larder: CommandRunner
  /// The damaged copy's folder below the runner's.
  let place: String

  /// A copy of its own, with its own remote.
  init() throws {
    larder = try CommandRunner(now: "2026-11-21T13:00:00Z")
    place = "home"
    let files = FileManager.default
    for name in ["nest", "hub.git"] {
      try files.copyItem(
        atPath: Self.template.folder(name), toPath: larder.folder("home/\(name)"))
    }
  }

  private static let template: CommandRunner = {
    do {
      return try made()
    } catch {
      fatalError("no household to damage: \(error)")
    }
  }()

  private static func made() throws -> CommandRunner {
    let larder = try CommandRunner()
    _ = try larder("init", "nest", "--name", "Nest", "--time-zone", "UTC")
    let root = larder.folder("nest")
    try larder.folder.write("notes\n", to: "nest/README.md")
    try Git.run("add", ".", in: root)
    try Git.run("commit", "-qm", "notes", in: root)
    try Git.run("init", "-q", "--bare", "-b", "main", "hub.git", in: larder.folder.path)
    try Git.run("remote", "add", "origin", "../hub.git", in: root)
    for line in [
      "stock new Milk --in-stock 4 --full 6 --unit liter", "stock new Eggs --in-stock 10",
      "stock new Bread --in-stock 1", "stock use bread 1",
      "receipt save --shop Corner --line Eggs=6@@3",
    ] {
      let outcome = try larder.run(line.split(separator: " ").map(String.init), in: "nest")
      try #require(outcome.code == 0, "\(line): \(outcome.errors)")
    }
    try Git.run("gc", "-q", in: root)
    _ = try larder("stock", "count", "milk", "3", in: "nest")
    _ = try larder("sync", in: "nest")
    _ = try larder("stock", "use", "eggs", "2", in: "nest")
    return larder
  }

  var root: String { larder.folder("home/nest") }

  @discardableResult
  func callAsFunction(_ words: String...) throws -> CommandRunner.Outcome {
    try larder.run(words, in: "home/nest")
  }

  /// Every file that may be damaged, from the root, sorted.
  func paths() throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: root).filter { path in
      let attributes = try FileManager.default.attributesOfItem(atPath: "\(root)/\(path)")
      return attributes[.type] as? FileAttributeType == .typeRegular && !path.hasSuffix(".sample")
    }
    .sorted()
  }

  func bytes(_ path: String) throws -> Data {
    try Data(contentsOf: URL(filePath: "\(root)/\(path)"))
  }

  /// Puts other bytes in a file's place, or nothing.
  func damage(_ path: String, with bytes: Data?) throws {
    // Git writes objects for reading only.
    try FileManager.default.removeItem(atPath: "\(root)/\(path)")
    try bytes?.write(to: URL(filePath: "\(root)/\(path)"))
  }

  /// Does what `doctor` says of damage that it does not mend: makes a new copy, of the remote or with a
  /// new history, puts the files of this one there, and adopts them.
  ///
  /// Returns the folder of the copy below the runner's.
  func copyAgain(hasRemote: Bool = true) throws -> String {
    let files = FileManager.default
    if hasRemote {
      let joined = try larder("join", "hub.git", "new", in: place)
      try #require(joined.code == 0, "\(joined.errors)")
      for name in try files.contentsOfDirectory(atPath: root) where name != ".git" {
        let target = larder.folder("\(place)/new/\(name)")
        if files.fileExists(atPath: target) { try files.removeItem(atPath: target) }
        try files.copyItem(atPath: "\(root)/\(name)", toPath: target)
      }
    } else {
      try files.moveItem(atPath: root + "/.git", toPath: larder.folder("\(place)/damaged.git"))
      let made = try larder("init", in: "\(place)/nest")
      try #require(made.code == 0, "\(made.errors)")
    }
    let copy = place + (hasRemote ? "/new" : "/nest")
    let adopted = try larder("adopt", in: copy)
    try #require(adopted.code == 0, "\(adopted.errors)")
    return copy
  }

  /// What every file holds but larder's own of this device, which reading may change.
  func contents() throws -> [String: Data] {
    var contents: [String: Data] = [:]
    for path in try paths() where !path.hasPrefix(".git/larder/") {
      contents[path] = try bytes(path)
    }
    return contents
  }

  /// Whether bytes lie somewhere in the household or in what is kept of it.
  func isKept(_ bytes: Data) throws -> Bool {
    try paths().contains { try self.bytes($0) == bytes }
  }
}
