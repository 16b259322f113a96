import Foundation
import TestSupport
import Testing

@Suite("A household in a spreadsheet")
struct ImportCSVTests: SpreadsheetSuite {
  @Test("is a table of each sort, which changes nothing when it comes back")
  func tables() throws {
    let nest = try kitchen()
    let head = try nest.subjects().first
    for table in ["stock", "batches", "shopping", "receipts", "locations", "products"] {
      let text = try nest("export csv \(table)")
      #expect(text.code == 0 && text.errors.isEmpty, "\(text.errors)")
      #expect(text.output.hasPrefix("id,"))
      let taken = try take(text.output, in: nest)
      #expect(taken.errors == "nothing changed: there is nothing new in it\n", "\(table)")
    }
    #expect(try nest.subjects().first == head)
    #expect(
      nest.normalized(try nest("export csv category:dairy").output)
        .replacing(/g[0-9a-f]{12}/, with: "VERSION") == """
          id,name,total,unit,category,quantityFullStock,quantityMinimum,keepsDays,storageLocationId,aliases,products,note,asOf\r
          ID,Milk,8,liter,Dairy,6,,,,,,,VERSION\r

          """)
  }

  @Test("takes edited quantities as counts, and what else was edited, in one commit")
  func edited() throws {
    let nest = try kitchen()
    let table = try nest("export csv").output
      .replacing(",Milk,8,liter,Dairy,6", with: ",Oat milk,7.5,liter,Drinks,5")
    let tried = try take(table, in: nest, "--dry-run")
    #expect(tried.errors.hasPrefix("nothing is changed; without --dry-run it would be so:"))
    #expect(try nest.subjects().first?.hasPrefix("save a receipt") == true)
    let taken = try take(table, in: nest)
    #expect(taken.code == 0)
    #expect(taken.errors == "2 rows: 0 new, 1 changed, 1 counted\n")
    #expect(try nest.subjects().first == "import 2 rows of stock")
    #expect(
      try nest("stock list milk --plain").records.first?.prefix(5)
        == ["Oat milk", "7.5", "liter", "5", "Drinks"])
    try nest.prepare("undo")
    #expect(try nest("stock list milk --plain").records.first?[1] == "8")
  }

  @Test("what others changed since the export stands, and what both changed is told")
  func meanwhile() throws {
    let nest = try kitchen()
    let stock = try nest("export csv").output
    let receipts = try nest("export csv receipts").output
    let list = try nest("export csv shopping").output
    let rewritten = stock.replacing("Milk,8,", with: "Milk,8.0,")
    #expect(
      try take(rewritten, in: nest).errors == "nothing changed: there is nothing new in it\n")
    try nest.prepare(
      "use milk 1l", "use eggs 2", "stock edit milk --category Drinks", "stock edit eggs --full 12",
      "receipt edit corner --line gum=1@@9.99", "shop edit bread 3")

    let taken = try take(stock.replacing("Eggs,6,piece,,0", with: "Eggs,10,piece,,24"), in: nest)
    #expect(taken.code == 0, "\(taken.errors)")
    #expect(
      taken.errors.contains(
        "Eggs: total is now '10' as in the table; since the export somebody had changed '6' to '4'")
    )
    #expect(taken.errors.contains("had changed '0' to '12'"))
    let rows = try nest("stock list --plain").records.map { Array($0.prefix(5)) }
    #expect(rows == [["Eggs", "10", "piece", "24", ""], ["Milk", "7", "liter", "6", "Drinks"]])

    let shop = receipts.replacing("Corner", with: "Corner shop")
    #expect(try take(shop, in: nest).code == 0)
    #expect(try nest("receipt show 'corner shop'").output.contains("9.99"))
    #expect(try take(list, in: nest).errors.contains("nothing changed"))
    #expect(
      try take(rewritten, in: nest).errors.contains(
        "2 rows were changed here since the export; these changes are kept"))
    #expect(try nest("shop list bread --plain").output.contains("3"))
  }

  @Test(
    "a version that is not here, and numbers in a unit that is no longer the thing's, are refused")
  func otherVersions() throws {
    let nest = try kitchen()
    let stock = try nest("export csv stock milk").output
    let edited = stock.replacing("Milk,8,", with: "Milk,3,")
    let unknown = try take(edited.replacing(/g[0-9a-f]{12}/, with: "g0123456789ab"), in: nest)
    #expect(unknown.code == 5)
    #expect(unknown.errors.contains("from the version g0123456789ab, which is not here"))
    try nest.prepare("stock edit milk --unit ml")
    let other = try take(edited, in: nest)
    #expect(other.errors.contains("the unit of Milk was changed since the export"))
    #expect(try take(stock, in: nest).errors.contains("nothing changed"))
    let plain = try take(edited.replacing(/g[0-9a-f]{12}/, with: ""), in: nest)
    #expect(plain.code == 0)
    #expect(try nest("stock list milk --plain").records.first?[1] == "3")
  }

  @Test("keeps the minimum as it is where only the unit changed, and no batch in a unit of its own")
  func otherUnits() throws {
    let nest = try Nest()
    try nest.prepare(
      "stock new Butter 500g --minimum 250g", "stock new Beer 10 --unit bottle --expiry 2026-12-02")
    let butter = try nest("export csv stock butter").output
    #expect(
      try take(butter.replacing("Butter,500,gram", with: "Butter,0.5,kg"), in: nest).code == 0)
    #expect(try nest("show butter").output.contains("minimum: 0.25 kg"))
    #expect(try nest("low --plain").records.isEmpty)
    for refused in [
      try nest("stock edit beer --unit l"),
      try take(
        try nest("export csv stock beer").output.replacing("10,bottle", with: "8,liter"), in: nest),
    ] {
      #expect(refused.code != 0)
      #expect(refused.errors.contains("the unit of Beer can't become liter"))
    }
    #expect(try nest("stock list beer --plain").records.first?[1] == "10")
  }

  @Test("a unit that alone was changed in an exported row changes no amount")
  func unitAlone() throws {
    let nest = try Nest()
    try nest.prepare("stock new Flour 1500g --full 2000g")
    let table = try nest("export csv").output
    #expect(try take(table.replacing(",gram,", with: ",kg,"), in: nest).code == 0)
    #expect(
      try nest("stock list --plain").records.first?.prefix(4) == ["Flour", "1.5", "kilogram", "2"])
  }

  @Test("of one thing is named by its table and the thing")
  func oneThing() throws {
    let nest = try kitchen()
    let refused = try nest("export csv milk")
    #expect(refused.code == 2)
    #expect(refused.errors.contains("did you mean 'stock milk'?"))
    #expect(try nest("export csv recepts").errors.contains("did you mean 'receipts'?"))
    #expect(try nest("export csv stock milk").output.contains(",Milk,8,"))
  }

  @Test("counts, moves and dates batches, and makes the places that it names")
  func batches() throws {
    let nest = try kitchen()
    let table = try nest("export csv batches").output
    let taken = try take(
      table.replacing(
        "Milk,2,liter,Fridge,2026-12-01,,,", with: "Milk,1500,ml,Cellar,24.12.2026,,L7,sour"),
      in: nest)
    #expect(taken.code == 0, "\(taken.errors)")
    #expect(taken.errors == "1 row: 1 new, 1 changed, 1 counted\n")
    #expect(
      try nest("stock list --batches --plain").records.first?.prefix(6)
        == ["Milk", "1.5", "liter", "2026-12-24", "Cellar", "L7"])
    let changed = try nest("export csv batches").output
    #expect(try take(changed, in: nest).errors.hasPrefix("nothing changed"))
    let refused = try take(changed.replacing(",Milk,", with: ",Soy milk,"), in: nest)
    #expect(
      refused.code == 5 && refused.errors.contains("name can't be changed here; it was 'Milk'"))
    let emptied = try take(changed.replacing("2026-12-24", with: ""), in: nest)
    #expect(emptied.code == 0, "\(emptied.errors)")
    #expect(try nest("stock list --batches --plain").records.first?[3] == "")
    #expect(try take(table, in: nest, "--kind locations").code == 5)
  }

  @Test("says which thing is gone, instead of bringing it back")
  func gone() throws {
    let nest = try kitchen()
    let table = try nest("export csv").output
    try nest.prepare("stock archive eggs")
    #expect(try take(table, in: nest).errors.hasPrefix("nothing changed"))
    let refused = try take(table.replacing(",Eggs,6", with: ",Eggs,7"), in: nest)
    #expect(refused.code == 5)
    #expect(refused.errors.contains("Eggs is archived: 'larder stock restore Eggs' brings it back"))
  }

  @Test("follows corrections of receipts with the stock")
  func receipts() throws {
    let nest = try kitchen()
    let table = try nest("export csv receipts").output
    let taken = try take(
      table.replacing("Milk,2,liter,3.3", with: "Milk,3,liter,4.95")
        .replacing("Corner", with: "Corner shop"), in: nest)
    #expect(taken.code == 0, "\(taken.errors)")
    #expect(try nest("stock list milk --plain").records.first?[1] == "9")
    #expect(try nest("receipt list --plain").records.first?[1] == "Corner shop")
    let torn = table.split(separator: "\r\n").map(String.init)
    let two = [
      torn[0], torn[1].replacing("Corner", with: "A"), torn[2].replacing("Corner", with: "B"),
    ]
    let refused = try take(two.joined(separator: "\n"), in: nest)
    #expect(refused.code == 5)
    #expect(refused.errors.contains("../table.csv:3:"))
    #expect(refused.errors.contains("line 2 says another shopName of the same receipt"))
  }

  @Test("leaves formulas harmless, and names as they are")
  func formulas() throws {
    let nest = try Nest()
    try nest.prepare("stock new '=HYPERLINK(\"http://x\")' 1", "stock new '-5 below' 2")
    let table = try nest("export csv").output
    #expect(table.contains(",\"'=HYPERLINK(\"\"http://x\"\")\",1,"))
    #expect(table.contains(",'-5 below,2,"))
    #expect(try take(table, in: nest).errors.hasPrefix("nothing changed"))
  }

  @Test("goes to a file with -o, and comes as one JSON object with --json")
  func outputs() throws {
    let nest = try kitchen()
    let written = try nest("export csv -o ../out.csv")
    #expect(written.output.isEmpty && written.errors == "wrote 2 items to ../out.csv\n")
    let text = try nest("export csv").output
    #expect(try nest.larder.folder.read("out.csv") == text)
    #expect(try nest("export csv --json").json()["text"] as? String == text)
    #expect(try nest("export csv -o ../no/out.csv").errors.contains("no/out.csv"))
    #expect(try nest("export csv -o ../out.csv").code == 0)
  }

  @Test("replaces no file with something else in it, unless somebody says so")
  func replaced() throws {
    let nest = try kitchen()
    let text = try nest("export csv").output
    let edited = text.replacing("Eggs,6", with: "Eggs,5")
    try nest.larder.folder.write(edited, to: "out.csv")
    let refused = try nest("export csv -o ../out.csv")
    #expect(refused.code == 1)
    #expect(refused.errors.contains("../out.csv is there already, with something else in it"))
    #expect(try nest.larder.folder.read("out.csv") == edited)
    try nest.prepare("export csv -o ../out.csv --yes")
    #expect(try nest.larder.folder.read("out.csv") == text)
    let link = nest.larder.folder("link.csv")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "real.csv")
    try nest.larder.folder.write("", to: "real.csv")
    try nest.prepare("export csv -o ../link.csv --yes", "export csv -o /dev/null")
    #expect(try nest.larder.folder.read("real.csv") == text)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "real.csv")
    let files = FileManager.default
    #expect(
      try files.attributesOfItem(atPath: "/dev/null")[.type] as? FileAttributeType
        == .typeCharacterSpecial)
    let hidden = nest.larder.folder("real.csv")
    try files.setAttributes([.posixPermissions: 0o600], ofItemAtPath: hidden)
    try nest.prepare("stock edit milk --note x", "export csv -o ../real.csv --yes")
    #expect(
      try files.attributesOfItem(atPath: hidden)[.posixPermissions] as? Int == 0o600)
    try files.createSymbolicLink(
      atPath: nest.larder.folder("far.csv"), withDestinationPath: "new.csv")
    try nest.prepare("export csv -o ../far.csv")
    #expect(try nest.larder.folder.read("new.csv").hasPrefix("id,"))
  }
}
