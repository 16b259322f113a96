import LarderKit
import Seeded
import TestSupport

/// A household of everything that there can be, with names that other programs may trip over.
struct RandomHousehold {
  let folder: Folder
  let larder: Larder

  static let names = [
    "Eggs", "=1+1", "-5 below", "+49 30 1234", "@home", "'quoted'", "'=x", "Jam, red", "Tea; green",
    "7\" disc", "\"all\"", "two\nlines", "Käse", "cafe\u{301}", " spaced ", "1,5", "2026-12-01",
    "yes", "tab\there", "back\\slash; \\", "日本酒", "x@y +z due:2026-01-01", "(A) urgent",
    "Milk  twice", "#tag", "line\r\nend", "#1", "[x] 0 Flour", "3 Eggs", "2 kg Flour", "Jam:",
    "Shop: x", "Paid: 1", "a @ 2", "b @@ 3", "Salt and pepper", "\u{301}e", "\u{202E}reversed",
    "\u{1B}[31mred", "\u{200B}", "x done", "larder:1", "- dash", "half", "עברית",
    String(repeating: "long ", count: 100),
  ]

  /// The units of items; files may spell them in other ways than commands write them.
  static let units: [Unit] = [
    .piece, .gram, .kilogram, .liter, .pack, .own("tin"), .own("Ähre"), .own("e\u{301}u"),
    .own("stu\u{308}ck"), .own("stück"), .own("packungen"), .own("dosen"), .own("缶"),
  ]

  /// The seeds of a run.
  static var seeds: [UInt64] {
    if let seed = Seed.single { return [seed] }
    return (0..<6).map { Seed.ofRun + $0 }
  }

  init(_ random: inout SeededGenerator, isEmpty: Bool = false) async throws {
    folder = try Folder()
    var context = LarderContext(environment: ["HOME": folder("home")])
    context.device = "laptop"
    context.now = { moment }
    larder = try await Larder.create(
      at: folder("nest"), name: "Nest", timeZone: "Europe/Berlin", currency: "EUR", context)
    guard !isEmpty else { return }
    try await larder.commit("begin") { [random] change in
      var random = random
      try Self.fill(&change, &random)
      try Self.addVersions(to: &change, &random)
    }
  }

  /// Adds what the commands make.
  private static func fill(_ change: inout Change, _ random: inout SeededGenerator) throws {
    let all = names.shuffled(using: &random)
    let places = all.suffix(3).map { change.addLocation($0, isColdStorage: random.happens(50)) }
    for (index, name) in all.prefix(random.number(4...12)).enumerated() {
      var new = NewItem(name)
      new.unit = random.pick(units) ?? .piece
      new.category = random.pick([nil, "Dairy", "=Fruit", "a, b"]) ?? nil
      new.inStock = random.happens(70) ? Quantity(number(&random), new.unit) : nil
      new.full = random.happens(50) ? Quantity(number(&random), new.unit) : nil
      new.minimum = random.happens(30) ? Quantity(number(&random), new.unit) : nil
      new.keepsDays = random.pick([nil, 0, 14]) ?? nil
      new.locationID = random.happens(30) ? random.pick(places)?.id : nil
      new.aliases = random.happens(30) ? ["alias \(index)", "=a; \(index)\\"] : []
      new.products = random.happens(30) ? ["catalogue \(index)", "shop;\(index)"] : []
      new.note = random.pick([nil, "-note", "a\nb", " x"]) ?? nil
      let item = try change.add(new)
      for _ in 0..<random.number(0...2) {
        var details = BatchDetails(productID: item.id)
        details.locationID = random.pick(places)?.id
        details.expiry = random.pick([nil, ExpiryInfo(.useBy, Day("2026-12-01"))]) ?? nil
        details.opened = random.happens(20) ? OpenedInfo(.opened, moment) : nil
        details.lotCode = random.pick([nil, "L  7", "=9, a"]) ?? nil
        try change.add(number(&random).above, details, in: new.unit)
      }
      if random.happens(40) { try change.want(of: item, note: random.pick(["+", "soon"])) }
      if random.happens(40) { try change.want(named: "other \(name)") }
    }
    try addReceipt(&change, all, &random)
  }

  private static func addReceipt(
    _ change: inout Change, _ names: [String], _ random: inout SeededGenerator
  ) throws {
    var purchase = Edit.Purchase(shop: random.pick(names) ?? "Shop")
    purchase.amount = Number("\(random.number(0...99)).5")
    purchase.currency = random.pick(["EUR", "GBP"])
    for name in names.prefix(4) {
      var line = ReceiptLine(
        id: change.writer.newID(), itemName: name, quantity: number(&random), unit: nil,
        itemID: change.survey.items.first { $0.name == name }?.id)
      line.price = random.pick([nil, Number("-0.25"), number(&random)]) ?? nil
      line.expiry = random.pick([nil, Day("2027-01-31")]) ?? nil
      purchase.lines.append(line)
    }
    _ = try change.edit.save(purchase, by: change.writer)
  }

  /// Adds what no command makes: what devices with wrong clocks, people and other programs wrote.
  private static func addVersions(
    to change: inout Change, _ random: inout SeededGenerator
  ) throws {
    let kinds: [Kind] = [
      .stockItem, .inventoryItem, .storageLocation, .product, .shoppingListEntry, .receipt,
    ]
    for (index, kind) in (kinds + kinds).enumerated() {
      let id = kind == .product ? "strange;\(index)" : change.writer.newID()
      var versions = RandomVersions(kind, random, id: id)
      guard var entity = versions.pool(of: 5).last else { continue }
      _ = random.next()
      if kind == .stockItem || kind == .storageLocation {
        entity.write(.name, .string("strange \(index) \"\\\n"), at: entity.updatedAt)
        entity.write(.aliases, nil, at: entity.updatedAt)
      }
      entity.write(.userID, .string(change.writer.userID), at: entity.createdAt)
      change.edit.put(entity)
    }
  }

  static func number(_ random: inout SeededGenerator) -> Number {
    Number("\(random.number(0...300)).\(random.number(0...99))") ?? .zero
  }
}

let moment = Instant("2026-11-21T12:34:56.789Z") ?? Instant(milliseconds: 0)

extension Number {
  fileprivate var above: Number { self + Number(1) }
}

extension Change {
  fileprivate mutating func add(
    _ number: Number, _ details: BatchDetails, in unit: Unit
  ) throws(RuleError) {
    try add(Quantity(number, unit), details)
  }
}

extension ExchangeTable {
  /// All things of the table, also those that are gone.
  func all(in survey: Survey) -> [Entity] {
    survey.naming.all(kind).sorted { $0.id < $1.id }
  }
}
