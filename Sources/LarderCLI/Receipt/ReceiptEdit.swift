import LarderKit

/// `larder receipt edit`.
enum ReceiptEdit {
  /// The options that say what to change.
  private static let changes =
    [
      ReceiptOptions.shop, ReceiptOptions.amount, ReceiptOptions.currency, ReceiptOptions.at,
      TypedLine.option,
    ] + TypedDetail.options

  static let command = Command(
    "receipt edit", arguments: [ReceiptCommand.receipt], options: changes + ReceiptOptions.rules
  ) { invocation in
    let lines = try invocation.typedLines()
    let makesAll = lines.isEmpty && invocation.has(ReceiptOptions.new)
    guard
      makesAll && !invocation.canEdit || changes.contains(where: { !invocation.all($0).isEmpty })
    else { return try await editForm(invocation) }
    try await correct(invocation, found: { try invocation.receipt(in: $0) }) { correction, survey in
      try change(&correction, invocation, survey)
      if makesAll { try correction.countAll() }
      var mistakes = ThingMistakes()
      for line in lines { mistakes.attempt(line.name) { try correction.apply(line) } }
      for detail in try invocation.typedDetails(survey) {
        mistakes.attempt(detail.name) { try correction.note(detail.name) { detail.apply(to: &$0) } }
      }
      try invocation.refuse(mistakes, correction.rules.meanings)
    }
  }

  /// Corrects the found receipt in one commit, and reports it.
  private static func correct(
    _ invocation: Invocation, found: @escaping @Sendable (Survey) throws -> Receipt,
    _ body: @escaping @Sendable (inout ReceiptCorrection, Survey) throws -> Void
  ) async throws {
    let (told, change) = try await invocation.keepingNew { change, rules in
      let survey = change.survey
      let receipt = try found(survey)
      var correction = ReceiptCorrection(of: receipt, survey, change.writer, rules)
      try body(&correction, survey)
      try correction.save(in: &change.edit)
      let new = change.edit.after[receipt.key]
      if invocation.has(ReceiptOptions.strict), let new {
        try Receipt(entity: new).checkAmount()
      }
      change.subject = "edit a receipt of \(receipt.shop)"
      let told = LineNews(
        receipt: receipt, taken: correction.taken, unknown: correction.unknownNames,
        uncounted: correction.uncountedNames,
        madeNothing: invocation.has(ReceiptOptions.new) && !correction.makesItems,
        prices: correction.priceNotes)
      return (told, change.edit.newThings(on: [new].compactMap(\.self)))
    }
    guard let receipt = told.receipt.flatMap({ change[$0.key] }) else { return }
    invocation.output.report(
      receipt, change, change.isNothing ? "unchanged:" : "corrected", invocation)
    await invocation.tell(told, change)
  }

  /// Changes the fields that the options name.
  private static func change(
    _ correction: inout ReceiptCorrection, _ invocation: Invocation, _ survey: Survey
  ) throws {
    if let shop = invocation[ReceiptOptions.shop] {
      correction.set(shop: try invocation.newName(shop, for: ReceiptOptions.shop.spelling))
    }
    let payment = try invocation.payment(in: survey.household)
    if let amount = payment.amount { try correction.set(amount: amount) }
    if let currency = payment.currency { correction.set(currency: currency) }
    if let paid = try invocation.paidAt(survey.calendar) { correction.set(paid: paid) }
  }

  /// Corrects a receipt from the form that somebody edits.
  private static func editForm(_ invocation: Invocation) async throws {
    let survey = try await invocation.survey()
    let receipt = try invocation.receipt(in: survey)
    guard invocation.canEdit else {
      throw ErrorWords(
        .usage, "what to change is missing, and there is no terminal for an editor",
        "give --shop, --amount, --currency, --at, --line, --expiry, --location or --lot")
    }
    let form = ReceiptForm(of: receipt, in: survey)
    let text = form.text(
      in: survey,
      remarks: ReceiptFormWords.remarks + [
        ReceiptFormWords.learning, "Without a change, nothing is changed.",
      ])
    let done: Void? = try await invocation.edited(form: text) { text in
      try await correct(invocation, found: { try receipt.unchanged(in: $0) }) {
        correction, survey in
        try correction.apply(try invocation.form(text, in: survey))
      }
    }
    if done == nil { invocation.output.note("\(survey.heading(receipt.entity)) is as it was") }
  }
}

extension Invocation {
  /// Returns the named receipt.
  fileprivate func receipt(in survey: Survey) throws -> Receipt {
    try survey.find(Receipt.self, self[ReceiptCommand.receipt])
  }
}

extension Receipt {
  /// Returns the receipt as it is now; throws `changedSince` if it was changed after this version.
  fileprivate func unchanged(in survey: Survey) throws -> Receipt {
    guard survey.household[key] == entity else { throw RuleError.receiptChanged(shop: shop) }
    return self
  }
}

/// `larder receipt void` and `larder receipt restore`.
enum ReceiptVoid {
  static let void = Command("receipt void", arguments: [ReceiptCommand.receipt]) { invocation in
    try await mark(.live, true, "voided", "it is void already", invocation)
  }

  static let restore = Command("receipt restore", arguments: [ReceiptCommand.receipt.ofDeleted]) {
    invocation in
    try await mark(.deleted, false, "restored", "it is not void", invocation)
  }

  private static func mark(
    _ scope: Naming.Scope, _ isVoid: Bool, _ verb: String, _ nothing: String,
    _ invocation: Invocation
  ) async throws {
    let (key, change) = try await invocation.commit { change in
      let old = try change.survey.naming.find(invocation[ReceiptCommand.receipt], .receipt, scope)
      let receipt = Receipt(entity: old)
      if isVoid {
        change.edit.void(receipt, by: change.writer)
      } else {
        change.edit.restore(receipt, by: change.writer)
      }
      change.subject = "\(isVoid ? "void" : "restore") a receipt of \(old.title)"
      return old.key
    }
    guard let receipt = change[key] else { return }
    guard !change.isNothing else {
      return invocation.output.report(change, lines: [], nothing: "nothing to do: \(nothing)")
    }
    invocation.output.report(receipt, change, verb, invocation)
    let unchanged = change.after.unchangedItems(of: Receipt(entity: receipt), since: change.before)
    if !unchanged.isEmpty {
      invocation.output.note(
        "as much as before of \(unchanged.joined(separator: ", ")): counted since, or never added")
    }
  }
}
