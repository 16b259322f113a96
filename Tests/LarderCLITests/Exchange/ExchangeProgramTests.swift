import Foundation
import TestSupport
import Testing

/// What the exports are for: the programs of others read them.
///
/// A test is left out where its program is not installed, and the run says so.
@Suite("Exports, read by the programs that they are for")
struct ExchangeProgramTests {
  private static func has(_ program: String) -> Bool {
    (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
      .contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(program)") }
  }

  /// Runs a program with the text on standard input.
  private func run(
    _ words: [String], in folder: String, home: String, input: String = "", withErrors: Bool = true
  ) throws -> (code: Int32, output: String) {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = words
    process.currentDirectoryURL = URL(filePath: folder)
    process.environment = [
      "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin", "HOME": home,
      "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8", "TZ": "UTC", "XDG_CONFIG_HOME": "\(home)/.config",
    ]
    let (inside, outside) = (Pipe(), Pipe())
    process.standardInput = inside
    process.standardOutput = outside
    process.standardError = withErrors ? outside : nil
    try process.run()
    try inside.fileHandleForWriting.write(contentsOf: Data(input.utf8))
    try inside.fileHandleForWriting.close()
    let output = outside.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: output, as: UTF8.self))
  }

  @Test(
    "hledger checks the journal and is silent, also strictly",
    .enabled(if: has("hledger"), "left out: hledger is not installed"))
  func hledger() throws {
    let nest = try Nest()
    try nest.prepare(
      "stock new Milk 4l --category Dairy", "stock new Soap --category 'Home; (care):  Clean'",
      "stock new Salt",
      "receipt save --shop '(Big) store; main | x' --at 2026-11-11 --amount '20 EUR' --line milk=1@@3 --line soap=1@@2.5",
      "receipt save --shop 'US store' --at 2026-11-12 --amount '5.50 USD' --line salt=1@@5.5",
      "receipt save --shop Refund --at 2026-11-13 --line 'deposit@-0.25' --line salt=1@@0.333333",
      "receipt save --shop Yen --at 2026-11-14 --amount '1200 JPY' --line salt=2",
      "receipt save --shop Nothing --line salt=2",
      "receipt save --shop Void --amount 99 --line salt",
      "receipt void void", "config account.salt expenses:none",
      "config account.dairy 'expenses:milk and more'", "config account.payment assets:bank:checking"
    )
    let journal = try nest("export hledger")
    #expect(journal.errors == "left out: 1 receipt without an amount and without a price\n")
    let text = nest.normalized(journal.output)
    #expect(text == (try Golden.kept("export-hledger.txt", now: text)))
    let folder = nest.larder.folder("nest")
    for words in [["check"], ["check", "--strict"]] {
      let checked = try run(
        ["hledger", "-f", "-"] + words, in: folder, home: folder, input: journal.output)
      #expect(checked.code == 0 && checked.output.isEmpty, "\(checked.output)")
    }
    let balance = try run(
      ["hledger", "-f", "-", "balance", "-O", "csv", "assets"], in: folder, home: folder,
      input: journal.output)
    #expect(
      balance.output.contains("\"assets:bank:checking\",\"EUR -20.08, JPY -1200, USD -5.50\""),
      "\(balance.output)")
    let tagged = try run(
      ["hledger", "-f", "-", "tags", "receipt", "--values"], in: folder, home: folder,
      input: journal.output)
    #expect(tagged.output.split(separator: "\n").count == 4, "\(tagged.output)")
  }

  @Test(
    "LibreOffice opens each table and writes it again, and nothing changes by it",
    .enabled(if: has("soffice"), "left out: LibreOffice is not installed"))
  func libreOffice() throws {
    let nest = try Nest()
    try nest.prepare(
      "location new 'Küche, oben' Freezer --cold", "stock new '=1+1' 3 --category '+Dairy'",
      "stock new 'Crème \"légère\"' 0.25l --full 1.5l --alias=-x", "stock new Flour 1kg",
      "put flour 500g --expiry 2026-12-01 --location freezer --lot 0012",
      "product new 4006381333931 --title '@home' --item flour --pack-size 500g",
      "buy '007' 'crème 2l'",
      "receipt save --shop 'Käse & Co' --at '2026-11-03 10:15' --line flour=1kg@@2.5 --line gum@1.20"
    )
    let folder = nest.larder.folder("sheets")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let tables = ["stock", "batches", "shopping", "receipts", "locations", "products"]
    for table in tables { try nest.prepare("export csv \(table) -o ../sheets/\(table).csv") }
    for (format, from) in [("ods", "csv"), ("csv", "ods")] {
      let run = try run(
        ["soffice", "--headless", "--convert-to", format, "--outdir", folder]
          + tables.map { "\(folder)/\($0).\(from)" }, in: folder, home: nest.larder.folder("office")
      )
      #expect(run.code == 0, "\(run.output)")
      if format == "ods" {
        for table in tables { try FileManager.default.removeItem(atPath: "\(folder)/\(table).csv") }
      }
    }
    for table in tables {
      let taken = try nest("import csv ../sheets/\(table).csv")
      #expect(taken.errors == "nothing changed: there is nothing new in it\n", "\(table)")
    }
  }

  /// A household with something due and something to buy.
  private func due() throws -> Nest {
    let nest = try Nest(zone: "UTC")
    try nest.prepare(
      "location new 'Fridge; left, top'", "stock new Milk 1l --category Dairy",
      "put milk 2 --expiry 2026-12-01 --location fridge --notes 'a, b; c'",
      "buy milk 3l --note 'soon, please'",
      "stock new '日本酒 with a very long name that no line of a calendar holds in one piece, so it is folded'",
      "put '日本酒 with a very long name that no line of a calendar holds in one piece, so it is folded' 2 --expiry 2026-12-24",
      "buy cake", "got cake")
    return nest
  }

  @Test(
    "khal reads what is due",
    .enabled(if: has("khal"), "left out: khal is not installed"))
  func khal() throws {
    let nest = try due()
    let home = nest.larder.folder("khal")
    try nest.larder.folder.write(
      """
      [calendars]
      [[home]]
      path = \(home)/calendar
      [locale]
      timeformat = %H:%M
      dateformat = %Y-%m-%d
      longdateformat = %Y-%m-%d
      datetimeformat = %Y-%m-%d %H:%M
      longdatetimeformat = %Y-%m-%d %H:%M
      local_timezone = UTC
      default_timezone = UTC
      [default]
      default_calendar = home

      """, to: "khal/.config/khal/config")
    try FileManager.default.createDirectory(
      atPath: "\(home)/calendar", withIntermediateDirectories: true)
    let text = try nest("export ics --only due").output
    try nest.larder.folder.write(text, to: "khal/larder.ics")
    for _ in 0..<2 {
      let taken = try run(["khal", "import", "--batch", "larder.ics"], in: home, home: home)
      #expect(taken.code == 0, "\(taken.output)")
    }
    let listed = try run(
      ["khal", "list", "--format", "{start-date} {title} @ {location}", "2026-11-30", "40d"],
      in: home, home: home)
    let lines = listed.output.split(separator: "\n").filter { $0.contains("@") }
    #expect(
      lines == [
        "2026-12-01 Milk: 2 l, last day @ Fridge; left, top",
        "2026-12-24 日本酒 with a very long name that no line of a calendar holds in one piece, so it is folded: 2, last day @ ",
      ], "\(listed.output)")
  }

  @Test(
    "todoman reads the shopping list",
    .enabled(if: has("todoman"), "left out: todoman is not installed"))
  func todoman() throws {
    let nest = try due()
    let home = nest.larder.folder("todo")
    try nest.larder.folder.write(
      "path = \"\(home)/lists/*\"\ndate_format = \"%Y-%m-%d\"\n",
      to: "todo/.config/todoman/config.py")
    let text = try nest("export ics --only list").output
    #expect(text.contains("\r\n") && !text.replacing("\r\n", with: "").contains("\n"))
    #expect(text.split(separator: "\r\n").allSatisfy { $0.utf8.count <= 75 })
    try nest.larder.folder.write(text, to: "todo/lists/larder/larder.ics")
    let listed = try run(
      ["todoman", "--porcelain", "list", "--status", "ANY"], in: home, home: home, withErrors: false
    )
    #expect(listed.code == 0, "\(listed.output)")
    let todos =
      try JSONSerialization.jsonObject(with: Data(listed.output.utf8)) as? [[String: Any]] ?? []
    #expect(
      Set(todos.map { "\($0["summary"] ?? "") \($0["completed"] ?? "")" })
        .isSuperset(of: ["Milk, 3 l 0", "cake 1"]), "\(listed.output)")
  }
}
