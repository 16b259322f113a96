import Foundation
import TestSupport
import Testing

@Suite("Files of which both versions were kept")
struct KeptVersionTests {
  /// Both devices changed milk's file, the phone into a broken one; gives the other version.
  private func apart(_ typed: String = "Sojamilch") throws -> (Pair, file: String, other: String) {
    let pair = try Pair("stock new Milk --in-stock 4")
    let files = try FileManager.default.contentsOfDirectory(atPath: pair.root("laptop") + "/stock")
    let file = "stock/" + (try #require(files.first))
    try pair.edit("phone", "stock", "milk", "\"name\": \"Milk\",", "\"name\": \"\(typed)\"")
    try pair.git("phone", "commit", "-qam", "by hand")
    try pair.prepare("laptop", "stock edit milk --name 'Oat milk'")
    for device in ["phone", "laptop", "phone"] { try pair.prepare(device, "sync") }
    let kept = try FileManager.default.contentsOfDirectory(atPath: pair.root("laptop") + "/stock")
    let other = try #require(kept.first { $0.contains(".conflict-") })
    return (pair, file, "stock/\(other)")
  }

  @Test("status, check, conflicts and doctor name it on every device until it is gone")
  func told() throws {
    let (pair, file, other) = try apart()
    let sentence = "\(file) was changed on both sides; the other version is \(other)"
    for device in ["laptop", "phone"] {
      #expect(try pair.output(device, "status").contains(sentence))
      let status = try pair(device, "status --json").array("conflicts")
      #expect(status.map { $0["second"] as? String } == [other])
      let check = try pair(device, "check")
      #expect(check.code == 1)
      #expect(check.output.contains("\(other): warning: this is another version of \(file)"))
      let doctor = try pair(device, "doctor")
      #expect(doctor.code == 1)
      #expect(doctor.output.contains(sentence))
      #expect(try pair(device, "conflicts").errors.contains(sentence))
      #expect(try pair(device, "conflicts --json").array("files").count == 1)
    }
    try pair.git("phone", "rm", "-q", other)
    try pair.git("phone", "commit", "-qm", "not wanted")
    try pair.prepare("phone", "sync")
    try pair.prepare("laptop", "sync")
    for device in ["laptop", "phone"] {
      #expect(!(try pair.output(device, "status").contains(".conflict-")))
      #expect(try pair(device, "check").code == 0)
    }
  }

  @Test("one is taken back as it was typed, to be mended, and is gone from every device")
  func restored() throws {
    let (pair, file, other) = try apart()
    let typed = try pair.larder.folder.read("laptop/\(other)")
    let outcome = try pair("laptop", "conflicts restore \(other)")
    #expect(outcome.code == 0)
    #expect(outcome.output == "\(file) is the version that was \(other) now\n")
    #expect(outcome.errors.contains("warning: \(file) is broken; 'larder check' shows why"))
    #expect(try pair.larder.folder.read("laptop/\(file)") == typed)
    #expect(!FileManager.default.fileExists(atPath: pair.root("laptop") + "/" + other))
    try pair.larder.folder.write(
      typed.replacing("\"Sojamilch\"", with: "\"Sojamilch\","), to: "laptop/\(file)")
    try pair.settle()
    for device in ["laptop", "phone"] {
      #expect(try pair.total("Sojamilch", on: device) == 4)
      #expect(!FileManager.default.fileExists(atPath: pair.root(device) + "/" + other))
    }
  }

  @Test("an edit that nobody has committed does not make way for it")
  func uncommitted() throws {
    let (pair, file, other) = try apart()
    let text = try pair.larder.folder.read("laptop/\(file)")
    try pair.larder.folder.write(text + "x", to: "laptop/\(file)")
    let refused = try pair("laptop", "conflicts restore \(other)")
    #expect(refused.code != 0)
    #expect(try pair.larder.folder.read("laptop/\(file)") == text + "x")
    #expect(FileManager.default.fileExists(atPath: pair.root("laptop") + "/" + other))
  }

  @Test("notes that both sides changed are kept twice, and the other one is taken back")
  func notes() throws {
    let pair = try Pair("stock new Milk")
    for device in ["phone", "laptop"] {
      try pair.larder.folder.write("by \(device)\n", to: "\(device)/notes.txt")
      try pair.git(device, "add", ".")
      try pair.git(device, "commit", "-qm", "notes")
    }
    for device in ["phone", "laptop", "phone"] { try pair.prepare(device, "sync") }
    let names = try FileManager.default.contentsOfDirectory(atPath: pair.root("phone"))
    let other = try #require(names.first { $0.hasPrefix("notes.txt.conflict-") })
    let wanted = try pair.larder.folder.read("phone/\(other)")
    try pair.larder.folder.write("mine\n", to: "phone/notes.txt")
    let refused = try pair("phone", "conflicts restore \(other)")
    #expect(refused.errors.contains("notes.txt has changes that are not committed"))
    try pair.git("phone", "checkout", "notes.txt")
    try pair.prepare("phone", "conflicts restore \(other)")
    try pair.settle()
    for device in ["phone", "laptop"] {
      #expect(try pair.larder.folder.read("\(device)/notes.txt") == wanted)
      #expect(!FileManager.default.fileExists(atPath: pair.root(device) + "/" + other))
    }
  }

  @Test("a file that only looks like one is refused, and nothing is lost")
  func unknown() throws {
    let pair = try Pair("stock new Milk")
    for words in ["milk", "stock/milk.json.conflict-0123456"] {
      #expect(try pair("laptop", "conflicts restore \(words)").code == 2)
    }
  }
}
