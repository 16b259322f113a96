import LarderKit
import Seeded
import TestSupport
import Testing

@Suite("Tables of random households")
struct CSVLawTests {
  @Test("an unmodified table changes nothing and makes no commit", arguments: RandomHousehold.seeds)
  func unmodified(_ seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let home = try await RandomHousehold(&random)
    for table in ExchangeTable.allCases {
      let survey = try await home.larder.survey()
      let text = survey.table(table, of: table.all(in: survey))
      for (name, bytes) in [("as it is", text), ("rewritten", try Sheet(text).rewritten(&random))] {
        let words = "seed \(seed), \(table.rawValue), \(name)"
        let file = try CSVFile(bytes)
        #expect(file.table == table, "\(words)")
        do {
          let outcome = try await home.larder.commit(words) { try $0.take(file) }.outcome
          let changed = outcome.writing.changed.compactMap { outcome[$0]?.fileBytes }
            .map { String(decoding: $0, as: UTF8.self) }
          #expect(outcome.writing.commit == nil, "\(words): \(changed)")
        } catch {
          Issue.record("\(words): \(error)\n\(String(decoding: bytes, as: UTF8.self))")
        }
      }
    }
  }

  @Test("a household's unit is the one that its files spell, in a table as well")
  func units() async throws {
    var random = SeededGenerator(seed: 1)
    let home = try await RandomHousehold(&random, isEmpty: true)
    let units: [Unit] = [.own("packungen"), .own("stu\u{308}ck"), .own("Ähre"), .pack]
    try await home.larder.commit("begin") { change in
      for unit in units {
        var new = NewItem("Thing in \(unit.rawValue)")
        new.unit = unit
        new.inStock = Quantity(Number(2), unit)
        _ = try change.add(new)
      }
    }
    let survey = try await home.larder.survey()
    let table = survey.table(.stock, of: ExchangeTable.stock.all(in: survey))
    let same = try CSVFile(table)
    #expect(try await home.larder.commit("same") { try $0.take(same) }.outcome.isNothing)
    var sheet = try Sheet(table)
    for row in sheet.rows.indices.dropFirst() { sheet.rows[row][2] = "5" }
    let file = try CSVFile(sheet.bytes)
    let (report, outcome) = try await home.larder.commit("count") { try $0.take(file) }
    #expect(report.counted == units.count && report.made == 0)
    #expect(
      Set(outcome.after.items.map { outcome.after.total(of: $0) })
        == Set(units.map { Quantity(Number(5), $0) }))
    // Where no file spells it so, it is read as people type it.
    let other = try await RandomHousehold(&random, isEmpty: true)
    let typed = try CSVFile(Array("name,total,unit\nTea,2,packungen\nCorn,3,ÄHRE\n".utf8))
    let made = try await other.larder.commit("new") { try $0.take(typed) }.outcome
    #expect(Set(made.after.items.map { made.after.total(of: $0).unit }) == [.pack, .own("ähre")])
  }

  @Test("an import tells after each hundred rows how far it is")
  func progress() async throws {
    var random = SeededGenerator(seed: 1)
    let home = try await RandomHousehold(&random, isEmpty: true)
    let rows = (1...250).map { "Thing \($0),\($0)\n" }.joined()
    let file = try CSVFile(Array("name,total\n\(rows)".utf8))
    let told = try await home.larder.commit("import") { change in
      var told: [(rows: Int, percent: Int)] = []
      _ = try change.take(file, progress: { told.append(($0, $1)) })
      return told
    }.value
    #expect(told.map(\.rows) == [100, 200])
    let percents = told.map(\.percent)
    #expect(percents == percents.sorted() && percents[0] > 0 && percents[1] < 100)
  }

  @Test(
    "a todo.txt file and a receipt's form change nothing as they came",
    arguments: RandomHousehold.seeds)
  func forms(_ seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let home = try await RandomHousehold(&random)
    let survey = try await home.larder.survey()
    let list = TodoList(of: survey.shoppingList, in: survey).text
    let imported = try await home.larder.commit("import") { try $0.take(todo: Array(list.utf8)) }
    #expect(imported.outcome.isNothing, "seed \(seed)\n\(list)")
    for entity in survey.household.all(.receipt) where !entity.isTombstone {
      let receipt = Receipt(entity: entity)
      guard !receipt.shop.allSatisfy(\.isWhitespace) else { continue }
      let text = ReceiptForm(of: receipt, in: survey).text(in: survey)
      let outcome = try await home.larder.commit("correct") { change in
        var correction = ReceiptCorrection(of: receipt, change.survey, change.writer)
        try correction.apply(try ReceiptForm(text, in: change.survey))
        try correction.save(in: &change.edit)
      }.outcome
      #expect(outcome.isNothing, "seed \(seed)\n\(text)")
    }
  }

  @Test(
    "other quantities become counts, and nothing else changes", arguments: RandomHousehold.seeds)
  func counts(_ seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let home = try await RandomHousehold(&random)
    let before = try await home.larder.survey()
    let live = before.items.map(\.entity)
    var sheet = try Sheet(before.table(.stock, of: live))
    var wanted: [String: Number] = [:]
    for row in sheet.rows.indices.dropFirst() {
      let id = sheet.rows[row][0]
      wanted[id] = before.household[.stockItem, id].map { before.total(of: $0).value }
      guard random.happens(50) else { continue }
      wanted[id] = RandomHousehold.number(&random)
      sheet.rows[row][2] = wanted[id]?.description ?? ""
    }
    let file = try CSVFile(sheet.bytes)
    let (report, outcome) = try await home.larder.commit("count") { try $0.take(file) }
    for (id, total) in wanted {
      let item = try #require(outcome.after.household[.stockItem, id])
      #expect(outcome.after.total(of: item).value == total, "seed \(seed): \(item.title)")
      #expect(item.registers == before.household[.stockItem, id]?.registers, "seed \(seed)")
    }
    let different = live.count { before.total(of: $0).value != wanted[$0.id] }
    #expect(report.counted == different, "seed \(seed)")
    #expect(report.made == 0, "seed \(seed)")
  }

  @Test(
    "an unmodified table sets nothing back that changed since the export",
    arguments: RandomHousehold.seeds)
  func meanwhile(_ seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let home = try await RandomHousehold(&random)
    let version = try #require(try await home.larder.read().version)
    let before = try await home.larder.survey()
    let items = before.items.map(\.entity)
    let old = before.table(.stock, of: items, version: version)
    var sheet = try Sheet(before.table(.stock, of: items))
    for row in sheet.rows.indices.dropFirst() where random.happens(50) {
      sheet.rows[row][2] = RandomHousehold.number(&random).description
      sheet.rows[row][4] = "Category \(random.number(0...9))"
    }
    let news = try CSVFile(sheet.bytes)
    _ = try await home.larder.commit("meanwhile") { try $0.take(news) }
    for bytes in [old, try Sheet(old).rewritten(&random)] {
      let file = try CSVFile(bytes)
      let (report, outcome) = try await home.larder.commit("back") { try $0.take(file) }
      #expect(outcome.writing.commit == nil, "seed \(seed)")
      #expect(report.overwritten.isEmpty, "seed \(seed)")
    }
  }

  @Test("without ids, a table fills an empty household, once", arguments: RandomHousehold.seeds)
  func moved(_ seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let home = try await RandomHousehold(&random)
    let other = try await RandomHousehold(&random, isEmpty: true)
    let survey = try await home.larder.survey()
    let items = survey.items.filter { $0.name == $0.name.trimmingSpaces }.map(\.entity)
    var sheet = try Sheet(survey.table(.stock, of: items))
    for row in sheet.rows.indices.dropFirst() { sheet.rows[row][0] = "" }
    let file = try CSVFile(sheet.bytes)
    let outcome = try await other.larder.commit("move") { try $0.take(file) }.outcome
    // A new thing's unit is spelled as commands do.
    func totals(_ survey: Survey) -> [String: Quantity] {
      Dictionary(
        uniqueKeysWithValues: survey.items.map { item in
          let total = survey.total(of: item)
          let unit = Unit(typed: total.unit.rawValue) ?? total.unit
          return (item.name, Quantity(total.value, unit))
        })
    }
    let there = totals(survey)
    #expect(outcome.after.items.count == items.count, "seed \(seed)")
    for (name, total) in totals(outcome.after) {
      let known = there[name] ?? there[name.replacing("\n", with: "\r\n")]
      #expect(
        known.map { max($0.value, .zero) } == max(total.value, .zero), "seed \(seed): \(name)")
    }
    let again = try await other.larder.commit("again") { try $0.take(file) }.outcome
    #expect(again.writing.commit == nil, "seed \(seed)")
  }
}

/// A table as a spreadsheet has it, read and written without Larder's own code.
struct Sheet {
  var rows: [[String]] = []

  init(_ bytes: [UInt8]) throws {
    var rest = Array(String(decoding: bytes, as: UTF8.self).unicodeScalars)[...]
    var row: [String] = []
    while !rest.isEmpty {
      var cell = ""
      if rest.first == "\"" {
        rest.removeFirst()
        while let next = rest.popFirst(), next != "\"" || rest.first == "\"" {
          if next == "\"" { rest.removeFirst() }
          cell.unicodeScalars.append(next)
        }
      } else {
        while let next = rest.first, next != ",", next != "\r" {
          cell.unicodeScalars.append(next)
          rest.removeFirst()
        }
      }
      row.append(cell)
      let end = rest.popFirst()
      if end == "," { continue }
      let next = rest.popFirst()
      try #require(end == "\r" && next == "\n")
      rows.append(row)
      row = []
    }
  }

  var bytes: [UInt8] { written(separator: ",", lineEnd: "\r\n") }

  /// Returns the table as another spreadsheet may save it: other separators and quotes, decimal
  /// commas and days, a byte order mark, and columns and rows in another order.
  func rewritten(_ random: inout SeededGenerator) -> [UInt8] {
    var other = self
    let order = rows[0].indices.shuffled(using: &random)
    let isNumber = { (index: Int) in
      ["total", "quantity", "desiredQuantity", "packSize", "price", "amount", "quantityFullStock"]
        .contains(rows[0][index])
    }
    let isDay = { (index: Int) in ["expiry", "opened", "timestamp"].contains(rows[0][index]) }
    other.rows = rows.enumerated().map { place, row in
      order.map { index in
        guard place > 0 else { return row[index] }
        if isNumber(index) { return row[index].replacing(".", with: ",") }
        return isDay(index) ? Self.german(row[index]) : row[index]
      }
    }
    other.rows = [other.rows[0]] + other.rows.dropFirst().shuffled(using: &random)
    return [0xEF, 0xBB, 0xBF] + other.written(separator: ";", lineEnd: "\n")
  }

  /// Returns a day, with or without a time, as `31.12.2026 18:30`.
  private static func german(_ text: String) -> String {
    text.replacing(/^([0-9]{4})-([0-9]{2})-([0-9]{2})/) { "\($0.3).\($0.2).\($0.1)" }
  }

  private func written(separator: String, lineEnd: String) -> [UInt8] {
    Array(
      rows.map { row in
        row.map { "\"" + $0.replacing("\"", with: "\"\"") + "\"" }.joined(separator: separator)
          + lineEnd
      }.joined().utf8)
  }
}

extension String {
  /// The text without white space around it.
  fileprivate var trimmingSpaces: String {
    String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
  }
}
