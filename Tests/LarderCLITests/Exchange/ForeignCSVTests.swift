import Foundation
import TestSupport
import Testing

@Suite("Tables of other people")
struct ForeignCSVTests: SpreadsheetSuite {
  @Test("with amounts in a column that nobody knows is refused, unless somebody says which it is")
  func unknownAmounts() throws {
    let nest = try kitchen()
    let refused = try take("Name;Wieviel\nSalz;3\n", in: nest)
    #expect(refused.code == 5)
    #expect(refused.errors.contains("no column says how much there is"))
    #expect(refused.errors.contains("--map \"Wieviel=total\""))
    #expect(try take("Name;Wieviel\nSalz;3\n", in: nest, "--map Wieviel=total").code == 0)
    #expect(try nest("stock list salz --plain").records.first?[1] == "3")
    #expect(try take("Name;Wieviel\nPfeffer;3\n", in: nest, "--map Wieviel=").code == 0)
    #expect(try take("PK\u{3}\u{4}xx", in: nest).errors.contains("a spreadsheet's own file"))
  }

  @Test("with a point before three digits, beside decimal commas, asks what is meant")
  func thousands() throws {
    let nest = try Nest()
    let taken = try take("Name;Menge;Einheit\nReis;1.500;g\nMehl;2,5;kg\nSalz;0.125;kg\n", in: nest)
    #expect(taken.code == 5)
    #expect(taken.errors.contains(":2:6: '1.500' is no amount"))
    #expect(!taken.errors.contains(":4:"))
    let money = try take("Date;Shop;Item;Price\n4.11.2026;Market;Radio;1.299\n", in: nest)
    #expect(money.errors.contains("'1.299' is no sum of money"))
    #expect(try take("Name,Qty,Unit\nReis,1.500,kg\n", in: nest).code == 0)
  }

  @Test("takes days with a time, German pieces, and other words for a field of --map")
  func forms() throws {
    let nest = try Nest()
    let table = "Artikel;Menge;Einheit;MHD;Wo\nEier;10;Stk;2027-04-03 00:00:00;Keller\n"
    #expect(try take(table, in: nest, "--map Wo=Ort").code == 0)
    #expect(
      try nest("stock list --batches --plain").records.first?.prefix(5)
        == ["Eier", "10", "piece", "2027-04-03", "Keller"])
    let wrong = try take("Name;Qty;Wo\nSalz;1;Keller\n", in: nest, "--kind stock --map Wo=location")
    #expect(wrong.code == 5)
    #expect(
      wrong.errors.contains(
        "'Wo' can't be location: the table stock has no such column, but batches"))
    #expect(wrong.errors.contains("--kind batches"))
  }

  @Test("of receipts has one receipt for the rows of one shop and time, however they are written")
  func oneReceipt() throws {
    let nest = try Nest()
    let text = """
      Date;Shop;Item;Price;Amount
      6.11.2026;Market;Apples;3,5;7
      6.11.26;market;Pears;3,50;7,00
      7.11.2026;Market;Tea;2;5
      7.11.2026;Market;Jam;3;

      """
    #expect(try take(text, in: nest).code == 0)
    #expect(try nest("receipt list --plain").records.count == 2)
    #expect(try nest("spending --plain").records.map { $0[2] } == ["12"])
  }

  @Test("has headings in other languages, too")
  func languages() throws {
    for head in [
      "Artikel;Menge;Einheit;Haltbar bis;Lagerort",
      "PRODUIT;Quantité;Unité;Date de péremption;Lieu",
      "Producto;Cantidad;Unidad;Caducidad;Ubicación", "Nama;Kuantiti;Unit;Tarikh luput;Tempat",
    ] {
      let nest = try Nest()
      let taken = try take(head + "\nMehl;1,5;kg;24.12.2026;Keller\n", in: nest)
      #expect(taken.code == 0, "\(taken.errors)")
      let row = try nest("stock list --batches --plain").records.first
      #expect(row?.prefix(5) == ["Mehl", "1.5", "kilogram", "2026-12-24", "Keller"], "\(head)")
    }
  }

  @Test("may say of a batch what its item is like, once and without a contradiction")
  func itemsOfBatches() throws {
    let nest = try Nest()
    let table = """
      Item,Qty,Unit,Category,Min,Barcode,Place,Best before
      Flour,500,g,Baking,1000,4006381333931,Cellar,2027-01-01
      Flour,2,kg,Baking,,,Kitchen,2027-03-01
      Milk,2,l,Dairy,,,Fridge,

      """
    #expect(try take(table, in: nest).code == 0)
    #expect(
      try nest("stock list --plain").records.map { $0.prefix(5) } == [
        ["Flour", "2500", "gram", "0", "Baking"], ["Milk", "2", "liter", "0", "Dairy"],
      ])
    #expect(try nest("show flour").output.contains("minimum: 1000 g"))
    #expect(try nest("show 4006381333931").output.contains("Flour"))
    #expect(try take(table, in: nest).errors.contains("nothing changed"))
    let both = try take(table.replacing("2,kg,Baking", with: "2,kg,Nuts"), in: nest)
    #expect(both.errors.contains(":3:12: line 2 says another category of Flour"))
    let other = try take(table.replacing("Baking", with: "Staples"), in: nest)
    #expect(other.code == 0, "\(other.errors)")
    #expect(try nest("stock list category:staples --plain").records.map { $0[0] } == ["Flour"])
  }

  @Test("tells of stock that stays loose beside new batches, and of locations that look like slips")
  func beside() throws {
    let nest = try Nest()
    try nest.prepare("location new Cellar", "location new 'Box 1'", "stock new Flour 2kg")
    let table = "Item,Qty,Unit,Place\nFlour,2,kg,Celler\nSalt,1,kg,Box 2\n"
    let taken = try take(table, in: nest)
    #expect(taken.code == 0)
    #expect(
      taken.errors.contains(
        "the location Celler is new; if Cellar was meant, 'larder undo' takes the import back"))
    #expect(!taken.errors.contains("Box 1"))
    #expect(taken.errors.contains("the loose stock of Flour is kept"))
    try nest.prepare("stock count flour 2kg")
    #expect(try take(table, in: nest).errors.contains("nothing changed"))
    let counted = try take("Item,Qty,Unit,Place\nFlour,1,kg,Cellar\nFlour,1,kg,\n", in: nest)
    #expect(!counted.errors.contains("stays beside"))
  }

  @Test("without dates counts the one batch in a place, and asks if there are several")
  func severalBatches() throws {
    let nest = try Nest()
    try nest.prepare(
      "location new Fridge", "stock new Milk 0l --keeps 7",
      "put milk 1l --location fridge --expiry 2026-11-25", "put milk 2l --location fridge")
    let table = "Item,Place,Qty,Unit\nMilk,Fridge,3,l\n"
    let unclear = try take(table, in: nest)
    #expect(unclear.code == 5)
    #expect(unclear.errors.contains(":2:1: there are 2 batches of Milk in this place"))
    try nest.prepare("use milk 1l")
    for _ in 1...2 {
      #expect(try take(table, in: nest).code == 0)
      #expect(try nest("stock list --plain").records.first?[1] == "3")
    }
    try nest.prepare("stock new Tea 0")
    let two = "Item,Place,Qty,Expires\nTea,Fridge,2,2027-01-01\nTea,Fridge,3,\n"
    for _ in 1...2 {
      #expect(try take(two, in: nest).code == 0)
      #expect(try nest("stock list tea --plain").records.first?[1] == "5")
    }
  }

  @Test("of products gives no number to two of them, and brings none back")
  func products() throws {
    let nest = try Nest()
    try nest.prepare(
      "product new 4006381333931 --title Oats --brand Field",
      "product new 5032987400110 --title Milk")
    let table = try nest("export csv products").output
    let taken = try take(
      table.replacing("Milk,,,,5032987400110", with: "Milk,,,,4006381333931"), in: nest)
    #expect(taken.code == 5, "\(table)")
    #expect(taken.errors.contains("Oats"), "\(taken.errors)")
    try nest.prepare("product archive oats")
    let gone = try take("title,barcode\nOats new,4006381333931\n", in: nest, "--kind products")
    #expect(gone.code == 5)
    #expect(gone.errors.contains("archived"), "\(gone.errors)")
  }

  @Test("of other people has headings that are understood, and makes what is new, once")
  func guessed() throws {
    let nest = try kitchen()
    let table = """
      \u{FEFF}Item;Best before;Place;Qty;Colour
      Eggs;24.12.2026;Cellar;10;brown
      Butter;;;0,25 kg;
      Milk;2026-12-01;Fridge;1,5;

      """
    let taken = try take(table, in: nest)
    #expect(taken.code == 0, "\(taken.errors)")
    #expect(
      taken.errors == """
        not read: the column 'Colour'; --map 'COLUMN=FIELD' says what one is
        warning: the loose stock of Eggs is kept beside the new batches; if it is the same stock, 'larder stock count Eggs AMOUNT' says how much there is
        3 rows: 3 new, 1 changed, 2 counted

        """)
    #expect(
      try nest("stock list --plain").records.map { Array($0.prefix(3)) } == [
        ["Butter", "0.25", "kilogram"], ["Eggs", "16", "piece"], ["Milk", "7.5", "liter"],
      ])
    #expect(
      try take(table, in: nest).errors.hasSuffix("nothing changed: there is nothing new in it\n"))
    let mapped = try take("Sache,Vorrat\nTea,3\n", in: nest, "--map Sache=name --map Vorrat=total")
    #expect(mapped.code == 0, "\(mapped.errors)")
    #expect(try nest("stock list tea --plain").records.first?[1] == "3")
    let shopping = try take("name,qty,done\nbread,2,no\ncake,1,x\n", in: nest)
    #expect(shopping.errors == "2 rows: 1 new, 1 changed\n")
    let receipts = "date,shop,item,qty,price\n2026-11-21 18:30,Aldi,Eggs,12,\"2,99\"\n"
    #expect(try take(receipts, in: nest).errors == "1 row: 1 new, 0 changed\n")
    #expect(try nest("stock list eggs --plain").records.first?[1] == "28")
    #expect(try take(receipts, in: nest).errors.hasPrefix("nothing changed"))
    let products = "title,brand,pack size,unit,barcode\nOats,Field,500,g,4006381333931\n"
    #expect(try take(products, in: nest, "--kind products").errors == "1 row: 1 new, 0 changed\n")
    #expect(try take(products, in: nest, "--kind products").errors.hasPrefix("nothing changed"))
  }

  @Test("tells all mistakes with line and column, and imports nothing")
  func mistakes() throws {
    let nest = try kitchen()
    let eggs = try #require(nest("stock list eggs --json").array("items").first?["id"] as? String)
    let fridge = try #require(nest("location list --json").array("items").first?["id"] as? String)
    let head = try nest.subjects().first
    let refused = try take(
      """
      id,name,total,keepsDays,products,aliases
      \(eggs),Eggs,lots,soon,,
      \(eggs),Eggs,3,,,
      \(fridge),Fridge,,,,
      0192f0c4-0000-7000-8000-000000000009,Ham,1,,,
      ,Rice,-1,,4.00638E+12,
      ,Tea,"1,000",,,
      ,Jam,1,,,Eggs
      ,"Soap" x,1,,,
      ,Salt,1,,,,,7
      """, in: nest)
    #expect(refused.code == 5)
    let told = nest.normalized(refused.errors)
    #expect(told == (try Golden.kept("import-csv-mistakes.txt", now: told)))
    #expect(try nest.subjects().first == head)
    #expect(try nest.isClean())
    let json = try take("name,total\nx,y\nz,1/0\n", in: nest, "--json")
    let error = try #require(json.json()["error"] as? [String: Any])
    #expect((error["problems"] as? [[String: Any]])?.map { $0["line"] as? Int } == [2, 3])
  }

  @Test("refuses headings and encodings that it can't be sure of, with words")
  func unsure() throws {
    let nest = try kitchen()
    let cases: [(text: String, options: String, told: String)] = [
      ("", "", "the file has no headings"),
      ("a,b\n1,2\n", "", "no heading is known: 'a', 'b'"),
      ("name,Name,total\nx,y,1\n", "", "../table.csv:1:6: this column is name too, as 'name' is"),
      (
        "name,total\nx,1\n", "--map qty=total",
        "there is no column 'qty'; there are 'name', 'total'"
      ),
      ("name,total\n\"x,1\n", "", "../table.csv:2:1: this quote is never closed"),
    ]
    for (text, options, told) in cases {
      let refused = try take(text, in: nest, options)
      #expect(refused.code == 5, "\(text)")
      #expect(refused.errors.contains(told), "\(refused.errors)")
    }
    #expect(try take("name\nx\n", in: nest, "--map name=nmae").code == 2)
    #expect(try nest("export csv recipts").errors.contains("receipts"))
    #expect(try nest("import csv ../none.csv").errors.contains("could not read ../none.csv"))
    let path = nest.larder.folder("table.csv")
    try Data(Array("name,total\nK".utf8) + [0xE4] + Array("se,2\n".utf8)).write(
      to: URL(filePath: path))
    let refused = try nest("import csv ../table.csv")
    #expect(refused.errors.contains("line 2 is no UTF-8 (byte E4)"))
    #expect(refused.errors.contains("--encoding windows-1252"))
    try nest.prepare("import csv ../table.csv --encoding latin1")
    #expect(try nest("stock list käse --plain").records.first?[1] == "2")
    let wide = "name\ttotal\nŽito\t2\n".data(using: .utf16) ?? Data()
    try wide.write(to: URL(filePath: path))
    try nest.prepare("import csv ../table.csv")
    #expect(try nest("stock list zito --plain").records.first?[1] == "2")
  }

  @Test("of a million rows is answered soon, in bounded memory")
  func million() throws {
    let nest = try Nest()
    let row = Array("Tea number 1,1\n".utf8)
    var text = Array("name,total\n".utf8)
    text.reserveCapacity(text.count + row.count * 1_000_000)
    for _ in 0..<1_000_000 { text += row }
    try Data(text).write(to: URL(filePath: nest.larder.folder("table.csv")))
    let began = ContinuousClock.now
    let refused = try nest("import csv ../table.csv")
    #expect(refused.code == 5)
    #expect(refused.errors.contains("the file has more than 200000 rows"))
    #expect(ContinuousClock.now - began < .seconds(60))
  }
}
