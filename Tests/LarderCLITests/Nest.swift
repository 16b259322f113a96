import Foundation
import TestSupport
import Testing

@testable import LarderCLI

/// A new household in a folder of its own, and the program run in it.
struct Nest {
  var larder: CommandRunner

  init(zone: String = "Europe/Berlin") throws {
    larder = try CommandRunner()
    let made = try larder(
      "init", "nest", "--name", "Nest", "--time-zone", zone, "--currency", "EUR")
    try #require(made.code == 0, "\(made.errors)")
  }

  /// Runs a line as it is typed behind `larder`.
  @discardableResult
  func callAsFunction(_ line: String, input: String = "") throws -> CommandRunner.Outcome {
    try larder.run(shellWords(line), in: "nest", input: input)
  }

  /// Runs lines that have to succeed.
  func prepare(_ lines: String...) throws {
    for line in lines {
      let outcome = try self(line)
      try #require(outcome.code == 0, "larder \(line): \(outcome.errors)")
    }
  }

  /// What a session of several lines looks like, with ids made alike.
  func session(_ lines: [String]) throws -> String {
    var text = ""
    for line in lines {
      let outcome = try self(line)
      text += "$ larder \(line)\n\(outcome.output)\(outcome.errors)"
      if outcome.code != 0 { text += "[exit \(outcome.code)]\n" }
      text += "\n"
    }
    return normalized(text)
  }

  /// A text with ids, and the ends of ids in file names, made alike.
  func normalized(_ text: String) -> String {
    larder.normalized(text).replacing(/-[0-9a-f]{6}\.json/, with: "-XXXXXX.json")
  }

  func read(_ path: String) throws -> String { try larder.folder.read("nest/\(path)") }

  func write(_ text: String, to path: String) throws {
    try larder.folder.write(text, to: "nest/\(path)")
  }

  /// The path of the one file below a folder that has a name.
  func path(_ folder: String, _ name: String) throws -> String {
    let files = try FileManager.default.contentsOfDirectory(
      atPath: larder.folder("nest/\(folder)"))
    return "\(folder)/" + (try #require(files.first { $0.hasPrefix(name) }))
  }

  /// The subjects of all commits, the newest first.
  func subjects() throws -> [String] {
    try Git.run("log", "--format=%s", in: larder.folder("nest"))
      .split(separator: "\n").map(String.init)
  }

  /// Whether nothing in the work tree differs from HEAD.
  func isClean() throws -> Bool {
    try Git.run("status", "--porcelain", in: larder.folder("nest")).isEmpty
  }
}

extension CommandRunner.Outcome {
  /// The array under a key of the JSON on standard output.
  func array(_ key: String) throws -> [[String: Any]] {
    try #require(try json()[key] as? [[String: Any]], "\(output)")
  }

  /// The kind of the error in the JSON on standard output.
  func errorKind() throws -> String? {
    (try json()["error"] as? [String: Any])?["kind"] as? String
  }

  /// The records of plain output.
  var records: [[String]] {
    output.split(separator: "\n").map { line in
      line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    }
  }
}
