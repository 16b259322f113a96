import Foundation
import LarderModel
import TestSupport
import Testing

@testable import LarderCLI

@Suite("What git calls, and what larder passes on")
struct GitSideCommandTests {
  @Test("git's own merge joins two edits of one file through the driver")
  func mergeDriver() throws {
    // By the clock that the household is checked by.
    func commit(_ nest: HouseholdFixture, _ message: String) throws {
      try Git.run("commit", "-qam", message, in: nest.root, at: nest.larder.now)
    }
    let nest = try HouseholdFixture([
      "stock/milk.json": Written.item(1, "Milk", "\"quantityInStock\": 4")
    ])
    _ = try nest("adopt")
    let start = try nest.read("stock/milk.json")
    try nest.git("checkout", "-q", "-b", "side")
    try nest.write(start.replacing("\"Milk\"", with: "\"Oat milk\""), to: "stock/milk.json")
    try commit(nest, "rename")
    try nest.git("checkout", "-q", "main")
    try nest.write(
      start.replacing("\"quantityFullStock\": 0", with: "\"quantityFullStock\": 6"),
      to: "stock/milk.json")
    try commit(nest, "want six")
    try Git.run("merge", "-q", "-m", "both", "side", in: nest.root, at: nest.larder.now)
    let merged = try nest.read("stock/milk.json")
    #expect(merged.contains("\"name\": \"Oat milk\""))
    #expect(merged.contains("\"quantityFullStock\": 6"))
    #expect(try nest("check").code == 0)
  }

  @Test("the driver exits with 0 and writes our file, or with 1 and leaves it as it was")
  func driverCodes() throws {
    let whole = "\"createdAt\": \"2026-11-01T08:00:00.000Z\""
    let nest = try HouseholdFixture([
      "o": "", "a": Written.item(1, "Milk", whole), "b": Written.item(1, "Oat milk", whole),
      "c": "{",
    ])
    let before = try nest.read("a")
    #expect(try nest("merge-driver", "o", "a", "c", "stock/milk.json").code == 1)
    #expect(try nest.read("a") == before)
    let clean = try nest("merge-driver", "o", "a", "b", "stock/milk.json")
    #expect(clean == CommandRunner.Outcome(code: 0, output: "", errors: ""))
    #expect(try nest.read("a").contains("\"name\": \"Oat milk\""))
    #expect(try nest("merge-driver", "o", "gone", "b", "stock/milk.json").code == 129)
  }

  @Test("git diff shows files in words")
  func textconv() throws {
    let nest = try HouseholdFixture([
      "stock/milk.json": Written.item(
        1, "Milk",
        "\"category\": \"Dairy\",\n  \"changes\": ["
          + Written.change(
            2, "2026-11-20T08:05:00Z", "\"set\": 4, \"why\": \"count\", \"by\": \"phone\"")
          + "]")
    ])
    #expect(
      try nest("textconv", "stock/milk.json").output == """
        item Milk
          quantity: 4
          category: Dairy
          2026-11-20 08:05Z counted 4, phone

        """)
    _ = try nest("adopt")
    let text = try nest.read("stock/milk.json")
    try nest.write(text.replacing("Dairy", with: "Drinks"), to: "stock/milk.json")
    let diff = try nest.git("diff")
    #expect(diff.contains("\n-  category: Dairy\n+  category: Drinks\n"))
  }

  @Test(
    "textconv shows every kind, and what is none as it is",
    arguments: [
      (#"{"name": "Fridge", "isColdStorage": true}"#, "location Fridge\n  cold: yes\n"),
      (
        #"{"id": "ean_4006381333931", "title": "Oat Drink", "packSize": 1, "unit": "liter"}"#,
        "product Oat Drink\n  title: Oat Drink\n  unit: liter\n  pack size: 1 l\n"
      ),
      (
        #"{"name": "Batteries", "desiredQuantity": 8}"#,
        "shopping entry Batteries\n  name: Batteries\n  wanted: 8\n"
      ),
      (
        #"{"shopName": "Corner shop", "items": [{"itemName": "Tea", "quantity": 2, "price": 3.5}]}"#,
        "receipt Corner shop\n  shop: Corner shop\n  line: 2 × Tea for 3.5\n"
      ),
      (
        #"{"productRef": {"productId": "ean_1"}, "quantity": {"value": 2, "unit": "pack"}}"#,
        "batch ean_1\n  quantity: 2 packs\n  product: ean_1\n"
      ),
      ("{ broken", "{ broken"), ("a text\n", "a text\n"), ("", ""),
    ])
  func textOfKinds(_ bytes: String, _ text: String) throws {
    let larder = try CommandRunner()
    // git hands over temporary files, whose paths say nothing.
    try larder.folder.write(bytes, to: "x_1234")
    #expect(
      try larder("textconv", "x_1234") == CommandRunner.Outcome(code: 0, output: text, errors: ""))
  }

  @Test("control characters of a file don't reach the terminal by textconv")
  func hostileText() throws {
    let larder = try CommandRunner()
    try larder.folder.write(#"{"name": "Mi\u001b[31mlk\nX", "quantityInStock": 1}"#, to: "x")
    #expect(try larder("textconv", "x").output == "item Mi[31mlk X\n  quantity: 1\n")
  }

  @Test("git runs in the household's folder, with its words, its output and its exit code")
  func git() throws {
    let nest = try HouseholdFixture(["stock/milk.json": Written.item(1, "Milk")])
    let inside = try nest.larder("git", "--", "rev-parse", "--show-prefix", in: "home/nest/stock")
    #expect(inside == CommandRunner.Outcome(code: 0, output: "\n", errors: ""))
    #expect(try nest("git", "status", "--porcelain").output == "?? stock/\n")
    #expect(try nest("git", "--", "cat-file", "-e", "HEAD:nothing").code == 128)
  }

  @Test("version tells larder's, the format's, libgit2's and git's, in every form")
  func version() throws {
    let larder = try CommandRunner()
    let object = try larder("version", "--json").json()
    #expect(object["larder"] as? String == Root.version)
    #expect(object["format"] as? Int == 1)
    #expect((object["libgit2"] as? String)?.hasPrefix("1.") == true)
    #expect(try Git.run("--version", in: "/").contains(try #require(object["git"] as? String)))
    #expect(
      try larder("version").output.hasPrefix(
        "larder \(Root.version)\ncommit unknown\nformat 1\nlibgit2 1."))
    #expect(object["commit"] is NSNull)
    var bare = larder
    bare.variables = ["PATH": "/nonexistent"]
    #expect(try bare("version", "--plain").output.hasSuffix("git\tnone\n"))
    #expect(try larder("--version").output == "larder \(Root.version)\n")
  }

  @Test("the commit that a program is built from has its day, and is unknown without")
  func sourceCommit() {
    let commit = SourceCommit("655f7d0e11c5-dirty 2026-11-26")
    #expect(commit?.id == "655f7d0e11c5-dirty")
    #expect(commit?.day == "2026-11-26")
    #expect(SourceCommit("") == nil)
  }

  @Test("the change log has a dated section for this version")
  func changes() throws {
    let file = Checkout.root.appending(path: "CHANGELOG.md")
    let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
    let versions = lines.compactMap { $0.wholeMatch(of: /## (\S+) · \d{4}-\d\d-\d\d/)?.1 }
    #expect(versions.first.map(String.init) == Root.version)
  }

  @Test("schema lists the kinds, and prints one that is published beside the format")
  func schema() throws {
    let larder = try CommandRunner()
    let kinds = try larder("schema", "--json").json()["kinds"] as? [[String: String]]
    #expect(kinds?.count == Kind.allCases.count)
    #expect(try larder("schema", "--plain").output.hasPrefix("Household\thousehold.json\t"))
    let printed = try larder("schema", "StockItem").output
    let published = Checkout.root.appending(path: "schema/stock-item.json")
    #expect(try String(decoding: Data(contentsOf: published), as: UTF8.self) == printed)
  }
}
