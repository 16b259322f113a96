import Foundation
import TestSupport
import Testing

@testable import LarderCLI

@Suite("Receipts in an editor")
struct ReceiptFormTests {
  private func shop() throws -> Nest {
    let nest = try Nest()
    try nest.prepare(
      "put Eggs 6 Milk 2l '7 Up' 1 --new", "stock edit eggs --full 12", "stock edit milk --full 6l",
      "config newItems never")
    return nest
  }

  /// What a terminal without colours shows.
  private func shown(
    _ nest: Nest, _ line: String, typing: String = "", editor: String? = nil
  ) throws -> (code: Int32, screen: String) {
    try nest.atTerminal("--no-color " + line, typing: typing, editor: editor)
  }

  /// An editor that writes one text after the other, the last one again and again.
  private func editor(_ texts: String..., in nest: Nest) throws -> String {
    for (index, text) in texts.enumerated() {
      try nest.larder.folder.write(text, to: "text\(index + 1)")
    }
    let script = """
      cd '\(nest.larder.folder.path)'
      echo run >> runs
      number=$(grep -c run runs)
      [ -e "text$number" ] || number=\(texts.count)
      cp "$1" seen
      cp "text$number" "$1"
      """
    try nest.larder.folder.write(script, to: "editor.sh")
    return "sh '\(nest.larder.folder("editor.sh"))'"
  }

  private static let form = """
    Shop: Fairprice
    Paid: yesterday 18:30
    Amount: 9,07€

    2 l Milk @@ 3.58
    12 eggs @@ 2.99
    2 7 Up @@ 2.50
    Jam

    """

  @Test("a receipt is written down in the words people type, with what is on the list beside it")
  func written() throws {
    var nest = try shop()
    let now = nest.larder.now
    nest.larder.now = "2026-11-19T12:00:00Z"
    try nest.prepare("shop buy milk eggs", "buy '2 for 1 crisps' 3")
    nest.larder.now = now
    let saved = try shown(nest, "receipt save", editor: try editor(Self.form, in: nest))
    #expect(saved.code == 0, "\(saved.screen)")
    #expect(saved.screen.contains("saved Fairprice, 2026-11-20 18:30, 9.07 EUR"))
    #expect(saved.screen.contains("off the shopping list: Milk, Eggs\n"))
    #expect(try nest("stock list --plain").records.map { $0[1] } == ["3", "18", "4"])
    #expect(try nest("shop --plain").records.map { $0[1] } == ["2 for 1 crisps"])
    #expect(
      try nest.larder.folder.read("seen") == """
        Shop:
        Paid: 2026-11-21 13:00
        Amount:

        # One line for each thing, with the price of all of it: 2 l Milk @@ 3.58
        # or with the price of one: 2 l Milk @ 1.79
        # The amount and the price may be left out. A discount has a price below zero.
        # Put a name with a number or an @ in it into "double quotes".
        # Lines that begin with # say nothing.
        # Without a change, nothing is saved.
        #
        # On the shopping list; remove the # before what was bought:
        # 3 "2 for 1 crisps"
        # 6 Eggs
        # 4 l Milk

        """)
  }

  @Test(
    "without a shop, what is in the basket stands in the form, and only what stays there is bought")
  func basket() throws {
    let nest = try shop()
    try nest.prepare("shop buy milk eggs", "got milk eggs")
    let saved = try shown(
      nest, "receipt save", editor: "sed -i.bak -e 's/^Shop:.*/Shop: Aldi/' -e '/Eggs/d'")
    #expect(saved.code == 0, "\(saved.screen)")
    #expect(try nest("shop --plain").records.map { $0[1] } == ["Eggs"])
    #expect(try nest("stock list --plain").records.map { $0[1] } == ["1", "6", "6"])
  }

  @Test("a sum with a sign is a price, one without is asked about, and a name may end in one")
  func unsigned() throws {
    let nest = try shop()
    try nest.prepare("stock new Butter 250g", "stock new 'Cola 1,25' 1")
    for line in ["Butter 1,99", "2 Eggs 3,98"] {
      let refused = try shown(
        nest, "receipt save", typing: "n\n", editor: try editor("Shop: Aldi\n" + line, in: nest))
      #expect(refused.screen.contains("for the price, or"), "\(refused.screen)")
    }
    let saved = try shown(
      nest, "receipt save",
      editor: try editor("Shop: Aldi\n2 Eggs 3,98€\n2 Cola 1,25\n1 milk 1.99 €\n", in: nest))
    #expect(saved.code == 0, "\(saved.screen)")
    #expect(saved.screen.contains("3.98"))
    #expect(try nest("stock list --plain").records.map { $0[1] } == ["1", "250", "3", "8", "3"])
  }

  @Test("options fill the form, and its entries are used as they are offered")
  func offered() throws {
    let nest = try shop()
    try nest.prepare("shop buy milk eggs")
    let saved = try shown(
      nest, "receipt save --shop aldi --amount 3 --expiry milk=10d",
      editor: "sed -i.bak -e 's/^# 4 l Milk/4 l Milk @@ 3/'")
    #expect(saved.code == 0, "\(saved.screen)")
    #expect(saved.screen.contains("saved aldi, 2026-11-21 13:00, 3.00 EUR"))
    #expect(saved.screen.contains("2026-12-01"))
    #expect(try nest("stock list milk --plain").records.first?[1] == "6")
  }

  @Test("a form that is left as it was, emptied or not written changes nothing")
  func nothing() throws {
    let nest = try shop()
    try nest.prepare("receipt save --shop Rewe --line milk=2@@3")
    let before = try nest("log --json").output
    for editor in ["true", "cp /dev/null"] {
      let saved = try shown(nest, "receipt save --shop Aldi", editor: editor)
      #expect(saved.code == 0)
      #expect(saved.screen == "nothing was saved\n")
      let edited = try shown(nest, "receipt edit rewe", editor: editor)
      #expect(edited.code == 0)
      #expect(edited.screen == "Rewe, 2026-11-21 13:00 is as it was\n")
    }
    let failed = try shown(nest, "receipt save", editor: "false")
    #expect(failed.code == 1)
    #expect(failed.screen.contains("error: the editor did not end well: 'false' (exit 1)\n"))
    #expect(try shown(nest, "receipt save --dry-run", editor: "true").code == 2)
    #expect(try nest("log --json").output == before)
  }

  @Test("a mistake is told with its line, and the same text is offered again")
  func again() throws {
    let nest = try shop()
    let broken = Self.form.replacing("2.99", with: "free").replacing("yesterday", with: "someday")
    let heavy = Self.form.replacing("2 l Milk", with: "2 kg Milk")
    let saved = try shown(
      nest, "receipt save", typing: "\ny\n", editor: try editor(broken, heavy, Self.form, in: nest))
    #expect(saved.code == 0, "\(saved.screen)")
    #expect(saved.screen.contains("error: can't read what you wrote\n"))
    #expect(saved.screen.contains("    2 | Paid: someday 18:30\n"))
    #expect(saved.screen.contains("    6 | 12 eggs @@ free\n"))
    #expect(saved.screen.contains("error: kilogram can't be converted to liter, the unit of Milk"))
    #expect(try nest.larder.folder.read("seen") == heavy)
    #expect(try nest("stock list milk --plain").records.first?[1] == "4")
  }

  @Test("what was typed stays in a file if nothing could be made of it")
  func kept() throws {
    let nest = try shop()
    let before = try nest("log --json").output
    for (text, answer) in [("Shop: Aldi\n", "n\n"), ("2 l Milk @@ free\n", "no\n")] {
      let left = try shown(nest, "receipt save", typing: answer, editor: try editor(text, in: nest))
      #expect(left.code != 0)
      #expect(left.screen.contains("error: nothing was changed\nhint: what you wrote is kept in "))
      let path = try #require(left.screen.split(separator: "hint: what you wrote is kept in ").last)
        .trimmingCharacters(in: .whitespacesAndNewlines)
      #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
    }
    let crashed = try shown(nest, "receipt save", editor: "sh -c 'echo 2 Tea >> $0; exit 3'")
    #expect(crashed.screen.contains("hint: what you wrote is kept in "))
    #expect(try nest("log --json").output == before)
  }

  @Test("an edited form changes what was edited, and a line keeps what the form does not show")
  func edited() throws {
    let nest = try shop()
    try nest.prepare(
      "location new Fridge",
      "receipt save --shop Rewe --amount 9 --at '2026-11-20 18:30:15' --line milk=2l@@3.30 "
        + "--line eggs=6@@2 --line 'Birthday cake=1' --expiry milk=10d --location milk=fridge")
    let path = try nest.path("receipts", "2026")
    let before = try nest.read(path)
    let changed = try shown(
      nest, "receipt edit rewe",
      editor: "sed -i.bak -e 's/2 l Milk/3 l Milk/' -e '/Eggs/d' -e 's/9.00/9.50/' "
        + "-e 's/^1 .*cake/2 7 Up/'")
    #expect(changed.code == 0, "\(changed.screen)")
    #expect(changed.screen.contains("corrected Rewe, 2026-11-20 18:30, 9.50 EUR"))
    let lines = try nest("receipt show rewe --plain").records.map { Array($0.prefix(5)) }
    #expect(
      lines == [
        ["Milk", "3", "liter", "3.3", "2026-12-01"], ["7 Up", "2", "piece", "", ""],
      ])
    #expect(try nest("stock list --plain").records.map { $0[1] } == ["3", "6", "5"])
    let after = try nest.read(path)
    #expect(after.contains("2026-11-20T17:30:15.000Z"))
    let id = try #require(before.firstMatch(of: /"items": \[\s*\{\s*"id": "([^"]+)"/)?.output.1)
    #expect(after.contains(id))
    #expect(try nest("check").code == 0)
  }

  @Test("a receipt that changes while its form is open is not written over")
  func meanwhile() throws {
    let nest = try shop()
    try nest.prepare("receipt save --shop Rewe --line milk=2l@@3 --amount 3")
    let program = CommandRunner.program.path(percentEncoded: false)
    try nest.larder.folder.write(
      "'\(program)' receipt edit rewe --line milk=5l >&2\nsed -i.bak 's/3.00/4.00/' \"$1\"\n",
      to: "editor.sh")
    let edited = try shown(
      nest, "receipt edit rewe", typing: "n\n", editor: "sh '\(nest.larder.folder("editor.sh"))'")
    #expect(edited.code == 1)
    #expect(edited.screen.contains("error: the receipt of Rewe was changed in the meantime\n"))
    #expect(edited.screen.contains("hint: what you wrote is kept in "))
    let path = try #require(edited.screen.split(separator: "hint: what you wrote is kept in ").last)
      .trimmingCharacters(in: .whitespacesAndNewlines)
    #expect(try String(contentsOfFile: path, encoding: .utf8).contains("Amount: 4.00 EUR"))
    #expect(try nest("receipt show rewe --plain").records.first?[1] == "5")
  }

  @Test("the same shop, day and amount is asked about, or told")
  func twice() throws {
    let nest = try shop()
    let line = "receipt save --shop Rewe --line milk=1@@3 --amount 3"
    try nest.prepare(line)
    let told =
      "there is a receipt of the same shop, day and amount: Rewe, 2026-11-21 13:00, 3.00 EUR"
    let no = try shown(nest, line + " --at 9:00", typing: "n\n")
    #expect(no.code == 1)
    #expect(no.screen.contains(told))
    #expect(no.screen.contains("save another one? [y/N]"))
    #expect(no.screen.contains("hint: 'larder receipt show \"Rewe 2026-11-21\"' shows it"))
    #expect(try nest("receipt --plain").records.count == 1)
    #expect(try nest("stock list milk --plain").records.first?[1] == "3")
    #expect(try shown(nest, line, typing: "y\n").code == 0)
    let warned = try nest(line.replacing("Rewe", with: "REWE"))
    #expect(warned.code == 0)
    #expect(warned.errors.contains("warning: " + told), "\(warned.errors)")
    #expect(!(try nest(line + " --currency USD").errors.contains("same shop")))
    #expect(!(try nest(line + " --at yesterday").errors.contains("same shop")))
    let own = line + " --id 7d444840-9dc0-11d1-b245-5ffdce74fad2"
    #expect(!(try nest(own).errors.contains("same shop")))
    #expect(try shown(nest, own).screen.contains("it was saved before"))
  }

  @Test("two receipts of one minute are told apart in the list, and named by what it shows")
  func alike() throws {
    let nest = try shop()
    try nest.prepare(
      "receipt save --shop Rewe --line milk=1 --at 9:00", "receipt save --shop Rewe --line eggs=1",
      "receipt save --shop Rewe --line milk=2", "receipt save --shop Aldi --line eggs=1")
    let listed = try nest("receipt").output.split(separator: "\n").dropFirst().map(String.init)
    let marked = listed.compactMap { $0.firstMatch(of: /Rewe ([0-9a-f]{6})\b/)?.output.1 }
    #expect(marked.count == 2)
    for digits in marked { #expect(try nest("receipt show \(digits)").code == 0) }
    #expect(try nest("receipt show 'rewe 2026-11-21 09:00'").output.contains("Milk"))
    let unclear = try nest("receipt void rewe")
    #expect(unclear.code == 3)
    #expect(unclear.errors.contains("hint: add its day and time, as in '"))
  }
}
