import Foundation
import LarderKit
import Seeded
import TestSupport
import Testing

@Suite("Count sheets that are filled in at random")
struct StocktakeLawTests {
  static var seeds: [UInt64] {
    if let seed = Seed.single { return [seed] }
    return (0..<12).map { Seed.ofRun + $0 }
  }

  static let names = [
    "Eggs", "3 Eggs", "7 Up", "Half cream", "#1 sauce", "x 2", "Pack rice", "rice", "2 kg Flour",
    "Flour", "Café: crème", "[x] box", "Bread # 2, never counted", "All bran", "Tinned tomatoes",
    "tomatoes", "Jam:", "- dash", "12", "Fish (2026-12-01)", "Ice, cream", "#1", "[x] 0 Flour",
    "[ ] 3  Eggs   # 3, never counted", "\"quoted\"", "\"#1\":", "\u{301}e", " spaced  twice ",
    "two\nlines", "tab\there", "\u{202E}reversed", "\u{1B}[31mred", "עברית 2", "\u{200B}", "*",
    String(repeating: "long ", count: 100), "\u{FEFF}mark", "Salt and pepper", "1/2", "all",
  ]

  /// A household with some of the names, and lots of them in two places.
  private func home(_ random: inout SeededGenerator) async throws -> (Folder, Larder) {
    let folder = try Folder()
    var context = LarderContext(environment: ["HOME": folder("home")])
    context.device = "laptop"
    let larder = try await Larder.create(
      at: folder("nest"), name: "Nest", timeZone: "Europe/London", context)
    let names = Self.names.shuffled(using: &random).prefix(random.number(1...9))
    random = try await larder.commit("begin") { [random] change in
      var random = random
      let places = Self.names.shuffled(using: &random).prefix(3).map { change.addLocation($0) }
      for name in names {
        var new = NewItem(name)
        new.unit =
          random.pick([
            .piece, .gram, .kilogram, .liter, .own("tin"), .own("Ähre"), .own("e\u{301}u"),
            .own("packungen"),
          ]) ?? .piece
        new.inStock = Quantity(number(&random), new.unit)
        let item = try change.add(new)
        for _ in 0..<random.number(0...3) {
          var details = BatchDetails(productID: item.id)
          details.locationID = random.pick(places)?.id
          details.expiry = random.pick([nil, ExpiryInfo(.useBy, Day("2026-12-01"))]) ?? nil
          details.lotCode = random.pick([nil, "L  7", "#9, a"]) ?? nil
          try change.add(Quantity(number(&random) + Number(1), new.unit), details)
        }
      }
      return random
    }.value
    return (folder, larder)
  }

  private func number(_ random: inout SeededGenerator) -> Number {
    Number("\(random.number(0...300)).\(random.number(0...99))") ?? .zero
  }

  /// The sheet of all items, or lot by batch of both places.
  private func sheet(_ survey: Survey, byPlace: Bool) -> CountSheet {
    let items = survey.items.map(\.entity)
    return byPlace
      ? CountSheet(of: items, in: survey.locations.map(\.entity), survey)
      : CountSheet(of: items, in: survey)
  }

  /// The known amounts of a sheet, by place and thing.
  private func amounts(_ sheet: CountSheet) -> [String: Quantity] {
    var amounts: [String: Quantity] = [:]
    for section in sheet.sections {
      for line in section.lines { amounts["\(section.place ?? "")/\(line.thing)"] = line.known }
    }
    return amounts
  }

  @Test("count what was changed or ticked, and nothing else", arguments: seeds)
  func counts(_ seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let (folder, larder) = try await home(&random)
    for byPlace in [false, true] {
      let before = sheet(try await larder.survey(), byPlace: byPlace)
      var wanted = amounts(before)
      #expect(wanted.count == before.count, "seed \(seed): two things have one name")
      var counted = 0
      var rows = before.text.split(separator: "\n", omittingEmptySubsequences: false)
        .map(String.init)
      var place = ""
      var lines = before.sections.flatMap { section in
        section.lines.map { (place: section.place ?? "", line: $0) }
      }[...]
      for (index, row) in rows.enumerated() where row.hasPrefix("[ ]") {
        let next = lines.popFirst()
        let (name, line) = try #require(next)
        place = name
        switch random.number(0...4) {
        case 0: break
        case 1: rows[index] = ""
        case 2:
          rows[index] = "[x]" + row.dropFirst(3)
          if line.known.value >= .zero { counted += 1 }
        default:
          let other = number(&random)
          guard other != line.known.value else { continue }
          let unit = random.happens(50) ? " \(line.known.unit.shortNameForTests)" : ""
          let old = "[ ] \(line.known)  "
          try #require(row.hasPrefix(old), "\(row)")
          let gap = random.happens(50) ? "  " : "\t "
          rows[index] =
            "[\(random.pick(["", " ", "x"]) ?? "")] \(other)\(unit)\(gap)"
            + row.dropFirst(old.count)
          counted += 1
          wanted["\(place)/\(line.thing)"] = Quantity(other, line.known.unit)
        }
      }
      let filled = FilledSheet(rows.joined(separator: "\n"))
      let made = try await larder.commit("count") { try $0.count(filled) }.value
      #expect(made.count == counted, "seed \(seed)\n\(rows.joined(separator: "\n"))")
      let after = amounts(sheet(try await larder.survey(), byPlace: byPlace))
      let there = byPlace ? wanted.filter { $0.value.value != .zero } : wanted
      #expect(after == there, "seed \(seed)\n\(rows.joined(separator: "\n"))")
    }
    withExtendedLifetime(folder) {}
  }

  @Test("say nothing as they were printed, whatever happened since", arguments: seeds)
  func nothing(_ seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let (folder, larder) = try await home(&random)
    let survey = try await larder.survey()
    let sheets = [false, true].map { sheet(survey, byPlace: $0).text }
    try await larder.commit("live on") { [random] change in
      var random = random
      for item in change.survey.items where random.happens(50) {
        try change.add(Quantity(Number(1), item.unit), to: item)
      }
    }
    for sheet in sheets {
      for text in [sheet, sheet.replacing("\n", with: "\r\n")] {
        let (counted, outcome) = try await larder.commit("count") {
          try $0.count(FilledSheet(text))
        }
        #expect(counted.isEmpty, "seed \(seed)\n\(text)")
        #expect(outcome.isNothing)
      }
    }
    withExtendedLifetime(folder) {}
  }

  @Test("of any bytes never change what they do not name, and never crash", arguments: seeds)
  func noise(_ seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let (folder, larder) = try await home(&random)
    let signs = [
      "[", "]", "x", " ", "  ", "#", ":", "\n", "3", ",", "-", "kg", "Eggs", "Freezer", "é",
    ]
    for _ in 0..<5 {
      let text = (0..<random.number(0...40)).compactMap { _ in random.pick(signs) }.joined()
      let before = try await larder.survey().household
      do {
        let (counted, outcome) = try await larder.commit("count") {
          try $0.count(FilledSheet(text))
        }
        #expect(counted.isEmpty == outcome.isNothing, "\(text)")
      } catch is SheetMistakes {
        let after = try await larder.survey().household
        #expect(after.keys(differingFrom: before).isEmpty, "\(text)")
      }
    }
    withExtendedLifetime(folder) {}
  }
}

extension LarderModel.Unit {
  /// The unit as people write it behind a number; nothing for pieces.
  fileprivate var shortNameForTests: String { self == .piece ? "" : symbol ?? rawValue }
}
