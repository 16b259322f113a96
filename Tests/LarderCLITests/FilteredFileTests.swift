import Foundation
import TestSupport
import Testing

@Suite("Files that git filters")
struct FilteredFileTests {
  /// Where attributes may come from.
  enum Source: String, CaseIterable, Sendable {
    case root = ".gitattributes"
    case folder = "stock/.gitattributes"
    case info = ".git/info/attributes"
    case user = "../attributes"
  }

  private static let encryption = "/stock/**/*.json filter=enc"

  /// A household with a remote, and milk, whose files git encrypts from its last commit on.
  private func encrypted(
    _ line: String = encryption, in source: Source = .root
  ) throws -> HouseholdFixture {
    let nest = try HouseholdFixture(["stock/milk.json": Written.item(1, "Milk")])
    try nest.addOrigin()
    #expect(try nest("put", "milk", "3").code == 0)
    #expect(try nest("sync").code == 0)
    try encrypt(nest, line, in: source)
    return nest
  }

  private func encrypt(
    _ nest: HouseholdFixture, _ line: String = encryption, in source: Source = .root
  ) throws {
    for command in ["clean", "smudge"] {
      try nest.git("config", "filter.enc.\(command)", "tr a-zA-Z n-za-mN-ZA-M")
    }
    try nest.git("config", "filter.enc.required", "true")
    if source == .user { try nest.git("config", "core.attributesFile", "../attributes") }
    let path = nest.root + "/" + source.rawValue
    let old = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    let text = source == .folder ? line.replacing("/stock/**/", with: "") : line
    try (old + text + "\n").write(toFile: path, atomically: true, encoding: .utf8)
    for name in try FileManager.default.contentsOfDirectory(atPath: nest.root + "/stock") {
      try FileManager.default.setAttributes(
        [.modificationDate: Date()], ofItemAtPath: "\(nest.root)/stock/\(name)")
    }
    try nest.git("add", "--renormalize", ".")
    try nest.git("add", ".")
    try nest.git("commit", "-qm", "encrypt")
  }

  private func state(_ nest: HouseholdFixture) throws -> [String] {
    let files = try FileManager.default.contentsOfDirectory(atPath: nest.root + "/stock").sorted()
    return try [
      nest.git("rev-parse", "HEAD"), nest.git("for-each-ref"), nest.git("status", "--porcelain"),
      Git.run("rev-parse", "main", in: nest.larder.folder("home/origin.git")),
    ] + files.map { try nest.read("stock/\($0)") }
  }

  @Test(
    "nothing is committed, pushed or changed, and every command says why",
    arguments: Source.allCases)
  func refused(source: Source) throws {
    let nest = try encrypted(in: source)
    let before = try state(nest)
    for line in [
      "use milk 1", "use milk 1 --dry-run", "stock new Secret 1", "undo", "fmt", "sync", "adopt",
      "config currency EUR", "buy milk", "cloud connect http://127.0.0.1:1 --key k",
    ] {
      let outcome = try nest.run(shellWords(line))
      #expect(outcome.code != 0, "larder \(line)")
      if !line.hasPrefix("cloud") {
        #expect(
          outcome.errors.contains("through the filter 'enc'"), "larder \(line): \(outcome.errors)")
      }
      #expect(try state(nest) == before, "larder \(line)")
    }
    _ = try nest("doctor", "--fix")
    #expect(try state(nest) == before)
  }

  @Test("an encoding of the work tree is refused too")
  func encoding() throws {
    let nest = try HouseholdFixture(["stock/milk.json": Written.item(1, "Milk")])
    #expect(try nest("put", "milk", "3").code == 0)
    try nest.write("/stock/** working-tree-encoding=UTF-16LE\n", to: ".git/info/attributes")
    let outcome = try nest("use", "milk", "1")
    #expect(outcome.code == 1 && outcome.errors.contains("in the encoding UTF-16LE"))
  }

  @Test("a filter on one file alone, or on one that is still to come, is noticed")
  func oneFile() throws {
    let nest = try encrypted("/stock/secret*.json filter=enc")
    let outcome = try nest("stock", "new", "Secret", "1")
    #expect(outcome.code == 1 && outcome.errors.contains("through the filter 'enc'"))
    #expect(try nest("use", "milk", "1").code == 0)
  }

  @Test("reading shows what lies in the folder, and says what git does with it")
  func reading() throws {
    let nest = try encrypted()
    let list = try nest("stock")
    #expect(list.output.contains("Milk"))
    #expect(list.errors.contains("through the filter 'enc'"), "\(list.errors)")
    #expect(try nest("doctor").output.contains("syncs nothing"))
    #expect(try nest("status").output.contains("syncs nothing"))
    // A clone without the key has only what git stores.
    try Git.run("clone", "-q", "nest", "locked", in: nest.larder.folder("home"))
    let locked = try nest.larder("stock", in: "home/locked")
    #expect(locked.errors.contains("through the filter 'enc'"), "\(locked.errors)")
    #expect(try nest.larder("doctor", "--fix", in: "home/locked").code == 1)
    #expect(try Git.run("status", "--porcelain", in: nest.larder.folder("home/locked")) == "")
  }

  @Test("a filter that comes from others is not followed, and all goes on here")
  func fromOthers() throws {
    let nest = try HouseholdFixture(["stock/milk.json": Written.item(1, "Milk")])
    try nest.addOrigin()
    #expect(try nest("put", "milk", "3").code == 0)
    #expect(try nest("sync").code == 0)
    try nest.join("phone")
    try encrypt(nest)
    try nest.git("push", "-q", "origin", "main")
    var phone = nest.larder
    phone.device = "phone"
    for change in [false, true] {
      if change { #expect(try phone("use", "milk", "1", in: "home/phone").code == 0) }
      let outcome = try phone("sync", in: "home/phone")
      #expect(outcome.code != 0 && outcome.errors.contains("through the filter 'enc'"))
      #expect(try phone("stock", "--plain", in: "home/phone").output.contains(change ? "2" : "3"))
    }
    let clone = try phone("join", "origin.git", "other", in: "home")
    #expect(clone.code != 0 && clone.errors.contains("through the filter 'enc'"), "\(clone.errors)")
    #expect(!FileManager.default.fileExists(atPath: nest.larder.folder("home/other")))
  }

  @Test(
    "filters of other files, and none, are no obstacle",
    arguments: [
      "*.jpg filter=lfs diff=lfs merge=lfs -text", "# *.json filter=enc", "*.json -filter",
      "*.json !filter", "/notes/** filter=enc",
    ])
  func others(line: String) throws {
    let nest = try encrypted(line)
    #expect(try nest("use", "milk", "1").code == 0)
    #expect(try nest("sync").code == 0)
    #expect(try nest("doctor").code == 0)
  }

  @Test(
    "doctor tells of attributes that beat larder's",
    arguments: [
      "*.json merge=lfs", "*.json diff=json", "stock/** eol=crlf", "*.json ident",
    ])
  func beaten(line: String) throws {
    let nest = try HouseholdFixture(["stock/milk.json": Written.item(1, "Milk")])
    #expect(try nest("put", "milk", "3").code == 0)
    let old = try nest.read(".gitattributes")
    try nest.write(old + line + "\n", to: ".gitattributes")
    let told = try nest("doctor")
    #expect(told.code == 1)
    #expect(told.errors.contains("check-attr"), "\(told.output)\(told.errors)")
    #expect(try nest("doctor", "--fix").code == 1)
    #expect(try nest.read(".gitattributes") == old + line + "\n")
    try nest.write(line + "\n" + old, to: ".gitattributes")
    let isOver = line == "*.json ident" ? 1 : 0
    #expect(try nest("doctor").code == isOver)
  }

  @Test("with core.autocrlf the lines of larder are not written twice, and without ^M")
  func carriageReturns() throws {
    let nest = try HouseholdFixture(["stock/milk.json": Written.item(1, "Milk")])
    #expect(try nest("put", "milk", "3").code == 0)
    try nest.git("config", "core.autocrlf", "true")
    try nest.remove(".gitattributes")
    try nest.git("checkout", "-q", "--", ".gitattributes")
    #expect(try nest.read(".gitattributes").contains("\r\n"))
    #expect(try nest("doctor", "--fix").code == 0)
    let lines = try nest.read(".gitattributes").split(whereSeparator: \.isNewline)
    #expect(lines.count == Set(lines).count)
    try nest.write("*.jpg binary\r\n\r\n# ours\r\n", to: ".gitattributes")
    #expect(try nest("doctor", "--fix").code == 0)
    let blob = try nest.git("cat-file", "blob", "HEAD:.gitattributes")
    #expect(!blob.contains("\r") && blob.hasPrefix("*.jpg binary\n\n# ours\n/household.json"))
    #expect(try nest.git("status", "--porcelain") == "")
  }
}
