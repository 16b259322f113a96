import LarderJSON
import LarderKit
import LarderModel

/// One thing of a command that changes quantities.
struct CountedThing {
  let typed: TypedThing
  /// The item as it is after the changes of the things before this one.
  let item: Entity
  let survey: Survey
  let request: String?

  /// Returns the typed quantity, or all of a lot or of the item; nil if no amount was typed.
  func quantity(orAllOf lot: Lot?) -> Quantity? {
    switch typed.amount {
    case nil: nil
    case .quantity(let quantity): quantity.quantity(in: item.unit)
    case .all: lot?.quantity ?? survey.total(of: item)
    }
  }
}

extension Invocation {
  typealias QuantityRule = (inout Edit, Writer, CountedThing) throws -> (QuantityChange, String)

  /// Changes the quantities of the named things in one commit, and reports the results.
  ///
  /// `single` has the options that are about one thing. With `makes`, unknown things become items.
  func changeQuantities(
    request: String?, single: [Option], makes: Bool = false, _ rule: QuantityRule,
    members: (QuantityChange) -> [JSONMember] = { _ in [] },
    line: (QuantityChange, Entity, Outcome) -> String
  ) throws {
    let lines = lines(of: StockCommand.things)
    var results: [QuantityChange] = []
    let change = try change(request: request) { edit, writer, survey in
      var mistakes = ThingMistakes()
      var subjects: [String] = []
      results = []
      let things = try things(
        in: lines, .stockItem, .byFullNames, unit: StockCommand.unit, survey, noting: &mistakes)
      try refuse(single, with: things)
      for (index, typed) in things.enumerated() {
        let done = mistakes.attempt(typed.name) {
          let item = try item(typed, makes: makes, in: &edit, survey, writer)
          let thing = CountedThing(
            typed: typed, item: edit.after[item.key] ?? item, survey: survey,
            request: request.map { index == 0 ? $0 : "\($0)/\(index + 1)" })
          return try rule(&edit, writer, thing)
        }
        guard let done else { continue }
        results.append(done.0)
        subjects.append(done.1)
      }
      try mistakes.refuse()
      return inShort(subjects)
    }
    report(results, change, request, members: members, line: line)
  }

  /// Returns the named item, or a new one if nobody knows it and it may be made.
  private func item(
    _ typed: TypedThing, makes: Bool, in edit: inout Edit, _ survey: Survey, _ writer: Writer
  ) throws -> Entity {
    do throws(NamingError) {
      return try survey.naming.find(typed.name, .stockItem)
    } catch {
      guard makes, case .notFound(let missing) = error, missing.barcode == nil else { throw error }
      if let made = edit.changed.compactMap({ edit.after[$0] }).first(where: {
        $0.kind == .stockItem && fold($0.title) == fold(typed.name)
      }) {
        return made
      }
      var item = NewItem(try newName(typed.name, for: StockCommand.things.name))
      if case .quantity(let quantity)? = typed.amount { item.unit = quantity.unit ?? .piece }
      return try edit.add(item, by: writer)
    }
  }

  private func report(
    _ results: [QuantityChange], _ change: Outcome, _ request: String?,
    members: (QuantityChange) -> [JSONMember], line: (QuantityChange, Entity, Outcome) -> String
  ) {
    let told = results.compactMap { result in
      result.item.flatMap { change[$0] }.map { (result: result, item: $0) }
    }
    let lines = told.map { result, item in
      line(result, item, change)
        + (result.isRepeated ? " (done before under \(request ?? "this request"))" : "")
    }
    let objects = told.map { members($0.result) + $0.result.json($0.item, in: change) }
    let things = JSONMember("things", .array(objects.map { .object($0) }))
    output.report(change, (objects.count == 1 ? objects[0] : []) + [things], lines: lines)
  }
}
