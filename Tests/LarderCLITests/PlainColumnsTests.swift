import TestSupport
import Testing

@testable import LarderCLI

/// Scripts count the columns of `--plain`, so a change of one is a decision.
@Suite("The columns of --plain")
struct PlainColumnsTests {
  @Test("every command has the columns that it always had")
  func columns() throws {
    let lines = Root.command.nodes().filter { $0.command.run != nil && $0.path.count > 1 }
      .flatMap { node -> [String] in
        let forms = node.command.records.map(\.text)
        return forms.isEmpty ? ["\(node.title)  -"] : forms.map { "\(node.title)  \($0)" }
      }
    let text = lines.joined(separator: "\n") + "\n"
    #expect(try Golden.kept("plain-columns.txt", now: text) == text)
  }

  @Test("no column is without a name, and none has that of another one")
  func names() {
    for node in Root.command.nodes(includingHidden: true) {
      for form in node.command.records {
        #expect(!form.columns.contains(""), "\(node.title)")
        #expect(Set(form.columns).count == form.columns.count, "\(node.title)")
      }
    }
  }

  /// Lines whose records are counted, after those that make something to show.
  private static let lines = [
    "adopt", "stock", "stock list --batches", "stock low", "due 30", "stock expired", "show milk",
    "stock summary milk", "shop", "location", "product", "receipt", "receipt show corner",
    "product show oats", "log", "diff HEAD~2", "status", "version", "config", "config currency GBP",
    "config archiveConsumed yes", "config device shelf", "config alias.m 'use milk'",
    "config --global household", "schema", "conflicts", "use milk 1", "put milk 1 --dry-run",
    "count milk 3", "stock discard milk 1",
    "stock open milk", "stock move milk cellar 1", "stock new Tea 1l", "stock edit milk --full 9",
    "stock archive tea", "stock restore tea", "stock merge milk tea", "buy jam", "got jam",
    "shop undone jam", "shop edit jam 2", "shop remove jam", "shop restore jam", "shop fill",
    "receipt save --shop Aldi --line milk=1", "receipt edit aldi --amount 2", "receipt void aldi",
    "receipt restore aldi", "receipt read ../receipt.txt", "location new Attic",
    "location edit attic --name Loft",
    "location archive loft", "location restore loft",
    "product new 4006381333931 --title Pens", "product edit pens --brand B",
    "product archive pens", "product restore pens", "spending", "prices", "prices milk", "waste",
    "buy milk 1", "shop list --prices", "undo", "redo",
  ]

  /// Lines that are about a file with a mistake and one that is not canonical.
  private static let faulty = ["check", "doctor", "fmt --check"]

  @Test("a command writes as many fields as its help has columns, and a tab between them")
  func written() throws {
    let nest = try Nest()
    try nest.prepare(
      "location new Fridge Cellar", "stock new Milk 4l --full 6l --category Dairy",
      "put milk 2 --expiry +10d --location fridge", "buy bread",
      "put milk 1 --expiry 2026-11-01",
      "product new 5032987400110 --title Oats --item milk",
      "receipt save --shop Corner --line milk=2@@3.30")
    try nest.diverge("stock edit milk --category A", "stock edit milk --category B")
    try nest.write("{\"name\": \"Soy milk\"}", to: "stock/soy-milk.json")
    try nest.write("Kiosk\n2026-11-20 9:00\nMilk 3.00\nTotal 3.00\n", to: "../receipt.txt")
    for line in Self.lines { try expectRecords(of: line, code: 0, in: nest) }
    try nest.write("{\"name\": \"Rye", to: "stock/rye.json")
    let milk = try nest.path("stock", "milk")
    try nest.write(nest.read(milk).replacing("\n  \"name\"", with: "\n\"name\""), to: milk)
    for line in Self.faulty { try expectRecords(of: line, code: 1, in: nest) }
  }

  /// Runs a line, which has to write at least one record, and none of another length than its help says.
  private func expectRecords(of line: String, code: Int32, in nest: Nest) throws {
    let forms = CommandLineParser(root: Root.command).parse(shellWords(line)).node.command.records
    let outcome = try nest(line + " --plain")
    #expect(outcome.code == code, "\(line): \(outcome.errors)")
    let counts = Set(
      outcome.output.split(separator: "\n")
        .map { $0.split(separator: "\t", omittingEmptySubsequences: false).count })
    #expect(!counts.isEmpty, "\(line): \(outcome.errors)")
    #expect(counts.isSubset(of: forms.map(\.columns.count)), "\(line): \(outcome.output)")
  }

  @Test("the help, its JSON and the manual page name the columns")
  func told() throws {
    let nest = try Nest()
    let help = try nest("receipt show --help").output
    #expect(
      help.contains(
        "\nColumns with --plain:\n  itemName, quantity, unit, price, expiry, itemId\n"))
    let json = try nest("help stock list --json").json()
    let records = try #require(json["records"] as? [[String: Any]])
    #expect(
      records.map { $0["scope"] as? String } == ["", "with --batches", "with --sync, at the end"])
    #expect((records[0]["columns"] as? [String])?.prefix(3) == ["name", "total", "unit"])
    let node = try #require(Root.command.node(at: ["check"]))
    let page = ManualPage(node: node, version: "1", day: "2026-11-22", others: [])
    #expect(
      page.text.contains(
        ".SH COLUMNS WITH \\-\\-PLAIN\npath, line, column, severity, message\n"))
    #expect(try nest("help plain").output.contains("  \\t        a tab\n"))
  }
}

extension Nest {
  /// Runs two lines on branches of their own, and merges these: what the first one wrote is lost.
  fileprivate func diverge(_ one: String, _ other: String) throws {
    try Git.run("checkout", "-q", "-b", "side", in: larder.folder("nest"))
    try prepare(one)
    try Git.run("checkout", "-q", "main", in: larder.folder("nest"))
    var later = self
    later.larder.now = try after(1)
    try later.prepare(other)
    try Git.run("merge", "-q", "side", in: larder.folder("nest"))
  }
}
