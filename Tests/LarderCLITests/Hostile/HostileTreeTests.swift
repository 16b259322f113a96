import TestSupport
import Testing

@Suite("Trees that no household may have")
struct HostileTreeTests {
  @Test(
    "are not followed: nothing of them is written, the commit is named, and work goes on",
    arguments: [false, true])
  func notFollowed(_ hasOwn: Bool) throws {
    let siege = try Siege()
    let pair = siege.pair
    let good = try siege.head()
    let before = try siege.surroundings(of: "phone")
    if hasOwn { try pair.prepare("phone", "stock use milk 0.5") }
    for hostile in HostileTree.all {
      let commit = try siege.push(siege.commit(hostile, on: good))
      let head = try pair.git("phone", "rev-parse", "HEAD")
      let outcome = try pair("phone", "sync")
      #expect(outcome.code == 8, "\(hostile.name): \(outcome.errors)")
      #expect(outcome.errors.contains(hostile.says), "\(hostile.name): \(outcome.errors)")
      #expect(outcome.errors.contains("\(commit.prefix(7)) by Mallory <mallory@example.org>"))
      #expect(outcome.errors.contains("hint: 'larder doctor --fix' takes it without these"))
      #expect(try pair.git("phone", "rev-parse", "HEAD") == head, "\(hostile.name)")
      #expect(try pair.git("phone", "status", "--porcelain") == "", "\(hostile.name)")
      #expect(try siege.surroundings(of: "phone") == before, "\(hostile.name)")
    }
    #expect(try pair("phone", "sync --dry-run").code == 8, "nor does a dry run say it would come")
    try pair.prepare("phone", "stock use milk 1", "undo", "status", "check")
    #expect(try pair.total("Tea", on: "phone") == 2)
  }

  @Test("are not joined, and leave no folder")
  func notCloned() throws {
    let siege = try Siege()
    let good = try siege.head()
    let before = try siege.surroundings(of: "phone")
    for hostile in HostileTree.all {
      try siege.push(siege.commit(hostile, on: good))
      let outcome = try siege.pair.larder("join", "hub.git", "tablet")
      #expect(outcome.code == 8, "\(hostile.name): \(outcome.errors)")
      #expect(outcome.errors.contains(hostile.says), "\(hostile.name): \(outcome.errors)")
      #expect(try siege.surroundings(of: "phone") == before, "\(hostile.name)")
    }
  }

  @Test(
    "are taken without what is wrong in them by doctor, once for everybody, and nothing else is lost"
  )
  func taken() throws {
    let siege = try Siege()
    let pair = siege.pair
    for hostile in HostileTree.kinds {
      try pair.prepare("phone", "stock use milk 0.01")
      let commit = try siege.push(siege.commit(hostile, on: siege.head()))
      #expect(try pair("phone", "sync").code == 8)
      let told = try pair("phone", "doctor")
      #expect(told.code == 1)
      #expect(
        told.output.contains(commit.prefix(7)) && told.output.contains(hostile.says),
        "\(hostile.name): \(told.output)")
      try pair.prepare("phone", "doctor --fix", "doctor", "sync")
      try pair.prepare("laptop", "stock use milk 0.01", "sync", "doctor")
      #expect(try pair.larder.folder.read("laptop/note.txt") == "for \(hostile.name)\n")
      let modes = try pair.git("laptop", "ls-tree", "-r", "HEAD").split(separator: "\n")
      #expect(modes.allSatisfy { $0.hasPrefix("100644 ") }, "\(hostile.name)")
    }
    try pair.settle()
    for device in ["laptop", "phone"] {
      let uses = 2 * HostileTree.kinds.count
      #expect(try pair.item("Milk", on: device)["total"] as? Double == Double(400 - uses) / 100)
      #expect(try pair.total("Tea", on: device) == 2)
    }
  }

  @Test("let later commits without them be followed by themselves")
  func laterGood() throws {
    let siege = try Siege()
    let pair = siege.pair
    for hostile in HostileTree.kinds {
      let good = try siege.head()
      let bad = try siege.commit(hostile, on: good)
      let note = try siege.trees.blob("after \(hostile.name)\n")
      let tree = try siege.trees.tree(
        "\(good)^{tree}", adding: .init(mode: "100644", name: "note.txt", id: note))
      try siege.push(siege.trees.commit(tree, on: bad))
      try pair.prepare("phone", "stock use tea 0.01", "sync")
      #expect(try pair.larder.folder.read("phone/note.txt") == "after \(hostile.name)\n")
    }
    try pair.settle()
    for device in ["laptop", "phone"] {
      try pair.prepare(device, "doctor")
      #expect(try pair.total("Milk", on: device) == 4)
      try pair.prepare(device, "log --limit 0", "conflicts")
    }
  }

  @Test("that a branch is moved to with plain git stop no command, and are not sent on")
  func checkedOut() throws {
    let siege = try Siege()
    let pair = siege.pair
    let before = try siege.surroundings(of: "phone")
    for hostile in HostileTree.kinds where !hostile.isEndless {
      let good = try siege.head()
      let bad = try siege.trees.commit(hostile.make(siege.trees, "\(good)^{tree}"), on: good)
      try pair.git("phone", "fetch", "--quiet", siege.trees.root, bad)
      // Git itself would refuse to write some of these into the work tree.
      try pair.git("phone", "update-ref", "refs/heads/main", bad)
      for line in ["stock", "status", "log --limit 3", "check", "diff"] {
        let outcome = try pair("phone", line)
        #expect(
          outcome.code == 0 || line == "check" && outcome.code == 1,
          "\(hostile.name): \(line): \(outcome.errors)")
      }
      try pair.prepare("phone", "stock use tea 1", "undo")
      let sync = try pair("phone", "sync")
      if sync.code != 0 {
        #expect(sync.code == 8, "\(hostile.name): \(sync.errors)")
        #expect(try pair("phone", "doctor").code == 1, "\(hostile.name)")
        try pair.prepare("phone", "doctor --fix", "sync")
      }
      let well = try pair("phone", "doctor")
      #expect(well.code == 0, "\(hostile.name): \(well.output)\(well.errors)")
      #expect(try siege.surroundings(of: "phone") == before)
      #expect(try pair.git("phone", "status", "--porcelain") == "", "\(hostile.name)")
    }
    try pair.settle()
    #expect(try pair.total("Tea") == 2)
    #expect(try pair.total("Milk") == 4)
  }
}
