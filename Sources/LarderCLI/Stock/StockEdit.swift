import LarderKit

/// `larder stock edit`.
enum StockEdit {
  static let targets = Argument(
    "ITEM", .oneOrMore, values: .filters,
    help: "items, or filters such as category:dairy for all that match")
  private static let name = Option("name", value: "NAME", help: "a new name")
  private static let category = Option(
    "category", short: "c", value: "C", takesEmpty: true, help: "a new category; empty for none")
  private static let full = Option("full", value: "N", help: "how much there should be")
  private static let product = Option(
    "product", value: "ID", isRepeatable: true,
    help: "another product that counts as this item: its barcode, id or name")

  static let itemOptions =
    [name, category, full, StockCommand.unit, product] + ItemOptions.all + [Assignment.option]

  static let command = Command(
    "stock edit", arguments: [targets], options: itemOptions + BatchEdit.options
  ) { invocation in
    if let batch = invocation[BatchOptions.batch] {
      return try await BatchEdit.run(batch, invocation)
    }
    if let option = BatchEdit.options.first(where: { !invocation.all($0).isEmpty }) {
      throw ErrorWords(
        .usage, "\(option.spelling) is about a batch, and none is named",
        "--batch names one by its lot code, expiry day, location, file or id",
        "'--batch loose' makes a batch of what lies loose")
    }
    let changes = try Changes(invocation)
    guard !changes.isEmpty else {
      try await openEditor(invocation)
      return
    }
    let survey = try await invocation.survey()
    let items = try items(invocation, survey)
    try changes.check(items, invocation)
    try invocation.confirm(items, "item", in: survey) { try changes.fields(for: $0, survey) }
    let change = try await invocation.change { edit, writer, survey in
      for item in try Self.items(invocation, survey) {
        edit.write(try changes.fields(for: item, survey), to: item.key, now: writer.now)
      }
      let changed = edit.changed.compactMap { edit.after[$0] }
      return "edit \(survey.list(changed))"
    }
    invocation.reportEdited(change)
    for item in change.entities where item.kind == .stockItem {
      let known = change.before.household[item.key].map { [$0.title] + $0.aliases } ?? []
      let names = ([item.title] + item.aliases).filter { !known.contains($0) }
      if !names.isEmpty { invocation.offerLines(of: item, named: names, in: change.after) }
    }
  }

  /// Returns the named items, or those that match the filters.
  private static func items(_ invocation: Invocation, _ survey: Survey) throws -> [Entity] {
    let words = invocation.all(targets)
    guard words.contains(where: Filter.isFilter) else {
      return try survey.naming.findSeveral(words, .stockItem)
    }
    let chosen = try mapError(
      try survey.list(StockRow.self, matching: words), invocation.usage)
    guard !chosen.isEmpty else {
      throw ErrorWords(
        .notFound, "no item matches \(words.joined(separator: " "))",
        "'larder stock list \(words.map(shellWord).joined(separator: " "))' tries filters")
    }
    return chosen.map(\.item)
  }

  /// The changes that the options ask for.
  private struct Changes {
    let name: String?
    let full: TypedQuantity?
    private let texts: [FieldValue]
    let unit: Unit?
    let products: [String]
    let details: ItemDetails
    let assignments: [Assignment]

    init(_ invocation: Invocation) throws {
      name = try invocation[StockEdit.name].map { try invocation.newName($0, for: "--name") }
      texts = invocation.fields(StockEdit.category, .category)
      full = try invocation[StockEdit.full].map { try invocation.typed($0, for: "--full") }
      unit = try invocation.unit(StockCommand.unit)
      products = invocation.all(StockEdit.product)
      details = try ItemDetails(invocation)
      assignments = try invocation.assignments(.stockItem)
    }

    var isEmpty: Bool {
      name == nil && texts.isEmpty && full == nil && unit == nil && products.isEmpty
        && details.isEmpty && assignments.isEmpty
    }

    /// Throws for changes that only one item can have.
    func check(_ items: [Entity], _ invocation: Invocation) throws {
      if items.count > 1, name != nil || assignments.contains(where: { $0.key == .name }) {
        throw invocation.unreadable(
          name ?? "", for: "--name", "\(items.count) items can't have one name")
      }
      if items.count > 1, let alias = details.aliases.first(where: { !$0.isEmpty }) {
        throw invocation.unreadable(
          alias, for: ItemOptions.alias.spelling, "\(items.count) items can't have one name")
      }
      if items.count > 1, !products.isEmpty || assignments.contains(where: \.givesProducts) {
        throw invocation.unreadable(
          products.first ?? "", for: "--product", "a product can't count as \(items.count) items")
      }
    }

    /// Returns the fields to write, with the format's names.
    func fields(for item: Entity, _ survey: Survey) throws -> [FieldValue] {
      var fields: [FieldValue] = []
      if let name { fields.append((.name, .string(name))) }
      fields += texts
      fields += try quantityFields(for: item, survey) + details.fields(in: survey)
      if let aliases = details.aliases(of: item) { fields.append(aliases) }
      if !products.isEmpty {
        let added = try products.map { try survey.freeProduct($0, for: item) }
        let all = item.productIDs + added.filter { !item.productIDs.contains($0) }
        fields.append((.products, .array(all.map { .string($0) })))
      }
      for assignment in assignments {
        let value = try assignment.value(in: item)
        if assignment.key == .unit {
          let unit = value?.string.flatMap(Unit.init(rawValue:)) ?? .piece
          try survey.stock.check(unit, of: item)
        }
        if assignment.givesProducts {
          for id in value?.array ?? [] { _ = try survey.freeProduct(id.string ?? "", for: item) }
        }
        fields.append((assignment.key, value))
      }
      return fields
    }

    /// Returns the unit, the full stock and the minimum, which have a meaning only together.
    private func quantityFields(for item: Entity, _ survey: Survey) throws -> [FieldValue] {
      let unit = self.unit ?? item.unit
      var fields: [FieldValue] = []
      if unit != item.unit {
        try survey.stock.check(unit, of: item)
        fields.append((.unit, .string(unit.rawValue)))
      }
      if let minimum = details.minimum {
        let wanted = minimum.map { Quantity($0.value, $0.unit ?? unit) }
        fields.append(
          (.quantityMinimum, try wanted.map { try counted($0, in: unit, of: item, survey).json }))
      } else if unit != item.unit, let minimum = item.minimum {
        fields.append((.quantityMinimum, converted(minimum, of: item, to: unit).json))
      }
      if let full {
        let wanted = Quantity(full.value, full.unit ?? unit)
        fields.append((.quantityFullStock, try counted(wanted, in: unit, of: item, survey).json))
      } else if unit != item.unit {
        fields.append((.quantityFullStock, converted(item.fullStock, of: item, to: unit).json))
      }
      return fields
    }

    /// Returns a number of an item in another unit, or unchanged if the units don't convert.
    private func converted(_ number: Number, of item: Entity, to unit: Unit) -> Number {
      (Quantity(number, item.unit).converted(to: unit) ?? number).rounded
    }

    private func counted(
      _ quantity: Quantity, in unit: Unit, of item: Entity, _ survey: Survey
    ) throws(RuleError) -> Number {
      guard quantity.value >= .zero else { throw .belowZero(quantity) }
      guard let value = survey.household.counted(quantity, in: unit).converted(to: unit) else {
        throw .unitsDoNotConvert(of: item.title, quantity.unit, unit)
      }
      return value.rounded
    }

  }

  private static let options =
    "--full, --category, --set and others say what to change; see 'larder stock edit --help'"

  /// Opens an item's file in the editor and adopts what was saved.
  static func openEditor(_ invocation: Invocation) async throws {
    let words = invocation.all(targets)
    let missing = ErrorWords.nothingAsked(options)
    guard !words.contains(where: Filter.isFilter) else { throw missing }
    guard !invocation.has(Rehearsal.option) else {
      throw ErrorWords.nothingAsked(
        "--dry-run needs an option such as --full; an editor is opened without it")
    }
    try await invocation.withLarder { larder in
      // Earlier edits are adopted first, so the commit has only this edit.
      let household = try larder.adopt().household
      let naming = Survey(household, now: larder.context.now()).naming
      let items = try naming.findSeveral(words, .stockItem)
      guard let item = items.first, items.count == 1 else { throw missing }
      let path = household.path(of: item.key) ?? ""
      let bytes = try Larder.bytes(of: path, in: larder.root)
      var draft = EditedText(
        text: String(decoding: bytes, as: UTF8.self), name: path.name, instead: options)
      draft.resuming = { "what you wrote is kept in \($0); once it is right, move it to \(path)" }
      let writing = try await draft.edited(by: invocation) { text in
        _ = try EntityFile(.stockItem, parsing: Array(text.utf8))
        return try await larder.save(Array(text.utf8), over: bytes, at: path)
      }
      report(writing, of: item, household, invocation.output)
    }
  }

  private static func report(
    _ writing: Writing?, of item: Entity, _ before: Household, _ output: Output
  ) {
    let changed = writing?.changed ?? []
    let household = writing?.household ?? before
    output.report(changed, in: household) {
      guard changed.contains(item.key), let after = household[item.key] else {
        return output.note("\(item.title) is as it was")
      }
      let total = Quantity(Stock(household).total(of: after), after.unit)
      output.line(
        EntityWords(of: household).changes(of: item, to: after) ?? "\(after.title): \(total) now")
    }
  }
}

extension Assignment {
  /// Whether it sets products, instead of removing all of them.
  fileprivate var givesProducts: Bool { key == .products && !text.isEmpty }
}
