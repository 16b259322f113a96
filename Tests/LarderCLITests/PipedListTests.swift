import LarderKit
import Seeded
import TestSupport
import Testing

@Suite("Lists that are piped back")
struct PipedListTests {
  /// A household with items and wishes of any names.
  private func filled(_ random: inout SeededGenerator) async throws -> (nest: Nest, larder: Larder)
  {
    let nest = try Nest()
    var context = LarderContext(environment: ["HOME": nest.larder.folder("home")])
    context.device = "laptop"
    let larder = try await Larder.open(from: nest.larder.folder("nest"), context)
    let names = StocktakeLawTests.names.shuffled(using: &random).prefix(random.number(1...12))
    random = try await larder.commit("begin") { [random] change in
      var random = random
      for name in names {
        var new = NewItem(name)
        new.unit = random.pick([.piece, .gram, .liter, .pack, .own("tin"), .own("Ähre")]) ?? .piece
        new.inStock = Quantity(Number(random.number(0...9)), new.unit)
        let item = try change.add(new)
        if random.happens(60) { try change.want(Quantity(Number(3), new.unit), of: item) }
        try change.want(
          Quantity(Number(random.number(1...9)), random.pick([.piece, .own("tin")]) ?? .piece),
          named: "free \(name)")
      }
      return random
    }.value
    return (nest, larder)
  }

  @Test(
    "a row is its thing with its amount and unit, whatever its name has in it",
    arguments: StocktakeLawTests.seeds)
  func rows(_ seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let (nest, larder) = try await filled(&random)
    let before = try await larder.survey()
    let wishes = try nest("shop list --plain").output
    let again = try nest("buy -", input: wishes)
    #expect(again.code == 0, "seed \(seed): \(again.errors)")
    #expect(try nest("shop list --plain").output == wishes, "seed \(seed)")
    let stock = try nest("stock list --plain").output
    let put = try nest("put -", input: stock)
    let isEmpty = before.items.allSatisfy { before.total(of: $0).value == .zero }
    #expect(put.code == (isEmpty ? 2 : 0), "seed \(seed): \(put.errors)")
    let after = try await larder.survey()
    #expect(after.items.count == before.items.count, "seed \(seed)")
    for item in before.items {
      let total = before.total(of: item)
      let now = after.items.first { $0.id == item.id }.map { after.total(of: $0) }
      #expect(
        now == Quantity(total.value + total.value, total.unit), "seed \(seed): \(item.name)")
    }
    // What was there is counted again, also where there was nothing.
    #expect(try nest("count -", input: stock).code == 0, "seed \(seed)")
    #expect(try nest("stock list --plain").output == stock, "seed \(seed)")
    #expect(try nest("got -", input: wishes).code == 0, "seed \(seed)")
    #expect(
      try nest("shop list --plain").output.replacing("done\t", with: "open\t") == wishes,
      "seed \(seed)")
  }

  @Test("the rows of one household are things in another", arguments: StocktakeLawTests.seeds)
  func moved(_ seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let (nest, _) = try await filled(&random)
    let other = try Nest()
    let wishes = try nest("shop list --plain")
    let bought = try other("buy -", input: wishes.output)
    #expect(bought.code == 0, "seed \(seed): \(bought.errors)")
    /// The names as commands store them, with their amounts and units.
    func things(_ list: CommandRunner.Outcome) -> Set<[String]> {
      Set(
        list.records.map { row in
          let name = row[1].replacing("\\t", with: " ").replacing("\\n", with: " ")
          return [name.split(separator: " ").joined(separator: " "), row[2], row[3]]
        })
    }
    let arrived = try other("shop list --plain")
    #expect(things(arrived) == things(wishes), "seed \(seed)")
  }

  @Test("headings, JSON and rows of other tables are refused, with the way, and name nothing")
  func others() throws {
    let nest = try Nest()
    try nest.prepare(
      "location new Fridge", "stock new Milk --in-stock 2 --location Fridge", "buy milk tea",
      "receipt save --shop Corner --line 'milk=1@@1.50'")
    let before = try nest("log --plain").output
    for list in [
      "stock list", "stock list --batches", "shop list", "stock list --json", "shop list --json",
      "receipt list --plain", "location list --plain", "buy tea --dry-run --plain",
    ] {
      let text = try nest(list).output
      for command in ["buy -", "put - --new", "got -", "use -"] {
        let run = try nest(command, input: text)
        #expect(run.code == 2, "\(list) | \(command): \(run)")
        #expect(run.errors.contains("print rows that can be read here"), "\(list): \(run.errors)")
      }
    }
    #expect(try nest("log --plain").output == before)
    // What people type with tabs between is still a thing with its amount.
    #expect(try nest("buy -", input: "Honey\t2 kg\nbread\t3\n").code == 0)
    #expect(
      try nest("shop list --plain").records.map { [$0[1], $0[2]] }.contains(["Honey", "2"]))
  }
}
