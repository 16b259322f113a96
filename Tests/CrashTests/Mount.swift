import Foundation
import TestSupport

/// File systems that are mounted for a script alone, and are gone with it.
enum Mount {
  static let isPossible: Bool = {
    #if !canImport(Darwin)
      guard let folder = try? Folder() else { return false }
      let outcome = try? run("mount -t tmpfs -o size=1m tmpfs .", folder.path, [:])
      return outcome?.code == 0
    #else
      return false
    #endif
  }()

  /// Runs a script in the folder of a world, where `larder` is the program that was built.
  static func run(_ script: String, in world: World, asRoot: Bool = false) throws
    -> CommandRunner.Outcome
  {
    let root = world.larder.folder.path
    return try run(
      "larder() { '\(CommandRunner.program.path())' \"$@\"; }\n" + script, root,
      [
        "HOME": world.root("home"), "GIT_CONFIG_NOSYSTEM": "1", "GIT_CEILING_DIRECTORIES": root,
        "LARDER_NOW": world.larder.now, "LARDER_DEVICE": "laptop", "LC_ALL": "C.UTF-8",
      ], asRoot: asRoot)
  }

  fileprivate static func run(
    _ script: String, _ folder: String, _ variables: [String: String], asRoot: Bool = false
  ) throws -> CommandRunner.Outcome {
    let drafts = try Folder()
    for name in ["out", "err"] { try drafts.write("", to: name) }
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments =
      ["unshare"] + (asRoot ? [] : ["--map-root-user"]) + ["--mount", "sh", "-c", script]
    process.environment = variables.merging(
      ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"]) { $1 }
    process.currentDirectoryURL = URL(filePath: folder)
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = try FileHandle(forWritingTo: URL(filePath: drafts("out")))
    process.standardError = try FileHandle(forWritingTo: URL(filePath: drafts("err")))
    try process.run()
    process.waitUntilExit()
    return CommandRunner.Outcome(
      code: process.terminationStatus, output: try drafts.read("out"),
      errors: try drafts.read("err"))
  }
}

/// A file system in a file, as on a stick.
enum Stick {
  static let isPossible: Bool = {
    guard let folder = try? Folder() else { return false }
    let script = "truncate -s 64m s && mkfs.ext4 -q s && mkdir d && mount -o loop s d"
    let outcome = try? Mount.run(script, folder.path, [:], asRoot: true)
    return outcome?.code == 0
  }()

  static func run(_ script: String, in world: World) throws -> CommandRunner.Outcome {
    try Mount.run("set -e\n" + script, in: world, asRoot: true)
  }
}
