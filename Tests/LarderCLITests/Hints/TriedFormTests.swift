import Foundation
import TestSupport
import Testing

@testable import LarderCLI

@Suite("Forms that people try")
struct TriedFormTests {
  @Test("redo takes a number as undo does, and says when there are no more")
  func several() throws {
    let nest = try Nest()
    try nest.prepare("stock new Eggs 12", "use eggs 1", "use eggs 2", "use eggs 3")
    try nest.prepare("undo -n 3")
    #expect(try nest("show eggs --plain").output.contains("12"))
    let back = try nest("redo -n 2").output
    #expect(back.matches(of: /brought back: use (\d)/).map { String($0.output.1) } == ["1", "2"])
    let rest = try nest("redo -5")
    #expect(rest.code == 0)
    #expect(rest.output.contains("brought back: use 3 of Eggs"))
    #expect(rest.errors.contains("that is all: only 1 command could be brought back"))
    #expect(try nest("stock --plain").records.first?[1] == "6")
    #expect(try nest("redo -n 2").code == 1)
    #expect(try nest("redo HEAD -n 2").code == 2)
    #expect(try nest("undo -2").output.matches(of: /took back: use/).count == 2)
    #expect(try nest("redo --dry-run -n 2").code == 2)
  }

  @Test(
    "a time zone is found by its city, in any case, where only one has it",
    arguments: [
      ("Berlin", "Europe/Berlin"), ("berlin", "Europe/Berlin"), ("new york", "America/New_York"),
      ("EUROPE/london", "Europe/London"), ("Zurich", "Europe/Zurich"), ("UTC", "UTC"),
      ("Asia/Tokyo", "Asia/Tokyo"),
    ])
  func timeZone(_ typed: String, _ zone: String) throws {
    let nest = try Nest(zone: "Africa/Cairo")
    #expect(try nest("config timeZone '\(typed)'").output == "timeZone is now \(zone)\n")
    let made = try nest.larder("init", "other", "--time-zone", typed)
    #expect(made.code == 0)
    #expect(made.errors.contains("the time zone is \(zone)") == (typed != zone))
    #expect(try nest.larder.folder.read("other/household.json").contains("\"\(zone)\""))
  }

  @Test("one that nobody has is refused, with those that may be meant")
  func noTimeZone() throws {
    let nest = try Nest()
    for (typed, meant) in [("Berln", "Europe/Berlin"), ("Europe/Lodnon", "Europe/London")] {
      let outcome = try nest("config timeZone \(typed)")
      #expect(outcome.code == 2)
      #expect(outcome.errors.contains("did you mean '\(meant)'?"), "\(outcome.errors)")
      #expect(try nest("config timeZone \(meant)").code == 0)
    }
    #expect(try nest("config timeZone Nowhereville").code == 2)
  }

  @Test("spending takes what to add up by as words")
  func grouping() throws {
    let nest = try Nest()
    try nest.prepare(
      "stock new Eggs 1 --category Dairy", "receipt save --shop Aldi --line eggs@2",
      "receipt save --shop Rewe --line eggs@3")
    for (words, option) in [
      ("by shop", "--by shop"), ("shop", "--by shop"), ("shops", "--by shop"),
      ("per category", "--by category"), ("by items", "--by item"), ("by month", "--by month"),
      ("2026 by shop", "2026 --by shop"), ("by shop this month", "this month --by shop"),
      ("this month", "this month"), ("last month by shop", "last month --by shop"),
    ] {
      let outcome = try nest("spending \(words)")
      #expect(outcome.code == 0, "\(words): \(outcome.errors)")
      #expect(outcome.output == (try nest("spending \(option)")).output, "\(words)")
    }
    #expect(try nest("spending by shop --by item").code == 2)
    #expect(try nest("spending by colour").code == 2)
  }

  @Test("the short options of a place and a reason, and what an unknown letter may mean")
  func short() throws {
    let nest = try Nest()
    try nest.prepare("location new Fridge", "stock new Eggs 6", "put eggs 2 -l fridge")
    #expect(try nest("stock list --batches --plain").output.contains("Fridge"))
    try nest.prepare("discard eggs 1 -r broken")
    #expect(try nest("waste").output.contains("broken"))
    #expect(try nest("put eggs 1 -e 3d").errors.contains("did you mean '--expiry'?"))
    for (line, option) in [
      ("log --author kitchen", "--by"), ("put eggs --place fridge", "--location"),
      ("discard eggs --why old", "--reason"), ("undo --count 2", "--number"),
      ("use eggs --preview", "--dry-run"), ("init x --tz UTC", "--time-zone"),
    ] {
      let outcome = try nest(line)
      #expect(outcome.code == 2)
      #expect(outcome.errors.contains("did you mean '\(option)'?"), "\(line): \(outcome.errors)")
      let wrong = line.split(separator: " ").first { $0.hasPrefix("--") } ?? ""
      #expect(try nest(line.replacing(wrong, with: option)).code == 0, "\(line)")
    }
  }

  @Test("answers of a Grocy server are read from a folder as from its files")
  func folder() throws {
    let nest = try Nest()
    try nest.write(
      #"[{"id": 1, "name": "Rice", "location_id": 1, "qu_id_stock": 1, "min_stock_amount": 1}]"#,
      to: ".git/answers/products.json")
    try nest.write(
      #"[{"id": 1, "product_id": 1, "amount": 2, "best_before_date": "2030-01-01", "location_id": 1}]"#,
      to: ".git/answers/stock.json")
    try nest.write(#"[{"id": 1, "name": "Pantry"}]"#, to: ".git/answers/locations.JSON")
    try nest.write("no answer", to: ".git/answers/notes.txt")
    try nest.write("", to: ".git/nothing/notes.txt")
    let outcome = try nest("import grocy .git/answers")
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(try nest("stock --plain").output.contains("Rice\t2"))
    #expect(try nest("import grocy .git/answers/").errors.contains("nothing changed"))
    let none = try nest("import grocy .git/nothing")
    #expect(none.code == 3)
    #expect(none.errors.contains("no file in .git/nothing ends with .json"))
  }

  @Test("slices of a loaf are answered with a part of one, which can be used")
  func slices() throws {
    let nest = try Nest()
    try nest.prepare("stock new Bread 2")
    let outcome = try nest("use bread 2 slices")
    #expect(outcome.code == 2)
    #expect(
      outcome.errors.contains(
        "Bread is counted in pieces: write how many, or what part of one, as in 'Bread 1/4'"))
    #expect(try nest("use Bread 1/4").output == "used 0.25 of Bread, 1.75 left\n")
  }

  @Test("yes and no of a setting are read as answers are", arguments: ["ja", "oui", "yes", "on"])
  func setting(_ yes: String) throws {
    let nest = try Nest()
    #expect(try nest("config autoSync \(yes)").code == 0)
    #expect(try nest("config autoSync").output == "yes\n")
    #expect(try nest("config autoSync nein").code == 0)
    #expect(try nest("config autoSync").output == "no\n")
    #expect(try nest("config autoSync perhaps").code == 2)
  }

  @Test("a question at a terminal takes ja for yes, and asks again after what is neither")
  func question() throws {
    let nest = try Nest()
    try nest.prepare("stock new Eggs 12", "stock new Milk 1", "stock new Tea 1")
    let asked = try nest.atTerminal("stock edit eggs milk tea --full 2", typing: "hm\nja\n")
    #expect(asked.code == 0)
    #expect(asked.screen.contains("'hm' is neither yes nor no; type y or n"))
    #expect(try nest("stock --plain").records.allSatisfy { $0.contains("2") })
    #expect(try nest.atTerminal("put Jam 1", typing: "nein\n").code == 3)
    #expect(try nest.atTerminal("put Jam 1", typing: "ja\n").code == 0)
  }
}
