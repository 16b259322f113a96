import Foundation
import TestSupport
import Testing

@Suite("Tables of other people")
struct ForeignCSVTests: SpreadsheetSuite {
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

  @Test(
    "with more new things than one commit takes is refused before they are made",
    arguments: ["name,total", "item,completed", "location"])
  func manyNew(_ heading: String) throws {
    let nest = try Nest()
    try nest.prepare("stock new Milk 1")
    let rows = (0..<100_001).map { number in
      switch heading {
      case "item,completed": "Thing \(number),no"
      case "location": "Shelf \(number)"
      default: "Thing \(number),1"
      }
    }
    let path = nest.larder.folder("table.csv")
    try ([heading] + rows).joined(separator: "\n")
      .write(toFile: path, atomically: true, encoding: .utf8)
    let table = [
      "name,total": "stock", "item,completed": "shopping",
    ]
    let name = table[heading] ?? "locations"
    let text = name == "locations" ? "name" : heading
    try ([text] + rows).joined(separator: "\n")
      .write(toFile: path, atomically: true, encoding: .utf8)
    let began = ContinuousClock.now
    let refused = try nest("import csv ../table.csv --kind \(name)")
    #expect(refused.code == 5)
    #expect(refused.errors.contains("new things"), "\(refused.errors)")
    #expect(ContinuousClock.now - began < .seconds(30))
  }
}
