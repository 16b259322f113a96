import Foundation
import TestSupport
import Testing

@testable import LarderCLI

@Suite("Receipts that are read from a text")
struct ReceiptReadTests {
  /// A receipt that adds up, with a weight, a multiple, a deposit and a discount.
  static let text = """
    Hofmarkt Süd
    Lange Gasse 3, 80331 München
                              EUR
    BUTTER                    2,29 B
    VOLLMILCH 3,5% 1L         2,38 B
       2 Stk x      1,19
    TOMATEN RISPE             1,86 B
       0,624 kg x   2,98 EUR/kg
    PFAND                     0,25 A
    Rabatt                   -0,50
    -------------------------------
    SUMME         EUR         6,28
    BAR           EUR        10,00
    RÜCKGELD      EUR         3,72
    13.11.2026  17:35  Bon 1021
    """

  private func shop() throws -> Nest {
    let nest = try Nest()
    try nest.prepare(
      "stock new Butter 1 --full 2 --keeps 30d", "stock new Vollmilch 1l --full 4l",
      "stock new Tomaten 200g --alias 'Tomaten Rispe'", "buy vollmilch 3l 'birthday candles'")
    try nest.write(Self.text, to: "../receipt.txt")
    return nest
  }

  @Test("what adds up is saved in one commit: receipt, stock, dates and the shopping list")
  func saved() throws {
    let nest = try shop()
    let before = try nest.subjects().count
    let read = try nest("receipt read ../receipt.txt")
    #expect(read.code == 0, "\(read.errors)")
    #expect(
      read.output == """
        saved Hofmarkt Süd, 2026-11-13 17:35, 6.28 EUR
        Line       Quantity      Price  Keeps until  Stock now
        Butter            1   2.29 EUR  2026-12-13           2
        Vollmilch       2 l   2.38 EUR                     3 l
        Tomaten    0.624 kg   1.86 EUR                   824 g
        PFAND             1   0.25 EUR
        Rabatt            1  -0.50 EUR

        """)
    #expect(read.errors == "off the shopping list: Vollmilch\n")
    #expect(try nest("shop --plain").records.map { $0[1] } == ["birthday candles"])
    #expect(try nest.subjects().first == "read a receipt of Hofmarkt Süd")
    #expect(try nest.subjects().count == before + 1)
    #expect(try nest.isClean())
  }

  @Test("the same text is saved once, from a file or standard input")
  func twice() throws {
    let nest = try shop()
    try nest.prepare("receipt read ../receipt.txt")
    let commits = try nest.subjects().count
    for (line, input) in [("receipt read ../receipt.txt", ""), ("receipt read -", Self.text)] {
      let again = try nest(line, input: input)
      #expect(again.code == 0)
      #expect(again.output == "unchanged: Hofmarkt Süd, 2026-11-13 17:35, 6.28 EUR\n")
      #expect(again.errors == "nothing was changed: it was saved before\n")
    }
    #expect(try nest("receipt read ../receipt.txt --json").array("changed").isEmpty)
    #expect(try nest.subjects().count == commits)
    #expect(try nest("stock list vollmilch --plain").records[0][1] == "3")
    try nest.prepare("receipt void hofmarkt")
    let void = try nest("receipt read ../receipt.txt")
    #expect(void.code != 0 && void.errors.contains("void"), "\(void.errors)")
    #expect(try nest("stock list vollmilch --plain").records[0][1] == "1")
  }

  @Test("what does not add up is told with its lines and the difference, and nothing is saved")
  func doubtful() throws {
    let nest = try shop()
    let commits = try nest.subjects().count
    let wrong = Self.text.replacing("SUMME         EUR         6,28", with: "SUMME EUR 6,82")
    let read = try nest("receipt read -", input: wrong)
    #expect(read.code == 5)
    #expect(read.output.isEmpty)
    #expect(
      read.errors == """
        error: nothing was saved: the lines make 6.28 EUR, and the total is 6.82 EUR, 0.54 EUR more
        standard input:4: note: BUTTER, 2.29 EUR
        standard input:5: note: 2 VOLLMILCH 3,5% 1L, 2.38 EUR
        standard input:7: note: 0.624 kg TOMATEN RISPE, 1.86 EUR
        standard input:9: note: PFAND, 0.25 EUR
        standard input:10: note: Rabatt, -0.50 EUR
        hint: at a terminal, you can correct what was read in your editor

        """)
    let undated = Self.text.replacing("13.11.2026  17:35", with: "")
    let noDay = try nest("receipt read -", input: undated)
    #expect(noDay.code == 5 && noDay.errors.contains("no day is printed"))
    let nothing = try nest("receipt read -", input: "hello\n")
    #expect(nothing.code == 5)
    #expect(nothing.errors.contains("no line with a price was found; no total was found; no day"))
    #expect(try nest.subjects().count == commits)
    #expect(try nest.isClean())
    let told = try nest("receipt read - --at '13.11. 9:00' --shop Corner", input: undated)
    #expect(told.output.hasPrefix("saved Corner, 2026-11-13 09:00, 6.28 EUR\n"), "\(told)")
  }

  @Test("--dry-run saves nothing, --keep leaves the list, and a known shop keeps its spelling")
  func options() throws {
    let nest = try shop()
    try nest.prepare("receipt save --shop 'hofmarkt süd' --line tea@1 --at 2026-11-01")
    let commits = try nest.subjects().count
    let dry = try nest("receipt read ../receipt.txt --dry-run")
    #expect(dry.code == 0 && dry.output.hasPrefix("saved hofmarkt süd, 2026-11-13 17:35"))
    #expect(try nest.subjects().count == commits)
    try nest.prepare("receipt read ../receipt.txt --keep")
    #expect(try nest("shop --plain").records.count == 2)
  }

  @Test("--new makes items of things, and of nothing else")
  func items() throws {
    let nest = try Nest()
    let read = try nest("receipt read - --new", input: Self.text)
    #expect(read.code == 0, "\(read.errors)")
    let items = try nest("stock list --plain").records.map { "\($0[1]) \($0[2])" }
    #expect(try nest("stock list --plain").records.count == 3, "\(items)")
    #expect(try nest("check").code == 0)
  }

  @Test("--new counts a package in its size, which is no part of the item's name")
  func sizesOfNewItems() throws {
    let nest = try Nest()
    let text = """
      Corner
      HAFERMILCH 1L         1,99
      HAFERMILCH 0,5 L      1,20
      JOGHURT 4x 150g       1,99
      GEMUESE               3,00
      0,500 kg x 6,00 EUR/kg
      SEIFE 3 x 0,50        1,50
      TOTAL                 9,68
      20.11.2026 10:00
      """
    let read = try nest("receipt read - --new", input: text)
    #expect(read.code == 0, "\(read.errors)")
    #expect(
      try nest("stock list --plain").records.map { $0.prefix(3).joined(separator: " ") } == [
        "GEMUESE 0.5 kilogram", "HAFERMILCH 1.5 liter", "JOGHURT 600 gram", "SEIFE 3 piece",
      ])
    let next = "Corner\nHAFERMILCH 1L  2 x 1,99  3,98\nTOTAL 3,98\n21.11.2026 10:00\n"
    #expect(try nest("receipt read -", input: next).code == 0)
    #expect(try nest("stock list hafermilch --plain").records.first?[1] == "3.5")
  }

  @Test("a name that nobody knows is told with the way to make it known")
  func alias() throws {
    let nest = try Nest()
    try nest.prepare("stock new 'Oat milk' 0")
    let text = "Corner\nHFRMLCH 1L 1,99\nTOTAL 1,99\n20.11.2026 10:00\n"
    let told = try nest("receipt read -", input: text).errors
    #expect(
      told
        == "on the receipt only: HFRMLCH 1L; 'larder receipt edit \"Corner 2026-11-20\"' says what "
        + "they are, and --edit does the next time\n")
    try nest.prepare(
      "stock edit 'oat milk' --alias 'HFRMLCH 1L'", "receipt edit corner --line 'HFRMLCH 1L'")
    #expect(try nest("stock list --plain").records.first?[1] == "1")
    let things = (1...40).map { "THING \($0) 1,00\n" }.joined()
    let many = try nest("receipt read -", input: "Corner\n\(things)TOTAL 40,00\n20.11.2026 11:00\n")
    #expect(many.errors.hasPrefix("on the receipt only: THING 1, THING 2 and 38 more; "))
    #expect(many.errors.count < 200)
  }

  @Test("two receipts of one minute with other numbers are two; the same one is saved once")
  func numbers() throws {
    let nest = try Nest()
    func text(_ number: String) -> String {
      "Corner\nBREAD 2,00\nMILK 1,19\nTOTAL 3,19\n20.11.2026 10:00 \(number)\n"
    }
    #expect(try nest("receipt read -", input: text("Bon-Nr. 17")).code == 0)
    let again = try nest("receipt read -", input: text("Bon-Nr. l7"))
    #expect(again.code == 0 && again.errors.contains("it was saved before"), "\(again)")
    let other = try nest("receipt read -", input: text("Bon-Nr. 18"))
    #expect(other.code == 1 && other.errors.contains("--yes saves another one"), "\(other)")
    #expect(try nest("receipt read - --yes", input: text("Bon-Nr. 18")).code == 0)
    #expect(try nest("receipt list --plain").records.count == 2)
    #expect(
      try nest("receipt read - --yes", input: text("Bon-Nr. 18")).errors.contains("saved before"))
    // One that was saved without its number may be the same one.
    let older = "Corner\nTEA 4,00\nTOTAL 4,00\n20.11.2026 10:00\n"
    #expect(try nest("receipt read -", input: older).code == 0)
    let numbered = try nest("receipt read -", input: older + "Bon 19\n")
    #expect(numbered.code == 0 && numbered.errors.contains("if it is another one, --yes saves it"))
    #expect(try nest("receipt read - --yes", input: older + "Bon 19\n").output.hasPrefix("saved "))
    #expect(try nest("receipt list --plain").records.count == 4)
  }

  @Test(
    "two receipts that differ only in what the card terminal printed are two, and each is saved once"
  )
  func terminalNumbers() throws {
    let nest = try Nest()
    func text(_ trace: Int) -> String {
      "Corner\nBREAD 2,00\nTOTAL 2,00\n20.11.2026 10:00 Bon 17\nTerminal 5 Trace \(trace)\n"
    }
    #expect(try nest("receipt read -", input: text(88)).code == 0)
    #expect(try nest("receipt read -", input: text(88)).errors.contains("it was saved before"))
    let other = try nest("receipt read -", input: text(89))
    #expect(other.code == 1 && other.errors.contains("--yes saves another one"), "\(other)")
    for trace in [89, 88, 89] {
      #expect(try nest("receipt read - --yes", input: text(trace)).code == 0)
    }
    #expect(try nest("receipt list --plain").records.count == 2)
  }

  @Test("a day that reads both ways is told, and the hint gives the other")
  func dayBothWays() throws {
    let nest = try Nest()
    let text = "Corner\nBREAD 2.00\nTOTAL 2.00\n10/03/26 17:21\n"
    let dry = try nest("receipt read - --dry-run", input: text)
    #expect(dry.errors.contains(#"--at "2026-10-03 17:21" says so"#), "\(dry)")
    let read = try nest("receipt read -", input: text)
    #expect(
      read.errors.contains(
        "its day is read as 2026-03-10, and could be 2026-10-03: 'larder receipt edit "), "\(read)")
    let hint = read.errors.split(separator: "could be 2026-10-03: 'larder ").last?
      .split(separator: "' says so").first.map(String.init)
    #expect(try nest(try #require(hint)).code == 0)
    #expect(try nest("receipt list --plain").records.first?[0].hasPrefix("2026-10-03") == true)
    let clear = try nest("receipt read -", input: text.replacing("2.00", with: "$3.00"))
    #expect(!clear.errors.contains("could be"), "\(clear)")
  }

  @Test("a doubtful quantity, a day ahead or long ago is asked about, with the way out")
  func doubts() throws {
    let nest = try Nest()
    func read(_ line: String, _ day: String, _ options: String = "") throws -> CommandRunner.Outcome
    {
      try nest("receipt read -\(options)", input: "Corner\n\(line)\nTOTAL 4,47\n\(day) 10:00\n")
    }
    let wrong = try read("Water 8 x 1,49   4,47", "20.11.2026")
    #expect(wrong.code == 5)
    #expect(
      wrong.errors.contains("nothing was saved: the numbers of a line contradict its quantity"))
    #expect(wrong.errors.contains(":2: warning: doubtful: 8 Water, 4.47"), "\(wrong.errors)")
    let old = try read("Water 4,47", "20.11.2024")
    #expect(
      old.code == 5 && old.errors.contains("the day on it, 2024-11-20, is more than a year ago"))
    #expect(old.errors.contains("if the day is right, --at '2024-11-20 10:00' says so"))
    #expect(try read("Water 4,47", "20.11.2024", " --at '2024-11-20 10:00'").code == 0)
    let ahead = try read("Water 4,47", "20.11.2027")
    #expect(ahead.code == 5 && ahead.errors.contains("2027-11-20, is in the future"))
    let long = try nest("receipt read -", input: String(repeating: "Water 1,00\n", count: 20_000))
    #expect(long.code == 5 && long.errors.contains("has more than 5000 lines"), "\(long.errors)")
  }

  @Test("weights and sizes of packages count in the item's unit; what can't is told")
  func units() throws {
    let nest = try Nest()
    try nest.prepare(
      "stock new 'Oat drink' 0ml", "stock new Flour 0g", "stock new Rice 0g", "stock new Apples 0",
      "stock new Lemonade 0l", "stock new Cola 0", "stock new Beer 0 --unit bottle",
      "stock new 'Mehl 405' 0kg", "stock new 'Milch 3,5' 0l", "stock new Salz 0kg",
      "stock new Eier 0",
      "stock new Juice 0 --unit pack",
      "product new 4006381333931 --title 'Basmati' --item rice --pack-size 500g")
    let text = """
      Corner
      2 x 1,10
      Oat drink 1L          2,20
      Flour 2 x 0,80        1,60
      4006381333931 Basmati 3 x 2,00   6,00
      Apples                1,50
        0,500 kg x 3,00 EUR/kg
      Lemonade 6x1,5L       4,50
      Cola 330ml            0,90
      Beer 6x0,5l           5,00
      Juice 3 x 0,2 L       1,00
      MEHL 405 1KG          0,79
      MILCH 3,5 1L          1,19
      SALZ 1.000G           0,49
      EIER 10ER             2,49
      TOTAL                27,66
      20.11.2026 10:00
      """
    let read = try nest("receipt read -", input: text)
    #expect(read.code == 0, "\(read.errors)")
    let stock = try nest("stock list --json").array("items").map {
      "\($0["name"] ?? "") \($0["total"] ?? "")"
    }
    #expect(
      Set(stock) == [
        "Oat drink 2000", "Flour 0", "Rice 1500", "Apples 0", "Lemonade 9", "Cola 1", "Beer 6",
        "Juice 1", "Mehl 405 1", "Milch 3,5 1", "Salz 1", "Eier 10",
      ],
      "\(stock)")
    #expect(
      read.errors.contains("Apples is on the receipt only: Apples is counted in pieces"),
      "\(read.errors)")
    #expect(read.errors.contains("Flour is on the receipt only: Flour is counted in g"))
  }

  @Test("one that was saved by hand is asked about, and refused where nobody can be asked")
  func byHand() throws {
    let nest = try shop()
    try nest.prepare(
      "receipt save --shop 'hofmarkt süd' --at '2026-11-13 9:00' --line tea@6.28 --amount 6.28")
    let read = try nest("receipt read ../receipt.txt")
    #expect(read.code == 1)
    #expect(read.errors.contains("there is a receipt of the same shop, day and amount"))
    #expect(read.errors.contains("--yes saves another one"))
    try nest.prepare("receipt read ../receipt.txt --yes")
    #expect(try nest("receipt list --plain").records.count == 2)
  }

  @Test("two devices that read the same text count it once", arguments: ["", " --new"])
  func devices(rule: String) throws {
    let pair = try Pair("stock new Butter 1", "stock new Vollmilch 1l", "buy butter")
    try pair.larder.folder.write(Self.text, to: "receipt.txt")
    for device in ["laptop", "phone"] {
      try pair.prepare(device, "receipt read ../receipt.txt\(rule)")
    }
    try pair.settle()
    for device in ["laptop", "phone"] {
      #expect(try pair.total("Butter", on: device) == 2)
      #expect(try pair.total("Vollmilch", on: device) == 3)
      #expect(try pair(device, "receipt list --json").array("items").count == 1)
      #expect(try pair(device, "stock --json").array("items").count == (rule.isEmpty ? 2 : 3))
      #expect(try pair.list(on: device).isEmpty)
    }
  }

  @Test("a line whose amount somebody says later counts as its item; a thing is no shop")
  func saidLater() throws {
    let nest = try Nest()
    try nest.prepare("stock new Butter 500g")
    try nest.larder.folder.write(
      "CORNER SHOP\nButter 1,99\nTOTAL 1,99\n02.11.2026 10:00\n", to: "receipt.txt")
    try nest.prepare("receipt read ../receipt.txt")
    #expect(try nest("stock list butter --plain").records.first?[1] == "500")
    try nest.prepare("receipt edit corner --line butter=250g")
    #expect(try nest("stock list butter --plain").records.first?[1] == "750")

    try nest.larder.folder.write("Tea 1,19\nTOTAL 1,19\n12.11.2026\n", to: "receipt.txt")
    let shopless = try nest("receipt read ../receipt.txt")
    #expect(shopless.code == 5)
    #expect(shopless.errors.contains("shop"))
  }

  @Test("what is no UTF-8 or no text is told with what to do")
  func bytes() throws {
    let nest = try Nest()
    let files: [(String, [UInt8], String)] = [
      ("latin", Array("K".utf8) + [0xE4] + Array("se 1,00\n".utf8), "seems to be WINDOWS-1252"),
      ("kana", [0x83, 0x81, 0x83, 0x8D, 0x83, 0x93, 0x20, 0x31], "seems to be SHIFT_JIS"),
      ("wide", [0xFF, 0xFE, 0x41, 0], "seems to be UTF-16"),
      ("zeros", [0, 0, 0, 0], "is no text"), ("zip", [0x50, 0x4B, 3, 4, 0], "is an archive"),
      ("heic", [0, 0, 0, 24] + Array("ftypheic".utf8), "in the format HEIC"),
      ("long", Array(repeating: 0x41, count: 17 << 20), "is larger than 16 MiB"),
    ]
    for (name, bytes, message) in files {
      try Data(bytes).write(to: URL(filePath: nest.larder.folder(name)))
      let read = try nest("receipt read ../\(name)")
      #expect(read.code == 5, "\(name)")
      #expect(read.errors.contains(message), "\(read.errors)")
    }
    #expect(try nest("receipt read ../nothing").errors.contains("No such file"))
    #expect(try nest("receipt read ..").errors.contains("directory"))
    #expect(try nest("receipt read /dev/zero").code == 5)
  }
}
