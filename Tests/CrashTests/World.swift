import Foundation
import TestSupport
import Testing

/// Two devices with a household and the repository between them; what a trial does it does to a copy.
struct World {
  /// What is there at the beginning, and what a command may make.
  static let places = ["laptop", "phone", "hub.git"]
  static let made = ["tablet", ".tablet.larder-new", "nest"]

  var larder: CommandRunner

  private init(_ larder: CommandRunner) {
    self.larder = larder
  }

  /// Made once: starting a household anew for every test would only cost time.
  static let first = Result { try World() }

  /// Milk, bread, salt and a list, alike on both devices.
  private init() throws {
    larder = try CommandRunner()
    try prepare("", "init", "laptop", "--name", "Nest", "--time-zone", "UTC")
    try Git.run("init", "--quiet", "--bare", "-b", "main", "hub.git", in: larder.folder.path)
    try Git.run("remote", "add", "origin", "../hub.git", in: root("laptop"))
    try prepare("laptop", "stock", "new", "Milk", "--in-stock", "4", "--full", "6")
    try prepare("laptop", "stock", "new", "Bread", "--in-stock", "2")
    try prepare("laptop", "stock", "new", "Salt", "--in-stock", "1")
    try prepare("laptop", "shop", "buy", "Bread", "3")
    try prepare("laptop", "sync")
    try prepare("", "join", "hub.git", "phone")
    try Git.run("remote", "set-url", "origin", "../hub.git", in: root("phone"))
    try? FileManager.default.removeItem(atPath: root("phone") + "/.git/hooks")
    for place in Self.places { try Git.run("gc", "--quiet", in: root(place)) }
  }

  /// The same once more, in a folder of its own.
  func copied() throws -> World {
    var copy = World(try CommandRunner(now: larder.now))
    copy.larder.device = larder.device
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["cp", "-a", larder.folder.path + "/.", copy.larder.folder.path]
    try process.run()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
    return copy
  }

  func root(_ place: String) -> String { larder.folder(place) }

  /// Runs words that have to succeed, as the device of that folder.
  func prepare(_ place: String, _ words: String...) throws {
    let outcome = try self(place, words)
    try #require(outcome.code == 0, "\(place): larder \(words): \(outcome.errors)")
  }

  func callAsFunction(_ place: String, _ words: [String]) throws -> CommandRunner.Outcome {
    var larder = larder
    larder.device = place.isEmpty ? "laptop" : place
    return try larder.run(words, in: place)
  }

  /// Replaces text in the only file of a folder whose name begins so.
  func edit(_ place: String, _ name: String, _ old: String, _ new: String) throws {
    let path = "\(place)/" + (try self.path(place, name))
    let text = try larder.folder.read(path)
    try #require(text.contains(old))
    try larder.folder.write(text.replacing(old, with: new), to: path)
  }

  /// The path within a household of the only file that begins so, such as `stock/milk`.
  func path(_ place: String, _ start: String) throws -> String {
    try #require(try Self.files(in: root(place)).first { $0.hasPrefix(start) })
  }

  /// Every file below a folder but for git's, by its path.
  static func files(in folder: String) throws -> [String] {
    guard FileManager.default.fileExists(atPath: folder) else { return [] }
    return try FileManager.default.subpathsOfDirectory(atPath: folder).filter { path in
      var isFolder: ObjCBool = false
      _ = FileManager.default.fileExists(atPath: "\(folder)/\(path)", isDirectory: &isFolder)
      return !isFolder.boolValue && !path.hasPrefix(".git/")
    }.sorted()
  }

  /// The files of a household and what they hold, with the ids that are drawn anew each time alike.
  func picture(_ place: String) throws -> [String: String] {
    var picture: [String: String] = [:]
    for path in try Self.files(in: root(place)) {
      let text = try larder.folder.read("\(place)/\(path)")
      picture[path.replacing(/-[0-9a-f]{6}\.json/, with: "-XXXXXX.json")] = larder.normalized(text)
    }
    return picture
  }
}
