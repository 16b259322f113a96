import Foundation
import TestSupport

/// A household called Nest in the folder `home` of a runner, with files that people wrote.
struct HouseholdFixture {
  let larder: CommandRunner

  init(_ files: [String: String] = [:], now: String = "2026-11-21T12:00:00Z") throws {
    larder = try CommandRunner.calling(now: now)
    try FileManager.default.copyItem(
      atPath: Self.template.folder("home/nest"), toPath: larder.folder("home/nest"))
    for (path, text) in files { try write(text, to: path) }
  }

  /// Made once: starting a household anew for every test would only cost time.
  private static let template: CommandRunner = {
    do {
      let larder = try CommandRunner()
      _ = try larder(
        "init", "nest", "--name", "Nest", "--time-zone", "Europe/London", "--currency", "GBP",
        in: "home")
      return larder
    } catch {
      fatalError("no household to test with: \(error)")
    }
  }()

  var root: String { larder.folder("home/nest") }

  func callAsFunction(_ words: String...) throws -> CommandRunner.Outcome {
    try larder.run(words, in: "home/nest")
  }

  func run(_ words: [String]) throws -> CommandRunner.Outcome {
    try larder.run(words, in: "home/nest")
  }

  func write(_ text: String, to path: String) throws {
    try larder.folder.write(text, to: "home/nest/\(path)")
  }

  func read(_ path: String) throws -> String { try larder.folder.read("home/nest/\(path)") }

  func remove(_ path: String) throws {
    try FileManager.default.removeItem(atPath: "\(root)/\(path)")
  }

  @discardableResult
  func git(_ words: String...) throws -> String { try Git.run(words, in: root) }

  /// A bare repository beside the household, which is its remote `origin` then.
  func addOrigin() throws {
    try Git.run("init", "--quiet", "--bare", "-b", "main", "origin.git", in: larder.folder("home"))
    try Git.run("remote", "add", "origin", "../origin.git", in: root)
  }

  /// Another device's copy of the household, synced through `origin`.
  func join(_ name: String) throws {
    _ = try larder("join", "origin.git", name, in: "home")
  }
}

/// Files as they are written in tests.
enum Written {
  static func id(_ number: Int) -> String {
    "0192f0c4-0000-7000-8000-" + String(repeating: "0", count: 12 - String(number).count)
      + String(number)
  }

  static func item(_ number: Int, _ name: String, _ more: String = "") -> String {
    """
    {
      "id": "\(id(number))",
      "name": "\(name)"\(more.isEmpty ? "" : ",\n  " + more)
    }

    """
  }

  static func change(_ number: Int, _ at: String, _ what: String) -> String {
    "{ \"id\": \"\(id(number))\", \"at\": \"\(at)\", \(what) }"
  }
}
