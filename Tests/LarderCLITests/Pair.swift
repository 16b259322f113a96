import Foundation
import LarderModel
import TestSupport
import Testing

@testable import LarderCLI

/// Two devices with one household and a bare repository between them; every command comes a minute
/// after the one before.
final class Pair {
  private(set) var larder: CommandRunner

  /// Runs lines on the laptop before the phone joins.
  init(_ lines: String...) throws {
    larder = try CommandRunner.calling()
    let made = try larder("init", "laptop", "--name", "Nest", "--time-zone", "UTC")
    try #require(made.code == 0, "\(made.errors)")
    try Git.run("init", "--quiet", "--bare", "-b", "main", "hub.git", in: larder.folder.path)
    try Git.run("remote", "add", "origin", "../hub.git", in: root("laptop"))
    for line in lines { try prepare("laptop", line) }
    try prepare("laptop", "sync")
    try #require(try larder("join", "hub.git", "phone").code == 0)
  }

  func root(_ device: String) -> String { larder.folder(device) }

  /// Runs a line as it is typed behind `larder` on a device.
  @discardableResult
  func callAsFunction(_ device: String, _ line: String, input: String = "") throws
    -> CommandRunner.Outcome
  {
    let now = try #require(Instant(larder.now))
    larder.now = now.adding(milliseconds: 60_000).description
    larder.device = device
    return try larder.run(shellWords(line), in: device, input: input)
  }

  /// Runs lines that have to succeed.
  func prepare(_ device: String, _ lines: String...) throws {
    for line in lines {
      let outcome = try self(device, line)
      try #require(outcome.code == 0, "\(device): larder \(line): \(outcome.errors)")
    }
  }

  /// What a line that has to succeed prints.
  func output(_ device: String, _ line: String) throws -> String {
    let outcome = try self(device, line)
    try #require(outcome.code == 0, "\(device): larder \(line): \(outcome.errors)")
    return outcome.output
  }

  /// The ids of the values that lost, as a device lists them.
  func conflicts(_ device: String) throws -> [String] {
    try self(device, "conflicts --limit 0 --plain").records.map { $0[0] }
  }

  /// Syncs both devices until they are alike, and checks that they are.
  func settle(finding count: Int = 0, _ location: SourceLocation = #_sourceLocation) throws {
    for device in ["laptop", "phone", "laptop"] { try prepare(device, "sync") }
    let heads = try ["laptop", "phone"].map { try git($0, "rev-parse", "HEAD") }
    #expect(heads[0] == heads[1], sourceLocation: location)
    for device in ["laptop", "phone"] {
      #expect(try git(device, "status", "--porcelain") == "", sourceLocation: location)
      let found = try self(device, "check --json").array("problems")
      #expect(found.count == count, sourceLocation: location)
      #expect(try self(device, "fmt --check").code == 0, sourceLocation: location)
    }
  }

  @discardableResult
  func git(_ device: String, _ words: String...) throws -> String {
    try Git.run(words, in: root(device), at: larder.now)
  }

  /// The only item of that name, as the device's JSON has it.
  func item(_ name: String, on device: String = "laptop") throws -> [String: Any] {
    let items = try self(device, "stock --all --json").array("items")
    let found = items.filter { $0["name"] as? String == name }
    try #require(found.count == 1, "\(items.map { $0["name"] ?? "" })")
    return found[0]
  }

  /// What there is of an item.
  func total(_ name: String, on device: String = "laptop") throws -> Int? {
    try item(name, on: device)["total"] as? Int
  }

  /// The open entries of the shopping list and those in the basket, which have a `+` in front.
  func list(on device: String = "laptop") throws -> [String] {
    try self(device, "shop --json").array("items").map { entry in
      let name = entry["name"] as? String ?? "?"
      return (entry["isCompleted"] as? Bool ?? false) ? "+\(name)" : name
    }.sorted()
  }

  /// The path of the only file of a folder whose name begins so.
  func file(_ device: String, _ beginning: String) throws -> String {
    let folder = (beginning as NSString).deletingLastPathComponent
    let name = (beginning as NSString).lastPathComponent
    let files = try FileManager.default.contentsOfDirectory(atPath: "\(root(device))/\(folder)")
    return "\(root(device))/\(folder)/" + (try #require(files.first { $0.hasPrefix(name) }))
  }

  /// Replaces text in the only file of a folder whose name begins so.
  func edit(_ device: String, _ folder: String, _ name: String, _ old: String, _ new: String) throws
  {
    let file = try self.file(device, "\(folder)/\(name)")
    let path = String(file.dropFirst(larder.folder.path.count + 1))
    let text = try larder.folder.read(path)
    #expect(text.contains(old))
    try larder.folder.write(text.replacing(old, with: new), to: path)
    let now = try #require(Instant(larder.now))
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: Double(now.milliseconds) / 1000)],
      ofItemAtPath: larder.folder(path))
  }
}
