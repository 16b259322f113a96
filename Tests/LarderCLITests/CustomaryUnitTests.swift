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
}
