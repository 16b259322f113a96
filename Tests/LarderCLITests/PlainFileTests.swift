import Foundation
import TestSupport
import Testing

/// Files that are no entities, which one device edits while another one's version of them comes.
@Suite("Plain files that nobody committed")
struct PlainFileTests {
  /// What others commit and what is done here, as shell scripts, and what becomes of it.
  struct Shape: Sendable, CustomStringConvertible {
    let description: String
    let theirs: String
    let ours: String
    /// The file or folder that is named if the sync is refused; nil if it is not.
    var named: String?
    /// Paths with their text afterwards; nil for no file.
    var after: [String: String?] = [:]
    var status = ""
  }

  static let shapes: [Shape] = [
    Shape(
      description: "an edit of a tracked file", theirs: "echo two >f", ours: "echo mine >>f",
      named: "f", after: ["f": "one\nmine\n"], status: " M f"),
    Shape(
      description: "a staged edit", theirs: "echo two >f", ours: "echo mine >>f; git add f",
      named: "f", after: ["f": "one\nmine\n"], status: "M  f"),
    Shape(
      description: "a staged edit that the file has no more", theirs: "echo two >f",
      ours: "echo mine >f; git add f; echo one >f", named: "f", status: "MM f"),
    Shape(
      description: "an edit of a file that is gone there", theirs: "git rm -q f",
      ours: "echo mine >f", named: "f", after: ["f": "mine\n"], status: " M f"),
    Shape(
      description: "a file that is a program now", theirs: "echo two >f", ours: "chmod +x f",
      named: "f", status: " M f"),
    Shape(
      description: "an edit of a file that became a program", theirs: "chmod +x f",
      ours: "echo mine >f", named: "f", status: " M f"),
    Shape(
      description: "a file that is a link now", theirs: "echo two >f", ours: "rm f; ln -s d f",
      named: "f", status: " T f"),
    Shape(
      description: "a staged removal", theirs: "echo two >f", ours: "git rm -q f", named: "f",
      after: ["f": nil], status: "D  f"),
    Shape(
      description: "a file that git shall forget", theirs: "echo two >f",
      ours: "git rm -q --cached f", named: "f", after: ["f": "one\n"], status: "D  f\n?? f"),
    Shape(
      description: "an untracked file", theirs: "echo theirs >'a b'", ours: "echo mine >'a b'",
      named: "a b", after: ["a b": "mine\n"], status: "?? \"a b\""),
    Shape(
      description: "a file of which git knows only that it comes", theirs: "echo theirs >n",
      ours: "echo mine >n; git add -N n", named: "n", status: " A n"),
    Shape(
      description: "an untracked file in a folder", theirs: "mkdir -p n/m; echo theirs >n/m/x",
      ours: "mkdir -p n/m; echo mine >n/m/x", named: "n/m/x", status: "?? n/"),
    Shape(
      description: "an untracked folder in a file's place", theirs: "echo theirs >n",
      ours: "mkdir n; echo mine >n/x", named: "n/x", after: ["n/x": "mine\n"], status: "?? n/"),
    Shape(
      description: "an untracked file in a folder's place", theirs: "mkdir n; echo theirs >n/x",
      ours: "echo mine >n", named: "n", after: ["n": "mine\n"], status: "?? n"),
    Shape(
      description: "an untracked file in a folder that becomes a file",
      theirs: "git rm -rq d; echo theirs >d", ours: "echo mine >d/z", named: "d/z",
      status: "?? d/z"),
    Shape(
      description: "a link in a folder's place", theirs: "mkdir n; echo theirs >n/x",
      ours: "mkdir ../out; ln -s ../out n", named: "n", status: "?? n"),
    Shape(
      description: "an edit that git was told not to see", theirs: "echo two >f",
      ours: "git update-index --assume-unchanged f; echo mine >f", named: "f",
      after: ["f": "mine\n"]),
    Shape(
      description: "a file that is only gone", theirs: "echo two >f", ours: "rm f",
      after: ["f": "two\n"]),
    Shape(
      description: "the same edit", theirs: "echo two >f", ours: "echo two >f",
      after: ["f": "two\n"]),
    Shape(
      description: "the same untracked file", theirs: "echo theirs >n", ours: "echo theirs >n",
      after: ["n": "theirs\n"]),
    Shape(
      description: "an empty folder in a file's place", theirs: "echo theirs >n",
      ours: "mkdir -p n/m", after: ["n": "theirs\n"]),
    Shape(
      description: "a file that git shall forget and is gone there", theirs: "git rm -q f",
      ours: "git rm -q --cached f", after: ["f": "one\n"], status: "?? f"),
    Shape(
      description: "an ignored file", theirs: "echo theirs >ig; git add -f ig",
      ours: "echo mine >ig", after: ["ig": "theirs\n", ".git/larder/kept/ig.HASH": "mine\n"]),
    Shape(
      description: "an ignored file in a folder's place",
      theirs: "mkdir ig; echo theirs >ig/x; git add -f ig/x", ours: "echo mine >ig",
      after: ["ig/x": "theirs\n", ".git/larder/kept/ig.HASH": "mine\n"]),
    Shape(
      description: "another file's edit", theirs: "echo two >f", ours: "echo mine >d/x",
      after: ["f": "two\n", "d/x": "mine\n"], status: " M d/x"),
    Shape(
      description: "another file's staged edit", theirs: "echo two >f",
      ours: "echo mine >d/x; git add d/x", after: ["f": "two\n"], status: "M  d/x"),
    Shape(
      description: "ends of lines that git takes for the same", theirs: "echo two >f",
      ours: "git config core.autocrlf true; printf 'one\\r\\n' >f", after: ["f": "two\n"]),
    Shape(
      description: "a file that a sparse checkout leaves out", theirs: "echo two >f",
      ours: "git update-index --skip-worktree f; rm f", after: ["f": nil]),
    Shape(
      description: "a file that became a program", theirs: "chmod +x f",
      ours: "test ! -x f", after: ["f": "one\n"]),
  ]

  private func pair() throws -> Pair {
    let pair = try Pair("stock new Milk 5")
    try shell(
      "echo one >f; mkdir d; echo x >d/x; echo ig >.gitignore; git add .; git commit -qm plain",
      pair, "laptop")
    try pair.settle()
    return pair
  }

  private func shell(_ script: String, _ pair: Pair, _ device: String) throws {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-ec", script]
    process.currentDirectoryURL = URL(filePath: pair.root(device))
    process.environment = Git.environment
    try process.run()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0, "\(script)")
  }

  private func text(_ path: String, _ pair: Pair) throws -> String? {
    let root = pair.root("phone")
    var path = path
    if path.hasSuffix(".HASH") {
      let folder = root + "/.git/larder/kept"
      let stem = path.split(separator: "/").last?.dropLast(4) ?? ""
      let name = try FileManager.default.contentsOfDirectory(atPath: folder).first {
        $0.hasPrefix(stem)
      }
      path = ".git/larder/kept/" + (try #require(name))
    }
    return try? String(contentsOfFile: root + "/" + path, encoding: .utf8)
  }

  private func status(_ pair: Pair) throws -> String {
    try pair.git("phone", "status", "--porcelain").split(separator: "\n").joined(separator: "\n")
  }

  @Test(
    "stop a join before anything is joined, where they stop git's, and are named",
    arguments: shapes, [false, true])
  func shape(_ shape: Shape, isForward: Bool) throws {
    let pair = try pair()
    try shell(shape.theirs + "; git add -A; git commit -qm theirs", pair, "laptop")
    try pair.prepare("laptop", "use milk 1", "sync")
    try shell(shape.ours, pair, "phone")
    if !isForward { try pair.prepare("phone", "use milk 1") }
    // An edited entity is adopted, whatever becomes of the plain file.
    try pair.edit("phone", "stock", "milk", "\"Milk\"", "\"Oats\"")
    let sync = try pair("phone", "sync")
    if let named = shape.named {
      #expect(sync.code == 1)
      #expect(sync.errors.contains("error: \(named) "), "\(sync.errors)")
      #expect(sync.errors.contains("hint: "))
      #expect(!sync.errors.contains("in sync"))
      #expect(try pair.total("Oats", on: "phone") == (isForward ? 5 : 4))
      #expect(try pair("phone", "sync --dry-run").code == 1)
      #expect(try pair.git("phone", "ls-files", "-u") == "")
    } else {
      #expect(sync.code == 0, "\(sync.errors)")
      #expect(try pair.total("Oats", on: "phone") == (isForward ? 4 : 3))
    }
    for (path, expected) in shape.after { #expect(try text(path, pair) == expected, "\(path)") }
    #expect(try status(pair) == shape.status)
  }

  @Test("are joined with what came, when a hint is followed", arguments: ["add", "stash"])
  func hints(_ way: String) throws {
    let pair = try pair()
    try shell("echo theirs >'a b'; echo two >f; git add -A; git commit -qm x", pair, "laptop")
    try pair.prepare("laptop", "sync")
    try shell(
      "echo mine >'a b'; echo mine >>f; git config user.name Ada; git config user.email a@example.org",
      pair, "phone")
    let told = try pair("phone", "sync").errors
    #expect(told.contains("2 files here are in no commit as they are"), "\(told)")
    let lines = told.matches(of: /'larder (git -- [^']*)'/).map { String($0.output.1) }
      .filter { $0.contains("stash") == (way == "stash") }
    #expect(lines.count == 2, "\(told)")
    for (index, line) in lines.enumerated() {
      if way == "stash", index == 1 { try pair.prepare("phone", "sync") }
      let outcome = try pair("phone", line)
      if way == "add" { #expect(outcome.code == 0, "\(line): \(outcome.errors)") }
    }
    if way == "add" {
      try pair.prepare("phone", "sync")
      let names = try pair.git("phone", "ls-files").split(separator: "\n").map(String.init)
      let texts = try names.filter { $0.contains("a b") || $0.hasPrefix("f") }
        .map { try text($0.trimmingCharacters(in: ["\""]), pair) ?? "" }.joined()
      for line in ["theirs", "mine", "two"] { #expect(texts.contains(line), "\(texts)") }
      // Each of the two second versions is told.
      try pair.settle(finding: 2)
    } else {
      // Where both changed the same, plain git keeps the stash.
      #expect(try text("f", pair)?.contains("two") == true)
      #expect(
        try pair.git("phone", "stash", "list") != "" || text("f", pair)?.contains("mine") == true)
    }
  }

  @Test("another remote and the household's own commits go on", arguments: [false, true])
  func all(isSpareFirst: Bool) throws {
    let pair = try pair()
    let spare = isSpareFirst ? "a-spare" : "spare"
    try Git.run("init", "--quiet", "--bare", "-b", "main", "spare.git", in: pair.larder.folder.path)
    try pair.git("phone", "remote", "add", spare, "../spare.git")
    try shell("echo two >f; git commit -qam two", pair, "laptop")
    try pair.prepare("laptop", "sync")
    try shell("echo mine >f", pair, "phone")
    try pair.prepare("phone", "use milk 1")
    let sync = try pair("phone", "sync --all")
    #expect(sync.code == 1)
    #expect(sync.errors.contains("f has changes that are not committed"), "\(sync.errors)")
    #expect(
      try Git.run("rev-parse", "main", in: pair.larder.folder("spare.git"))
        == pair.git("phone", "rev-parse", "HEAD"))
  }

  @Test("an odd reference of a partner's stops nobody's sending, and following its hint ends it")
  func oddReference() throws {
    let pair = try pair()
    let odd = "refs/heads/refs/heads/main"
    try pair.git("laptop", "push", "-q", "origin", "main:\(odd)")
    for device in ["laptop", "phone"] {
      try pair.prepare(device, "use milk 1")
      let sync = try pair(device, "sync")
      #expect(sync.code == 0, "\(sync.errors)")
      #expect(sync.errors.contains("warning: origin has \(odd) as well"), "\(sync.errors)")
      if device == "phone" {
        let hint = try #require(sync.errors.firstMatch(of: /'larder (git -- push[^']*)'/))
        try pair.prepare(device, String(hint.output.1))
      }
    }
    try pair.prepare("laptop", "use milk 1")
    #expect(try !pair("laptop", "sync").errors.contains("warning"))
    try pair.settle()
    let hub = pair.larder.folder("hub.git")
    #expect(try !Git.run("for-each-ref", in: hub).contains(odd))
  }

  @Test("on both sides lose no line, and git's status stays true, whatever is done")
  func property() throws {
    let first = Seed.single ?? Seed.ofRun
    for seed in first..<first + (Seed.single == nil ? 4 : 1) {
      var life = PlainLife(pair: try pair(), random: SeededGenerator(seed: seed))
      for _ in 0..<24 { try life.step("seed \(seed)") }
      try life.end("seed \(seed)")
    }
  }
}

/// Two devices whose people write, remove, stage and commit plain files, and sync now and then.
private struct PlainLife {
  let pair: Pair
  var random: SeededGenerator
  private var number = 0
  /// Every line that somebody wrote and nobody took back before it was committed.
  private var lines: Set<String> = []
  private static let names = ["f", "d/x", "n", "n/x", "ig", "e/y"]

  init(pair: Pair, random: SeededGenerator) {
    self.pair = pair
    self.random = random
  }

  mutating func step(_ seed: String) throws {
    let device = ["laptop", "phone"].randomElement(using: &random) ?? "laptop"
    let path = Self.names.randomElement(using: &random) ?? "f"
    switch Int.random(in: 0..<10, using: &random) {
    case 0...3: write(device, path)
    case 4: _ = try? pair.git(device, "add", "--", path)
    case 5: try commit(device)
    case 6:
      // Only what git knows is taken away.
      if try pair.git(device, "status", "--porcelain", "--ignored", "--", path) == "" {
        _ = try? pair.git(device, "rm", "-rq", "--", path)
      }
    default: try sync(device, seed)
    }
  }

  private mutating func write(_ device: String, _ path: String) {
    let url = URL(filePath: pair.root(device) + "/" + path)
    try? FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: false)
    var isFolder: ObjCBool = false
    if FileManager.default.fileExists(
      atPath: url.path(percentEncoded: false), isDirectory: &isFolder),
      isFolder.boolValue
    {
      return
    }
    number += 1
    let line = "line \(number) of \(device)"
    let old = (try? String(contentsOf: url, encoding: .utf8)) ?? ""
    guard (try? (old + line + "\n").write(to: url, atomically: false, encoding: .utf8)) != nil
    else { return }
    lines.insert(line)
  }

  private func commit(_ device: String) throws {
    try pair.git(device, "add", "-A")
    _ = try? pair.git(device, "commit", "-qm", "by hand")
  }

  private func dirty(_ device: String) throws -> Set<String> {
    Set(
      try pair.git(device, "status", "--porcelain", "-uall").split(separator: "\n")
        .map(String.init))
  }

  private func sync(_ device: String, _ seed: String) throws {
    let before = try dirty(device)
    let head = try pair.git(device, "rev-parse", "HEAD")
    let outcome = try pair(device, "sync")
    let after = try dirty(device)
    if outcome.code == 0 {
      // What was only removed is back, and what came as it is here already is no change any more.
      #expect(after.isSubset(of: before), "\(seed): \(after.subtracting(before))")
    } else {
      #expect(outcome.errors.contains("nothing was joined"), "\(seed): \(outcome.errors)")
      #expect(after == before, "\(seed)")
      #expect(try pair.git(device, "rev-parse", "HEAD") == head, "\(seed)")
    }
    try look(seed)
  }

  /// Each line is in a history, or in a work tree.
  private func look(_ seed: String) throws {
    var text = ""
    for device in ["laptop", "phone"] {
      text += try pair.git(device, "log", "--all", "-p", "--cc", "-m", "--text")
      // Without conflict files: those are for what nobody could merge.
      text += try pair.git(device, "diff", "--cached", "--text")
      let root = pair.root(device)
      for case let name as String in FileManager.default.enumerator(atPath: root) ?? .init()
      where !name.hasPrefix(".git/") || name.hasPrefix(".git/larder/kept") {
        text += (try? String(contentsOfFile: root + "/" + name, encoding: .utf8)) ?? ""
      }
    }
    for line in lines { #expect(text.contains(line), "\(seed): \(line) is lost") }
  }

  func end(_ seed: String) throws {
    for device in ["laptop", "phone", "laptop", "phone"] {
      try commit(device)
      let outcome = try pair(device, "sync")
      #expect(outcome.code == 0, "\(seed): \(outcome.errors)")
    }
    try look(seed)
    let heads = try ["laptop", "phone"].map { try pair.git($0, "rev-parse", "HEAD") }
    #expect(heads[0] == heads[1], "\(seed)")
  }
}
