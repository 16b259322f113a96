import TestSupport
import Testing

@Suite("Lots and receipts by a day as people write it")
struct NamedLotTests {
  private func kitchen() throws -> Nest {
    let nest = try Nest()
    try nest.prepare(
      "location new Fridge Cellar", "stock new Milk --unit liter", "stock new Eggs",
      "stock put milk 1 --expiry 2026-11-25 --location fridge",
      "stock put milk 2 --expiry 2026-12-24 --location cellar --lot L7",
      "stock put milk 4 --expiry 2026-11-21", "stock put eggs 6")
    return nest
  }

  @Test(
    "--batch takes every form of a day",
    arguments: [
      ("25.11.2026", "discarded 0.5 l of Milk (batch of 2026-11-25"),
      ("25 nov", "discarded 0.5 l of Milk (batch of 2026-11-25"),
      ("dec 24", "discarded 0.5 l of Milk (batch of 2026-12-24"),
      ("24.12.", "discarded 0.5 l of Milk (batch of 2026-12-24"),
      ("today", "discarded 0.5 l of Milk (batch of 2026-11-21"),
      ("in 4 days", "discarded 0.5 l of Milk (batch of 2026-11-25"),
      ("L7", "discarded 0.5 l of Milk (batch of 2026-12-24"),
    ])
  func option(_ day: String, _ told: String) throws {
    let outcome = try kitchen()("stock discard milk 0.5 -b '\(day)'")
    #expect(outcome.output.contains(told), "\(outcome.output) \(outcome.errors)")
  }

  @Test(
    "an item and its lot are one name",
    arguments: [
      ("use 'milk 2026-11-25' 0.5", "used 0.5 l of Milk (batch of 2026-11-25"),
      ("use milk 2026-11-25 1l", "used 1 l of Milk (batch of 2026-11-25"),
      ("use milk 25.11.2026 1l eggs 2", "used 1 l of Milk (batch of 2026-11-25"),
      ("use 'milk fridge' 1l", "used 1 l of Milk (batch of 2026-11-25"),
      ("use milk cellar 0.5", "used 0.5 l of Milk (batch of 2026-12-24"),
      ("use 'milk L7' all", "used 2 l of Milk (batch of 2026-12-24"),
      ("stock discard 'milk dec 24'", "discarded 2 l of Milk (batch of 2026-12-24"),
      ("count 'milk 24.12.2026' 3", "counted 3 l of Milk (batch of 2026-12-24"),
      ("count milk 9", "counted 9 l of Milk, 7 l before"),
      ("stock open 'milk 24 dec' 1", "opened 1 l of Milk (batch of 2026-12-24"),
    ])
  func names(_ line: String, _ told: String) throws {
    let outcome = try kitchen()(line)
    #expect(outcome.output.hasPrefix(told), "\(outcome.output) \(outcome.errors)")
  }

  @Test(
    "whole words of a name win over a part of a word",
    arguments: [
      ("use Äpfel", "used 1 of Äpfel Elstar"), ("use apfel 2", "used 2 of Äpfel Elstar"),
      ("use saft 1l", "used 1 l of Apfelsaft"), ("use butter", "used 1 of Butter salted"),
      ("use 'sweet tomato'", "used 1 of Sweet tomatoes, tinned"),
    ])
  func wholeWords(_ line: String, _ told: String) throws {
    let nest = try Nest()
    try nest.prepare(
      "stock new 'Äpfel Elstar' 6", "stock new Apfelsaft 3l", "stock new Buttermilk 1l",
      "stock new 'Butter salted' 2", "stock new 'Sweet tomatoes, tinned' 4",
      "stock new 'Sweet tomatopaste' 2")
    let outcome = try nest(line)
    #expect(outcome.output.hasPrefix(told), "\(outcome.output) \(outcome.errors)")
    try nest.prepare("stock new 'Birnen und Äpfel' 3")
    #expect(try nest("use äpfel").errors.contains("'äpfel' could be 2 items"))
  }
}
