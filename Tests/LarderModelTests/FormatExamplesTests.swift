import Foundation
import LarderJSON
import LarderModel
import LarderText
import Testing
import TestSupport

@Suite("The examples of FORMAT.md")
struct FormatExamplesTests {
  static let updates = ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] != nil

  @Test("every example file is what the code makes of the ones before it")
  func blocks() throws {
    let checked = try FormatDocument.all.map { try check(blocksOf: $0) }
    #expect(checked.reduce(0, +) >= 5)
  }

  /// Returns how many results there are.
  private func check(blocksOf document: FormatDocument) throws -> Int {
    var lines = document.lines
    var inputs: [String: FormatDocument.Block] = [:]
    var checked = 0
    for block in document.blocks {
      guard let result = try Example(inputs).answer(to: block) else {
        inputs[block.role] = block
        continue
      }
      inputs = [:]
      checked += 1
      #expect(result == block.text, "\(document.name):\(block.lines.lowerBound)")
      if Self.updates { replace(block.lines, by: result, in: &lines) }
    }
    #expect(inputs.isEmpty, "an example without its result")
    if Self.updates {
      let text = lines.filter { $0 != "\u{0}" }.joined(separator: "\n")
      try Data(text.utf8).write(to: document.file)
    }
    return checked
  }

  /// Keeps the line numbers of later blocks: a result's lines go where the first one was.
  private func replace(_ range: Range<Int>, by text: String, in lines: inout [String]) {
    for index in range { lines[index] = "\u{0}" }
    lines[range.lowerBound] = String(text.dropLast())
  }

  @Test("every row of the tables with answers is what the code gives")
  func rows() throws {
    var tables: Set<String> = []
    for document in try FormatDocument.all {
      var lines = document.lines
      for row in document.rows {
        let answer = try answer(to: row)
        tables.insert(row.table)
        #expect(answer == row.cells[row.cells.count - 1], "\(document.name):\(row.line + 1)")
        if Self.updates {
          let before = row.cells.dropLast().map { "| `\($0)` " }.joined()
          lines[row.line] = "\(before)| `\(answer)` |"
        }
      }
      if Self.updates {
        try Data(lines.joined(separator: "\n").utf8).write(to: document.file)
      }
    }
    #expect(tables == ["freezers", "ids", "instants", "lacks", "numbers", "paths", "units"])
  }

  private func answer(to row: FormatDocument.Row) throws -> String {
    switch row.table {
    case "ids": return Identifier.derived(fromName: row.cells[row.cells.count - 2])
    case "instants": return Instant(row.cells[0])?.description ?? "none"
    case "units": return Unit(written: row.cells[0])?.rawValue ?? "none"
    case "numbers": return Number(row.cells[0])?.description ?? "none"
    case "paths":
      let file = try EntityFile(.stockItem, parsing: Array("{\"name\": \"\(row.cells[0])\"}".utf8))
      var entity = Entity(
        .stockItem, id: row.cells[1], createdAt: try #require(Instant("2026-11-20T18:00:00Z")))
      entity.write("name", file["name"], at: entity.createdAt)
      return Household().defaultPath(for: entity).text
    case "freezers": return place(named: row.cells[0]).isFreezer ? "freezer" : "none"
    case "lacks": return try there(of: row.cells[0])
    default: return "?"
    }
  }

  /// What is there of batches with these quantities, in the order of taking, and of what is loose.
  private func there(of quantities: String) throws -> String {
    let written = quantities.components(separatedBy: ", ").map { $0.components(separatedBy: " ") }
    let piles = try written.enumerated().map { number, words in
      let unit = try #require(Unit(written: words.count > 1 ? words[1] : "piece"))
      return number == written.count - 1
        ? try item(loose: words[0], unit: unit)
        : try batch(number, words[0], unit: unit, expiry: "2026-12-0\(number + 1)")
    }
    var household = Household()
    for pile in piles { household.put(pile, at: household.defaultPath(for: pile)) }
    return piles.map { "\(Stock(household).withoutLack($0).quantity)" }.joined(separator: ", ")
  }

  @Test("the words of freezers and of fridges are those of the document")
  func freezers() throws {
    let lines = try FormatDocument("docs/adoption.md").lines
    let start = try #require(lines.firstIndex(of: "<!-- freezers -->"))
    let words = lines[(start + 3)...].prefix { $0.hasPrefix("|") }
      .flatMap { $0.split(separator: "|")[1].split(separator: " ").map(String.init) }
    #expect(words == Freezer.words)
    let rest = lines[(start + 3)...].joined(separator: " ")
    let fridges = rest.split(separator: "begins before the first of them: `")[1].prefix {
      $0 != "`"
    }
    #expect(fridges.split(separator: " ").map(String.init) == Freezer.fridgeWords)
    for word in words { #expect(place(named: "Our \(word.uppercased())").isFreezer, "\(word)") }
    for word in Freezer.fridgeWords {
      #expect(!place(named: "\(word)-freezer").isFreezer, "\(word)")
    }
  }

  private func place(named name: String) -> Entity {
    let moment = Instant(milliseconds: 0)
    var place = Entity(.storageLocation, id: "p", createdAt: moment)
    place.write("name", .string(name), at: moment)
    return place
  }

  @Test("every field of every kind is in the document's tables, with its type and presence")
  func fields() throws {
    let document = try FormatDocument("FORMAT.md")
    for kind in Kind.allCases {
      let start = try #require(document.lines.firstIndex { $0.hasPrefix("### \(kind.rawValue)") })
      let section = document.lines[(start + 1)...].prefix { !$0.hasPrefix("#") }
      let named = section.filter { $0.hasPrefix("| `") }.map { line in
        String(line.dropFirst(3).prefix { $0 != "`" })
      }
      let fields = Schema.of(kind).fields.flatMap { names(of: $0, in: "") }
      #expect(named == fields, "\(kind)")
    }
  }

  private func names(of field: Field, in prefix: String) -> [String] {
    let name = prefix + field.name.text
    switch field.type {
    case .object(let fields): return [name] + fields.flatMap { names(of: $0, in: name + ".") }
    case .list(of: .object(let fields)):
      return [name] + fields.flatMap { names(of: $0, in: name + "[].") }
    default: return [name]
    }
  }
}

/// Works out what the result of an example is.
struct Example {
  private let inputs: [String: FormatDocument.Block]

  init(_ inputs: [String: FormatDocument.Block]) {
    self.inputs = inputs
  }

  /// The result's text; nil for a block that is no result.
  func answer(to block: FormatDocument.Block) throws -> String? {
    let entity: Entity?
    switch block.role {
    case "canonical": entity = try self.entity(inputs["written"] ?? block)
    case "joined":
      let (ours, theirs) = (try self.entity(inputs["ours"]), try self.entity(inputs["theirs"]))
      let joined = ours.joined(with: theirs)
      #expect(joined == theirs.joined(with: ours))
      #expect(joined == joined.joined(with: ours))
      entity = joined
    case "adopted": entity = try adopted(block)
    default: return nil
    }
    return entity.map { String(decoding: $0.fileBytes, as: UTF8.self) }
  }

  private func file(_ block: FormatDocument.Block?) throws -> EntityFile {
    let block = try #require(block)
    return try EntityFile(try #require(block.kind), parsing: Array(block.text.utf8))
  }

  private func entity(_ block: FormatDocument.Block?) throws -> Entity {
    try #require(Entity(try file(block)))
  }

  private func adopted(_ block: FormatDocument.Block) throws -> Entity {
    let after = try file(inputs["after"])
    let before = try inputs["before"].map { try file($0) }
    let adoption = FileAdoption(
      after: after, befores: before.map { [$0] } ?? [], known: before.flatMap { Entity($0) },
      id: try #require(after.id ?? block.settings["id"]),
      at: try #require(Instant("2026-11-20T18:00:00.000Z")),
      userID: "5b3f0d6e-58a2-4c0e-8a63-0a4b6c1d2e3f",
      householdID: "0193a4b2-0000-7000-8000-0000000000aa",
      history: { [before].compactMap { $0 }.map { OlderFile($0) } })
    let outcome = try adoption.outcome()
    #expect(outcome.stale.isEmpty)
    return outcome.entity
  }
}
