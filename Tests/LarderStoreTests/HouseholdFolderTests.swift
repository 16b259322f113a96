import Foundation
import HomeSupport
import LarderGit
import LarderModel
import LarderText
import Testing
import TestSupport

@testable import LarderStore

@Suite("The way to the files of the work tree")
struct HouseholdFolderTests {
  /// Files that make, replace, rename or remove files, and why none of those is in a work tree.
  static let others = [
    "LarderCLI/Framework/MarkdownReference.swift": "manual pages, in a folder of the installation",
    "LarderKit/Setup/Larder+settings.swift": "the folder of the user's settings",
    "LarderKit/Setup/Larder+files.swift": "the folder of a household in memory, which goes with it",
    "LarderStore/Transaction/OpenFolder.swift": "what HouseholdFolder stands on",
    "LarderStore/Core/SystemFile.swift": "what is below .git and in people's own settings",
    "LarderStore/Transaction/Journal.swift": "the journal below .git/larder",
    "LarderStore/Core/HouseholdLock.swift": "locks below .git/larder",
    "LarderStore/Core/Store+setUp.swift": "a repository that is made beside its place",
    "LarderStore/Syncing/CloneDraft.swift": "the folder that is cloned into, beside the new one",
    "LarderGit/Repair/IndexLock.swift": "git's index",
    "LarderGit/Repository/Repository+pack.swift": "git's objects",
    "LarderGit/Repository/Quarantine.swift": "git's objects",
    "LarderGit/Repository/Repository+reinstating.swift": "git's references",
    "LarderGit/Repair/UncheckedIndex.swift": "git's index",
    "LarderStore/Transaction/Acknowledged.swift": "the system's memory for files, /dev/shm",
    "LarderGit/Repository/DriverRegistry.swift": "an index of its own below .git",
    "LarderGit/Repository/Repository+configuration.swift": "git's settings",
    "LarderGit/Repository/Repository+references.swift": "git's references",
    "LarderGit/Repair/Repository+damage.swift": "git's objects",
    "LarderCloud/SignIn/CredentialsFile.swift": "people's own settings",
    "LarderServe/Pairing/PhoneBook.swift":
      "the mark of a running server, in the user's folder for states",
    "LarderServe/Pairing/PhonesFile.swift": "the user's folder for states",
    "LarderCLI/Files/FileBytes.swift": "git's temporary files, and what people export",
    "Libc/ChildProcess.swift": "/dev/null, for what nobody reads of a program",
  ]

  @Test("nothing else changes files, but where the work tree is out of reach")
  func only() throws {
    let sources = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Sources").standardizedFileURL.path()
    let calls = [
      "rename", "renameat", "unlink", "unlinkat", "rmdir", "mkdir", "mkdirat", "symlink",
      "symlinkat",
      "link", "linkat", "chmod", "fchmod", "truncate", "ftruncate", "mkstemp", "larder_rename",
      "systemRename", "removeItem", "moveItem", "copyItem", "replaceItem", "createFile",
      "createDirectory", "createSymbolicLink",
    ]
    let writing = try Regex("(^|[^A-Za-z_.])(\(calls.joined(separator: "|")))\\(")
    let managing = try Regex(
      "\\.(\(calls.suffix(7).joined(separator: "|")))\\(|\\.write\\(to(File)?:")
    let opening = /O_WRONLY|O_RDWR|O_CREAT|fopen\([^)]*"[wa]/
    let rooted = /SystemFile\.\w+\([^)]*(root \+|\\\(root\))/
    var found: Set<String> = []
    let names = FileManager.default.enumerator(atPath: sources)?.allObjects as? [String] ?? []
    // Those two libraries do no input or output.
    for name in names where name.hasSuffix(".swift") && !name.contains(/^Larder(Model|JSON)\//) {
      let text = try String(contentsOfFile: sources + "/" + name, encoding: .utf8)
      let changes = text.split(separator: "\n").contains { line in
        let code = line.split(separator: "//", maxSplits: 1, omittingEmptySubsequences: false)[0]
        guard !code.contains("func ") else { return false }
        return code.contains(writing) || code.contains(managing) || code.contains(opening)
          || code.contains(rooted)
      }
      if changes { found.insert(name) }
    }
    #expect(found.subtracting(Self.others.keys) == [])
    #expect(Set(Self.others.keys).subtracting(found) == [], "nothing is listed for nothing")
  }

  private func milk() throws -> (home: Home, milk: EntityKey, path: FilePath) {
    var key: EntityKey?
    let home = try Home(alone: true) { key = try $0.newItem("Oat milk", 5, full: 6) }
    let milk = try #require(key)
    return (home, milk, try home.laptop.path(milk))
  }

  private func isRefused(_ body: () throws -> Void) -> Bool {
    do {
      try body()
      return false
    } catch StoreError.noFolder {
      return true
    } catch {
      return false
    }
  }

  @Test("a folder that was moved to another disk, with a link in its place, loses nothing")
  func movedFolder() throws {
    let (home, milk, path) = try milk()
    let store = home.laptop
    let disk = home.folder("disk")
    try FileManager.default.moveItem(atPath: store.root + "/stock", toPath: disk)
    symlink(disk, store.root + "/stock")
    let head = try store.head()
    #expect(isRefused { _ = try store.read() })
    #expect(isRefused { _ = try store.consume(milk, 1) })
    #expect(isRefused { _ = try store.adopt() })
    #expect(isRefused { _ = try home.sync(store) })
    #expect(try store.head() == head)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: disk)
        == [path.name])
    unlink(store.root + "/stock")
    try FileManager.default.moveItem(atPath: disk, toPath: store.root + "/stock")
    #expect(try store.quantity(milk) == Number(5))
    #expect(try store.adopt().commit == nil)
  }

  @Test(
    "nothing behind a link, or a file in a folder's place, counts as removed",
    arguments: [true, false])
  func innerFolder(_ isLink: Bool) throws {
    let (home, milk, path) = try milk()
    let store = home.laptop
    try store.moveFile(path, to: "stock/drinks/milk.json")
    _ = try store.adopt()
    try store.moveFile("stock/drinks", to: "kept")
    if isLink {
      symlink("../kept", store.root + "/stock/drinks")
    } else {
      try store.write("", to: "stock/drinks")
    }
    #expect(isRefused { _ = try store.read() })
    #expect(isRefused { _ = try store.adopt() })
    try store.removeFile("stock/drinks")
    try store.moveFile("kept", to: "stock/drinks")
    #expect(try store.quantity(milk) == Number(5))
    #expect(try store.adopt().commit == nil)
  }

  @Test("a folder of people's own that is a link is left alone, and no sync fails for it")
  func ownFolder() throws {
    let home = try Home { try $0.newItem("Tea", 1) }
    try home.laptop.write("1", to: "photos/a.txt")
    try home.commitAll(home.laptop)
    try home.settle()
    let outside = home.folder("outside")
    try FileManager.default.moveItem(atPath: home.phone.root + "/photos", toPath: outside)
    symlink(outside, home.phone.root + "/photos")
    try home.laptop.write("2", to: "photos/a.txt")
    try home.laptop.write("new", to: "photos/b.txt")
    try home.commitAll(home.laptop)
    try home.laptop.consume(home.laptop.item("Tea").key, 1)
    try home.sync(home.laptop)
    try home.sync(home.phone)
    #expect(try home.phone.item("Tea").quantity.value == Number(0))
    #expect(try FileManager.default.contentsOfDirectory(atPath: outside) == ["a.txt"])
    #expect(try String(contentsOfFile: outside + "/a.txt", encoding: .utf8) == "1")
  }

  @Test("a row of the cloud whose path leads through a link gets a path of its own")
  func row() throws {
    let (home, milk, path) = try milk()
    let store = home.laptop
    let text = try store.text(path)
    let id = "0192f0c4-7c1e-7d3a-9b52-3f6a1c7f3a9c"
    let json = text.replacing(milk.id, with: id).replacing("Oat milk", with: "Evil")
    let file = try EntityFile(.stockItem, parsing: Array(json.utf8)[...])
    let evil = try #require(Entity(file))
    symlink("../.git/hooks", store.root + "/stock/hooks")
    let before = try FileManager.default.contentsOfDirectory(atPath: store.root + "/.git/hooks")
    _ = try store.join(
      cloud: [(evil, "stock/hooks/post-commit.json")], known: { _ in nil })
    #expect(try store.path(evil.key).hasPrefix("stock/evil-"))
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: store.root + "/.git/hooks") == before)
  }

  @Test("a folder that is kept open is not taken for one whose name has another Unicode form")
  func forms() throws {
    let home = try Home()
    let folder = HouseholdFolder(root: home.laptop.root)
    let paths = ["\u{e9}/a", "\u{e9}/b", "e\u{301}/c", "\u{e9}/d"].map { FilePath("notes/\($0)") }
    try folder.keepingFolderOpen { () throws(StoreError) in
      for path in paths { try folder.write(Array(path.utf8), to: path) }
    }
    for path in paths { #expect(try folder.read(path) == Array(path.utf8)) }
  }
}
