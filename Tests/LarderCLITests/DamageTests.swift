import Foundation
import TestSupport
import Testing

@Suite("What doctor finds damaged, and mends")
struct DamageTests {
  /// The path of the one file below a folder whose name begins so.
  private func path(
    _ household: DamagedHousehold, _ folder: String, _ beginning: String = ""
  ) throws -> String {
    try #require(household.paths().first { $0.hasPrefix("\(folder)/\(beginning)") })
  }

  /// The file of a loose object that a revision names.
  private func object(_ household: DamagedHousehold, _ revision: String) throws -> String {
    let id = try Git.run("rev-parse", revision, in: household.root).dropLast()
    return ".git/objects/\(id.prefix(2))/\(id.dropFirst(2))"
  }

  @Test("a file that can't be read comes back as it was last good, and its bytes are kept")
  func file() throws {
    let household = try DamagedHousehold()
    let milk = try path(household, "stock", "milk")
    let good = try household.bytes(milk)
    let bad = Data(good.prefix(100))
    try household.damage(milk, with: bad)
    #expect(try household("stock", "show", "eggs").code == 0)
    let named = try household("doctor")
    #expect(named.code == 1)
    #expect(named.output.contains("\(milk) is broken or refused"))
    #expect(try household.bytes(milk) == bad)
    let fixed = try household("doctor", "--fix")
    #expect(fixed.code == 0)
    #expect(
      fixed.output.contains("\(milk) has its last good version again; what was there is kept in "))
    #expect(try household.bytes(milk) == good)
    let kept = try #require(fixed.output.split(separator: " ").first { $0.contains("/kept/") })
    let place = String(kept.prefix { !$0.isNewline })
    #expect(try Data(contentsOf: URL(filePath: place)) == bad)
  }

  @Test("a file that is broken in HEAD too comes back from the history before")
  func committedFile() throws {
    let household = try DamagedHousehold()
    let milk = try path(household, "stock", "milk")
    let good = try household.bytes(milk)
    try household.damage(milk, with: Data("<<<<<<< HEAD\n".utf8) + good.dropFirst(20))
    try Git.run("commit", "-qam", "broken", in: household.root)
    #expect(try household("doctor", "--fix").code == 0)
    #expect(try household.bytes(milk) == good)
    #expect(try household("adopt").code == 0)
    #expect(try household("check").code == 0)
  }

  @Test("a version that can be read but is not what its name says is found, and written again")
  func wrongVersion() throws {
    let household = try DamagedHousehold()
    let milk = try path(household, "stock", "milk")
    let file = try object(household, "HEAD:\(milk)")
    try household.damage(file, with: household.bytes(try object(household, "HEAD")))
    let id = file.split(separator: "/").suffix(2).joined()
    #expect(try household("doctor").output.contains("can't be read: \(id)"))
    #expect(try household("doctor", "--fix").code == 0)
    #expect(try Git.run("fsck", "--no-dangling", "--no-progress", in: household.root).isEmpty)
  }

  @Test(
    "a last commit whose lists of files are lost or wrong leaves what it said in the files",
    arguments: ["HEAD:stock", "HEAD^{tree}"])
  func lostLists(list: String) throws {
    let household = try DamagedHousehold()
    let before = try household("stock", "--plain").output
    let file = try object(household, list)
    let other = try object(household, list.replacing("HEAD", with: "HEAD~"))
    for bytes in [try household.bytes(other), Data()] {
      try household.damage(file, with: bytes)
      #expect(try household("doctor", "--fix").code == 0)
      #expect(try household("adopt").code == 0)
      #expect(try household("stock", "--plain").output == before)
      #expect(try household("sync").code == 0)
    }
  }

  @Test("a packed reference to a commit that nobody has goes")
  func packedReference() throws {
    let household = try DamagedHousehold()
    let packed = String(decoding: try household.bytes(".git/packed-refs"), as: UTF8.self)
    let id = try Git.run("rev-parse", "refs/larder/adopted", in: household.root).dropLast()
    let lost = String(repeating: "12345678", count: 5)
    let damaged = Data(packed.replacing(id + " refs/larder/", with: lost + " refs/larder/").utf8)
    try household.damage(".git/packed-refs", with: damaged)
    #expect(try household("doctor").output.contains(lost))
    #expect(try household("doctor", "--fix").code == 0)
    #expect(try household("doctor").code == 0)
    #expect(try household("stock", "put", "milk", "1").code == 0)
  }

  @Test("a git that is killed between the log and the branch has lost nothing")
  func logAhead() throws {
    let household = try DamagedHousehold()
    try Git.run("pack-refs", "--all", in: household.root)
    let head = try Git.run("rev-parse", "HEAD", in: household.root).dropLast()
    let commit = try Git.run(
      "commit-tree", "-p", "HEAD", "-m", "tidy", "HEAD^{tree}", in: household.root
    ).dropLast()
    for log in [".git/logs/HEAD", ".git/logs/refs/heads/main"] {
      let line = "\(head) \(commit) Anna <anna@home.example> 1795000000 +0000\tcommit: tidy\n"
      try household.damage(log, with: household.bytes(log) + Data(line.utf8))
    }
    #expect(try household("doctor").code == 0)
    #expect(try household("stock", "put", "milk", "1").code == 0)
  }

  @Test("an index that can't be read keeps commands from writing, and is written anew from HEAD")
  func index() throws {
    let household = try DamagedHousehold()
    let head = try Git.run("rev-parse", "HEAD", in: household.root)
    for bytes in [Data("DIRC".utf8), Data(), nil] {
      try household.damage(".git/index", with: bytes)
      #expect(try household("stock").code == 0)
      if bytes != nil {
        let refused = try household("stock", "put", "milk", "1")
        #expect(refused.code == 1)
        #expect(refused.errors.contains("hint: 'larder doctor'"))
      }
      #expect(try Git.run("rev-parse", "HEAD", in: household.root) == head)
      #expect(try household("doctor").output.hasPrefix("git's index can't be read"))
      #expect(try household("doctor", "--fix").code == 0)
      #expect(try Git.run("status", "--porcelain", in: household.root) == "")
    }
  }

  @Test(
    "HEAD, however damaged, is named, with the line that it has to have",
    arguments: [nil, "", "ref: refs/hxads/main\n", "ref: refs/heads/mbin\n", "\u{0}\u{0}"])
  func head(text: String?) throws {
    let household = try DamagedHousehold()
    try household.damage(".git/HEAD", with: text.map { Data($0.utf8) })
    let told = try household("stock", "put", "milk", "1")
    #expect(told.code == 1)
    #expect(told.errors.contains("'larder doctor'"))
    let named = try household("doctor", "--fix")
    #expect(named.code == 1)
    #expect(named.errors.contains("write the line 'ref: refs/heads/main'"))
    try household.larder.folder.write("ref: refs/heads/main\n", to: "home/nest/.git/HEAD")
    #expect(try household("doctor").code == 0)
    #expect(try household("stock", "put", "milk", "1").code == 0)
  }

  @Test("an empty folder of git's that is gone is named, with the command that makes it")
  func missingFolder() throws {
    let household = try DamagedHousehold()
    let folder = household.root + "/.git/refs/heads"
    try Git.run("pack-refs", "--all", in: household.root)
    try FileManager.default.removeItem(atPath: household.root + "/.git/refs")
    let named = try household("doctor", "--fix")
    #expect(named.code == 1)
    #expect(named.errors.contains("mkdir -p"))
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    #expect(try household("doctor").code == 0)
  }

  @Test(
    "a branch that lost its commit gets it again from its log",
    arguments: [nil, "", "1234\n", String(repeating: "a", count: 40) + "\n"])
  func branch(text: String?) throws {
    let household = try DamagedHousehold()
    let head = try Git.run("rev-parse", "HEAD", in: household.root)
    try household.damage(".git/refs/heads/main", with: text.map { Data($0.utf8) })
    let told = try household("stock", "put", "milk", "1")
    #expect(told.code == 1)
    #expect(told.errors.contains("larder doctor --fix"))
    let fixed = try household("doctor", "--fix")
    #expect(fixed.code == 0, "\(fixed.output)\(fixed.errors)")
    #expect(try Git.run("rev-parse", "HEAD", in: household.root) == head)
    #expect(try household("sync").code == 0)
  }

  @Test("a lost last commit, nowhere to be had, leaves what it said in the files")
  func lostCommit() throws {
    let household = try DamagedHousehold()
    let before = try household("stock", "--plain").output
    try household.damage(try object(household, "HEAD"), with: Data([0]))
    #expect(try household("stock").code == 1)
    #expect(try household("doctor", "--fix").code == 0)
    #expect(try household("stock", "--plain").output == before)
    #expect(try household("adopt").code == 0)
    #expect(try household("stock", "--plain").output == before)
    #expect(try household("sync").code == 0)
  }

  @Test("a version that is gone from the history is written again from the work tree")
  func blob() throws {
    let household = try DamagedHousehold()
    let eggs = try path(household, "stock", "eggs")
    let file = try object(household, "HEAD:\(eggs)")
    let good = try household.bytes(file)
    for bytes in [nil, Data(), Data(good.prefix(20))] {
      try household.damage(file, with: bytes)
      #expect(try household("doctor").output.hasPrefix("a version of \(eggs) can't be read"))
      #expect(try household("doctor", "--fix").code == 0)
      #expect(try Git.run("fsck", "--no-dangling", in: household.root).contains("missing") == false)
    }
  }

  @Test(
    "a pack that is damaged or gone is named, and a new copy with the files has everything",
    arguments: [true, false])
  func pack(hasRemote: Bool) throws {
    let packs = try DamagedHousehold().paths().filter { $0.contains("objects/pack/") }
    for bytes in [Data("PACK".utf8), nil] {
      for ending in [".pack", ".idx"] {
        let household = try DamagedHousehold()
        let before = try household("stock", "--plain").output
        let pack = try #require(packs.first { $0.hasSuffix(ending) })
        try household.damage(pack, with: bytes)
        #expect(try household("doctor").code == 1)
        let fixed = try household("doctor", "--fix")
        #expect(fixed.code == 1)
        #expect(fixed.output.contains("can't be read: "))
        #expect(fixed.errors.contains("a backup's .git/objects"))
        let copy = try household.copyAgain(hasRemote: hasRemote)
        #expect(try household.larder("doctor", in: copy).code == 0)
        #expect(try household.larder("stock", "--plain", in: copy).output == before)
        if hasRemote { #expect(try household.larder("sync", in: copy).code == 0) }
      }
    }
  }

  @Test("git's settings that can't be read are named with the line, and are good without it")
  func settings() throws {
    let household = try DamagedHousehold()
    let good = try String(decoding: household.bytes(".git/config"), as: UTF8.self)
    let bad = good.replacing("[core]\n", with: "[core]\n\tfile!mode = true\n")
    try household.damage(".git/config", with: Data(bad.utf8))
    let told = try household("stock")
    #expect(told.code == 1)
    #expect(told.errors.contains(".git/config, line 2"))
    let named = try household("doctor", "--fix")
    #expect(named.code == 1)
    #expect(named.errors.contains("take that line out"))
    try household.damage(".git/config", with: Data(good.utf8))
    #expect(try household("doctor").code == 0)
    #expect(try household("sync").code == 0)
  }

  @Test("an index without a checksum is named as one, and gets it with all that is staged")
  func uncheckedIndex() throws {
    let household = try DamagedHousehold()
    try household.larder.folder.write("more notes\n", to: "home/nest/README.md")
    try Git.run("add", "README.md", in: household.root)
    let path = URL(filePath: household.root + "/.git/index")
    let whole = try Data(contentsOf: path)
    let bare = whole.dropLast(20) + Data(count: 20)
    for setting in ["index.skipHash", "feature.manyFiles"] {
      try bare.write(to: path)
      let told = try household("stock", "use", "milk", "0.1")
      #expect(told.code == 1)
      #expect(told.errors.contains("git's index has no checksum"), "\(told.errors)")
      #expect(!told.errors.contains("damaged") && !told.errors.contains("can't be read"))
      #expect(try household("doctor").output.contains("has no checksum"))
      try Git.run("config", setting, "true", in: household.root)
      #expect(try household("stock", "use", "milk", "0.1").code == 0)
      #expect(try household("doctor").output == "all is well\n")
      try Git.run("config", "--unset", setting, in: household.root)
    }
    try bare.write(to: path)
    #expect(try household("doctor", "--fix").output.contains("nothing else in it is changed"))
    #expect(try Data(contentsOf: path) == whole)
    #expect(try household("stock", "use", "milk", "0.1").code == 0)
    #expect(try Git.run("status", "--porcelain", in: household.root) == "M  README.md\n")
  }

  @Test("a repository with SHA-256 ids, or git's other references, is called what it is")
  func otherFormats() throws {
    let household = try DamagedHousehold()
    let root = household.larder.folder("home/other")
    try Git.run(
      "init", "-q", "--object-format=sha256", "-b", "main", "other",
      in: household.larder.folder("home"))
    try household.larder.folder.write("x", to: "home/other/household.json")
    try Git.run("commit", "-q", "--allow-empty", "-m", "x", in: root)
    for words in [
      ["stock"], ["doctor"], ["doctor", "--fix"], ["init"], ["sync"], ["join", ".", "../copy"],
    ] {
      let told = try household.larder.run(words, in: "home/other")
      #expect(told.code == 1)
      #expect(told.errors.contains("SHA-256"), "\(words): \(told.errors)")
      #expect(told.errors.contains("nothing is damaged"), "\(words): \(told.errors)")
      #expect(!told.errors.contains("mends what can be"), "\(words): \(told.errors)")
    }
    try Git.run("remote", "set-url", "origin", root, in: household.root)
    let sync = try household("sync")
    #expect(sync.errors.contains("SHA-256"), "\(sync.errors)")
    try Git.run("remote", "set-url", "origin", "../hub.git", in: household.root)
    try Git.run("config", "core.repositoryFormatVersion", "1", in: household.root)
    try Git.run("config", "extensions.refStorage", "reftable", in: household.root)
    let told = try household("stock")
    #expect(told.errors.contains("refstorage"), "\(told.errors)")
    #expect(!told.errors.contains("mends what can be"), "\(told.errors)")
  }

  @Test("a remote that git's settings forgot is named")
  func lostRemote() throws {
    let household = try DamagedHousehold()
    try household.damage(".git/config", with: Data())
    let fixed = try household("doctor", "--fix")
    #expect(fixed.code == 1)
    #expect(fixed.output.contains("no remote origin any more"))
  }

  @Test("what a killed larder left, damaged, is dropped; the change itself is whole or not there")
  func journal() throws {
    let household = try DamagedHousehold()
    for text in [
      "", "record 9", "\u{0}", "{}\n", "record 2 0\n{}end 0\n", "record 2 99\n{}\n", "end 0\n",
    ] {
      try household.larder.folder.write(text, to: "home/nest/.git/larder/journal")
      #expect(try household("stock").code == 0)
      #expect(try household("doctor").output == "all is well\n")
    }
  }

  @Test("a stale lock of git's is named with how to tell, and never removed")
  func staleLock() throws {
    let household = try DamagedHousehold()
    try household.larder.folder.write("", to: "home/nest/.git/index.lock")
    let told = try household("stock", "put", "milk", "1")
    #expect(told.code == 7)
    #expect(told.errors.contains("'ps -e | grep git'"))
    #expect(try household("doctor", "--fix").output.contains("index is locked"))
    #expect(try household.paths().contains(".git/index.lock"))
    #expect(try household("stock").code == 0)
  }
}
