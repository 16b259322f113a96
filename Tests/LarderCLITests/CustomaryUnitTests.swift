import TestSupport
import Testing

@testable import LarderCLI

@Suite("Pounds, ounces, gallons and cups")
struct CustomaryUnitTests {
  private func total(_ item: String, in nest: Nest) throws -> [String] {
    try nest("stock list --plain").records.first { $0[0] == item }.map { Array($0[1...2]) } ?? []
  }

  @Test(
    "count exactly in what is weighed or measured, however they are written",
    arguments: [
      ("1kg", "flour 5lb", "3.267962", "kilogram"), ("0g", "flour 1 pound", "453.59237", "gram"),
      ("0g", "flour 8oz", "226.796185", "gram"), ("0g", "flour 1/2 lb", "226.796185", "gram"),
      ("0g", "flour '½ lbs'", "226.796185", "gram"),
      ("0g", "'8 ounces' flour", "226.796185", "gram"),
      ("0ml", "flour 1gal", "3785.411784", "milliliter"),
      ("0l", "flour 1 gallon", "3.785412", "liter"),
      ("0ml", "flour 2 quarts", "1892.705892", "milliliter"),
      ("0ml", "flour 1 pt", "473.176473", "milliliter"),
      ("0ml", "flour 2 cups", "473.176473", "milliliter"),
      ("0ml", "flour 12 fl oz", "354.882355", "milliliter"),
      ("0ml", "flour '12 fl. oz.'", "354.882355", "milliliter"),
      ("0ml", "flour 128oz", "3785.411784", "milliliter"),
      ("0ml", "flour 1 imperial pint", "568.26125", "milliliter"),
      ("0ml", "flour 16 tbsp", "236.588236", "milliliter"),
      ("0ml", "flour 48 teaspoons", "236.588236", "milliliter"),
    ])
  func metric(there: String, typed: String, total: String, unit: String) throws {
    let nest = try Nest()
    try nest.prepare("stock new Flour \(there)")
    let put = try nest("put \(typed)")
    #expect(put.code == 0, "\(put.errors)")
    #expect(try self.total("Flour", in: nest) == [total, unit])
  }

  @Test(
    "what is counted in one of them takes the others by their ratios, in any spelling",
    arguments: [
      ("2lb", "8 oz", "2.5", "lb"), ("2 pounds", "3 lbs", "5", "lb"),
      ("1gal", "1 qt", "1.25", "gal"),
      ("2oz", "1lb", "18", "oz"), ("1 --unit lbs", "1 pound", "2", "lb"),
      ("2lb", "453.59237g", "3", "lb"), ("2 cups", "3 cups", "5", "cup"),
      ("16oz", "1 gal", "144", "oz"),
    ])
  func own(there: String, added: String, total: String, unit: String) throws {
    let nest = try Nest()
    try nest.prepare("stock new Apples \(there)", "put apples \(added)")
    #expect(try self.total("Apples", in: nest) == [total, unit])
    try nest.prepare("use apples \(added)", "count apples \(added)", "buy apples \(added)")
    #expect(try nest("check").code == 0)
  }

  @Test("what a file has counted in them stays as it is, and converts to nothing by itself")
  func files() throws {
    let nest = try Nest()
    try nest.write(
      #"{"name": "Apples", "quantityInStock": 2, "unit": "pounds"}"#, to: "stock/apples.json")
    #expect(try total("Apples", in: nest) == ["2", "pounds"])
    try nest.prepare("put apples 1lb", "use apples 8oz")
    #expect(try total("Apples", in: nest) == ["2.5", "pounds"])
    let text = try nest("export csv stock").output
    try nest.write(text, to: "../stock.csv")
    #expect(try nest("import csv ../stock.csv --kind stock").errors.contains("nothing changed"))
  }

  @Test("weight is no volume, and nobody knows how much a cup of yoghurt is")
  func refused() throws {
    let nest = try Nest()
    try nest.prepare("stock new Milk 1l", "stock new Flour 1kg", "stock new Yoghurt '2 cups'")
    for line in ["put milk 1lb", "put flour 1gal", "put flour '1 fl oz'", "put yoghurt 500g"] {
      let refused = try nest(line)
      #expect(refused.code == 2 && refused.errors.contains("can't be converted"), "\(line)")
    }
  }

  @Test("which ounce and whose pint was taken is told, with how to say the other")
  func told() throws {
    let nest = try Nest()
    try nest.prepare("stock new Milk 1l", "stock new Flour 1kg")
    #expect(
      try nest("put milk 1pt").errors.contains(
        "1 pt is taken as US; '1 imperial pt' is 568.26125 ml"))
    #expect(try nest("put milk 8oz").errors.contains("taken as fluid ounces"))
    #expect(try nest("buy milk 2gal").errors.contains("imperial gal"))
    for line in [
      "put milk 1 us pint", "put milk '1 imperial pint'", "put flour 8oz", "put milk 1 cup",
    ] {
      #expect(try nest(line).errors.isEmpty, "\(line)")
    }
    try nest.prepare("config currency GBP", "count milk 0")
    let put = try nest("put milk 2 pints")
    #expect(
      put.errors.contains("as the household counts in GBP; '2 us pt' is 946.352946 ml"), "\(put)")
    #expect(try nest("stock list milk --plain").records[0][1] == "1.136522")
  }

  @Test("a receipt's pounds count in an item that is counted in pounds, read or typed")
  func receipts() throws {
    let nest = try Nest()
    try nest.prepare(
      "stock new Bananas 2lb", "stock new Flour 0g", "stock new Juice 0ml", "stock new Tea 0")
    let text = """
      PUBLIX
      11/12/2026 10:15
      BANANAS
       2.10 lb @ 0.69/ lb   1.45 F
      FLOUR 5LB             3.00
      JUICE 64 FL OZ        4.00
      TOTAL  8.45
      """
    let read = try nest("receipt read -", input: text)
    #expect(read.code == 0, "\(read.errors)")
    #expect(try total("Bananas", in: nest) == ["4.1", "lb"])
    #expect(try total("Flour", in: nest) == ["2267.96185", "gram"])
    #expect(try total("Juice", in: nest) == ["1892.705892", "milliliter"])
    try nest.prepare(
      "receipt save --shop Corner --line bananas=1lb --line flour=1lb",
      "receipt edit publix --line bananas=48oz")
    #expect(try total("Bananas", in: nest) == ["6", "lb"])
    #expect(try total("Flour", in: nest) == ["2721.55422", "gram"])
  }

  @Test("packs, minimum, filters, tables and other lists take them too")
  func elsewhere() throws {
    let nest = try Nest()
    try nest.prepare(
      "stock new Flour 0g --full 5lb --minimum 1lb",
      "product new 4006381333931 --title Flour --item flour --pack-size 5lb", "put 4006381333931")
    #expect(
      try nest("stock list --plain").records[0][1...3] == ["2267.96185", "gram", "2267.96185"])
    #expect(try nest("stock list 'total>=5lb' --plain").records.count == 1)
    #expect(try nest("stock list 'total<79oz' --plain").records.isEmpty)
    try nest.write("item,quantity\nFlour,10lb\n", to: "../stock.csv")
    let imported = try nest("import csv ../stock.csv --kind stock")
    #expect(imported.code == 0, "\(imported.errors)")
    try nest.prepare("stock edit flour --minimum 2lb", "buy flour 2lb")
    #expect(try nest("shop --plain").records[0][2...3] == ["907.18474", "gram"])
    try nest.prepare(
      "buy apples 3 lbs", "stock new Apples 0kg", "receipt save --shop A --line apples")
    #expect(try total("Apples", in: nest) == ["1.360777", "kilogram"])
  }
}
