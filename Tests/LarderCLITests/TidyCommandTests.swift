import Foundation
import LarderGit
import TestSupport
import Testing

@Suite("The history is packed behind a command")
struct TidyCommandTests {
  private func objects(_ folder: String) throws -> Set<Substring> {
    let list = try Git.run("cat-file", "--batch-all-objects", "--batch-check", in: folder)
    return Set(list.split(separator: "\n"))
  }

  /// A file by which a look at one folder of objects in sixteen sees more than 16 MiB.
  private func addBulk(to nest: Nest) throws {
    let folder = nest.larder.folder("nest")
    var generator = SystemRandomNumberGenerator()
    var bytes = (0..<140_000).flatMap { _ in
      withUnsafeBytes(of: generator.next(), Array.init)
    }
    while Repository.blobID(of: bytes).hex.dropFirst().first != "7" { bytes[0] &+= 1 }
    try Data(bytes).write(to: URL(filePath: folder + "/photo.raw"))
    try Git.run("add", "photo.raw", in: folder)
    try Git.run("commit", "-q", "-m", "a photo", in: folder)
  }

  private func packs(_ folder: String) throws -> [String] {
    let path = folder + "/.git/objects/pack"
    return try FileManager.default.contentsOfDirectory(atPath: path)
      .filter { $0.hasSuffix(".idx") }
  }

  @Test("a command that commits past the limit starts it, says so, and does not wait")
  func starts() throws {
    let nest = try Nest()
    let folder = nest.larder.folder("nest")
    #expect(try !nest("stock new Milk --in-stock 3").errors.contains("packing"))
    try addBulk(to: nest)
    let before = try objects(folder)
    #expect(try !nest("status").errors.contains("packing"))
    #expect(try packs(folder).isEmpty)
    let outcome = try nest("stock use Milk 1")
    #expect(outcome.code == 0)
    #expect(outcome.errors.contains("packing the history in the background"))
    let end = Date().addingTimeInterval(60)
    while try packs(folder).isEmpty || nest.exists(".git/larder/tidying"), Date() < end {
      Thread.sleep(forTimeInterval: 0.05)
    }
    #expect(try !packs(folder).isEmpty)
    #expect(try objects(folder).isSuperset(of: before))
    #expect(try nest("stock use Milk 1").errors == "")
    #expect(try Git.run("fsck", "--strict", "--no-dangling", in: folder) == "")
  }

  @Test("killed at any moment it loses nothing", arguments: [true, false])
  func killed(hasGit: Bool) throws {
    var nest = try Nest()
    let folder = nest.larder.folder("nest")
    try nest.prepare("stock new Milk --in-stock 90")
    if !hasGit { nest.larder.variables["PATH"] = "/nonexistent" }
    for round in 0..<6 {
      try nest.prepare("stock use Milk 1", "stock put Milk 2")
      let before = try objects(folder)
      let process = Process()
      process.executableURL = CommandRunner.program
      process.arguments = ["-C", folder, "tidy"]
      process.environment = [
        "PATH": nest.larder.variables["PATH"] ?? ProcessInfo.processInfo.environment["PATH"] ?? "",
        "HOME": nest.larder.folder("home"), "GIT_CONFIG_NOSYSTEM": "1",
      ]
      process.standardError = FileHandle.nullDevice
      try process.run()
      Thread.sleep(forTimeInterval: 0.004 * Double(round * round))
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
      #expect(try objects(folder).isSuperset(of: before))
    }
    let after = try objects(folder)
    // Git may still be at it without the process that started it.
    try retry { try nest("tidy").code == 0 }
    #expect(try objects(folder).isSuperset(of: after))
    #expect(try Git.run("fsck", "--strict", "--no-dangling", in: folder) == "")
    #expect(try nest("stock show Milk --json").json()["error"] == nil)
  }

  private func retry(_ body: () throws -> Bool) throws {
    for _ in 0..<100 {
      if try body() { return }
      Thread.sleep(forTimeInterval: 0.1)
    }
    Issue.record("it never worked")
  }
}

extension Nest {
  fileprivate func exists(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: larder.folder("nest/" + path))
  }
}
