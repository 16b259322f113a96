import TestSupport
import Testing

private let end = "9998-12-31T23:59:59.999Z"

@Suite("A time at the end of time")
struct EndOfTimeTests {
  /// Milk whose name and count have the last time there is, as a program with a broken clock leaves it.
  private func nest() throws -> HouseholdFixture {
    let nest = try HouseholdFixture([
      "stock/milk.json": Written.item(
        1, "Milk",
        """
        "edited": { "name": "\(end)" },
          "changes": [ {
            "id": "ffffffff-0000-7000-8000-000000000001", "at": "\(end)", "set": 42,
            "why": "count", "by": "toaster" } ]
        """)
    ])
    try #require(try nest("adopt").code == 0)
    return nest
  }

  @Test("a count or a value that would not stand is refused, with who wrote the time")
  func refused() throws {
    let nest = try nest()
    let head = try nest.git("rev-parse", "HEAD")
    for words in [
      ["stock", "count", "milk", "3"], ["stock", "edit", "milk", "--name", "Aarrowroot"],
    ] {
      let outcome = try nest.run(words)
      #expect(outcome.code == 1)
      #expect(
        outcome.errors.contains(
          "this change of Milk would have no effect: its value carries the time")
      )
      #expect(outcome.errors.contains("written by laptop in \(head.prefix(7))"))
      #expect(outcome.output == "")
    }
    #expect(try nest.git("rev-parse", "HEAD") == head)
    #expect(try nest.git("status", "--porcelain") == "")
  }

  @Test("what does stand is done: uses, other fields, and making another one in its place")
  func done() throws {
    let nest = try nest()
    #expect(try nest("stock", "use", "milk", "2").output.contains("40 left"))
    #expect(try nest("stock", "edit", "milk", "--category", "Dairy").code == 0)
    #expect(try nest("stock", "archive", "milk").code == 0)
    #expect(try nest("stock", "new", "Milk", "--in-stock", "3").code == 0)
    #expect(try nest("stock", "--json").array("items").map { $0["total"] as? Int } == [3])
  }

  @Test("an edit by hand that does not stand is told, and leaves the file as it means")
  func byHand() throws {
    let nest = try nest()
    let text = try nest.read("stock/milk.json")
    let edited = text.replacing("\"quantityInStock\": 42", with: "\"quantityInStock\": 3")
      .replacing("\"name\": \"Milk\"", with: "\"name\": \"Arrowroot\"")
    try nest.write(edited, to: "stock/milk.json")
    let outcome = try nest("stock", "edit", "milk", "--category", "Dairy")
    #expect(outcome.code == 0)
    #expect(
      outcome.errors.contains("stock/milk.json: this edit has no effect"), "\(outcome.errors)")
    #expect(outcome.errors.contains("name"))
    let item = try #require(try nest("stock", "--json").array("items").first)
    #expect(item["name"] as? String == "Milk")
    #expect(try nest.git("status", "--porcelain") == "")
  }
}
