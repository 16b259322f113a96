import Foundation
import LarderGit
import Testing

@Suite struct PackTests {
  let sandbox: Sandbox
  let repository: Repository

  init() throws {
    sandbox = try Sandbox()
    repository = try sandbox.create()
  }

  @Test("objects are stored although packing takes away the folders that it has emptied")
  func emptiedFolders() throws {
    let objects = sandbox.path("household/.git/objects")
    let repository = repository
    let isDone = DispatchSemaphore(value: 0)
    let hasEnded = DispatchSemaphore(value: 0)
    DispatchQueue.global().async {
      while isDone.wait(timeout: .now()) == .timedOut {
        for number in 0..<256 { rmdir(objects + String(format: "/%02x", number)) }
        usleep(1_000)
      }
      hasEnded.signal()
    }
    defer {
      isDone.signal()
      hasEnded.wait()
    }
    for number in 0..<1_000 {
      let id = try repository.writeBlob([UInt8]("file \(number)".utf8))
      try FileManager.default.removeItem(
        atPath: "\(objects)/\(id.hex.prefix(2))/\(id.hex.dropFirst(2))")
    }
  }

  @Test(
    "packing takes less than half the room, loses nothing and leaves a sound repository",
    arguments: [true, false])
  func pack(hasGit: Bool) throws {
    var files: [String: String?] = [:]
    for number in 0..<300 { files["items/\(number).json"] = "{ \"name\": \"item \(number)\" }\n" }
    var head = try repository.record(files, on: [])
    for number in 0..<20 {
      head = try repository.record(
        ["items/\(number).json": "{ \"amount\": \(number) }\n"], on: [head])
    }
    try repository.updateReference(
      "refs/heads/main", to: head, expecting: nil, reason: "test", by: Sandbox.ada)
    let orphan = try repository.writeBlob([UInt8]("nobody refers to this".utf8))
    let before = try repository.looseObjectBytes()
    #expect(before > 20_000)
    let entries = try repository.entries(of: repository.commit(head).tree)
    if !hasGit { repository.gitProgram = nil }
    try repository.pack()
    let folder = sandbox.path("household/.git/objects/pack")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    // From version 2.41 on, git keeps what nobody refers to in a pack of its own, with a list of times.
    let isCruft = { (name: String) in
      names.contains(name.replacing(".pack", with: ".mtimes"))
    }
    let packs = names.filter { $0.hasSuffix(".pack") }
    #expect(packs.filter { !isCruft($0) }.count == 1)
    #expect(packs.filter(isCruft).count <= (hasGit ? 1 : 0))
    let packed = try packs.map { name in
      try FileManager.default.attributesOfItem(atPath: "\(folder)/\(name)")[.size] as? Int ?? before
    }
    let after = try repository.looseObjectBytes() + packed.reduce(0, +)
    print("loose \(before) bytes, afterwards \(after)")
    #expect(after * 2 < before)
    #expect(try sandbox.git("fsck", "--strict", "--no-dangling") == "")
    let fresh = try Repository.open(sandbox.path("household"))
    for repository in [repository, fresh] {
      #expect(try repository.entries(of: repository.commit(head).tree) == entries)
      #expect(try repository.readBlob(orphan) == [UInt8]("nobody refers to this".utf8))
    }
    try repository.pack()
    #expect(try sandbox.git("fsck", "--strict", "--no-dangling") == "")
  }

  @Test("the estimate is right where names are spread evenly")
  func estimate() throws {
    for folder in 0..<256 {
      let name = (folder < 16 ? "0" : "") + String(folder, radix: 16)
      for file in 0..<3 {
        let rest = String(repeating: "\(file)", count: 38)
        try sandbox.write(".git/objects/\(name)/\(rest)", String(repeating: "x", count: 100))
      }
    }
    #expect(try repository.looseObjectBytes() == 256 * 3 * 4096)
    #expect(try repository.estimatedLooseObjectBytes() == 256 * 3 * 4096)
  }

  @Test("what a killed process left of an object goes after an hour", arguments: [true, false])
  func abandoned(hasGit: Bool) throws {
    if !hasGit { repository.gitProgram = nil }
    let id = try repository.writeBlob([1])
    let folders = ["household/.git/objects/\(id.hex.prefix(2))", "household/.git/objects"]
    for folder in folders {
      for (name, age) in [("tmp_object_git2_old", 3700.0), ("tmp_object_git2_new", 10)] {
        let path = sandbox.path("\(folder)/\(name)")
        try Data("half".utf8).write(to: URL(fileURLWithPath: path))
        try FileManager.default.setAttributes(
          [.modificationDate: Date(timeIntervalSinceNow: -age)], ofItemAtPath: path)
      }
    }
    try repository.pack()
    for folder in folders {
      let left = try FileManager.default.contentsOfDirectory(atPath: sandbox.path(folder))
      #expect(left.filter { $0.hasPrefix("tmp_") } == ["tmp_object_git2_new"])
    }
  }

  @Test("an empty repository has nothing to pack", arguments: [true, false])
  func nothing(hasGit: Bool) throws {
    if !hasGit { repository.gitProgram = nil }
    #expect(try repository.looseObjectBytes() == 0)
    try repository.pack()
  }

  @Test("a damaged loose object is kept, and said")
  func damaged() throws {
    let id = try repository.writeBlob([UInt8](repeating: 7, count: 1_000))
    let file = sandbox.path("household/.git/objects/\(id.hex.prefix(2))/\(id.hex.dropFirst(2))")
    chmod(file, 0o644)
    try Data("broken".utf8).write(to: URL(fileURLWithPath: file))
    repository.gitProgram = nil
    #expect(throws: GitError.self) { try repository.pack() }
    #expect(FileManager.default.fileExists(atPath: file))
  }
}
