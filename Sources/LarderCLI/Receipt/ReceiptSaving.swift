import LarderKit

/// The saving of a receipt, from options or from a form.
struct ReceiptSaving {
  let invocation: Invocation
  /// The words for the bought entries; if there are none, the entries in the basket are bought.
  let entries: [String]
  /// The receipt's id, if the caller chose it.
  let id: String?
  /// Whether the lines are complete, so an entry in the basket without a line was not bought.
  var isWhole = false

  /// Whether to ask if an earlier receipt is meant.
  private var asks: Bool {
    id == nil && invocation.prompt.isInteractive && !invocation.prompt.answersYes
  }

  /// Saves a receipt; `said` returns the purchase and the typed lines.
  func save(_ said: (Survey) throws -> (Edit.Purchase, [TypedLine])) throws {
    var twin: Receipt?
    var told = LineNews()
    func commit(_ isAnother: Bool) throws -> Outcome {
      try invocation.keepingNew { rules, checkNew in
        try invocation.change { edit, writer, survey in
          let (purchase, lines) = try said(survey)
          var basket = try basket(lines, survey, writer, rules)
          let receipt = try save(purchase, &basket, in: &edit, survey)
          told = LineNews(
            receipt: receipt, taken: basket.taken, unknown: basket.unknownNames,
            prices: basket.priceNotes)
          twin = id == nil && edit.before[receipt.key] == nil ? survey.twin(of: receipt) : nil
          if let twin, !isAnother { throw Self.savedTwice(twin, survey) }
          try checkNew(edit.newThings(on: [receipt.entity]), survey)
          return "save a receipt of \(receipt.shop)"
        }
      }
    }
    let change: Outcome
    do {
      change = try commit(!asks)
    } catch {
      guard asks, let twin else { throw error }
      try ask(error, about: twin)
      change = try commit(true)
    }
    report(told, change)
    if let twin, !asks {
      invocation.output.warn(Self.savedTwice(twin, change.before).message)
    }
  }

  private func save(
    _ said: Edit.Purchase, _ basket: inout Basket, in edit: inout Edit, _ survey: Survey
  ) throws -> Receipt {
    var purchase = said
    let hasMoney = purchase.amount != nil || basket.lines.contains { $0.price != nil }
    purchase.currency = purchase.currency ?? (hasMoney ? survey.household.own?.currency : nil)
    purchase.id = id
    let receipt = Receipt(entity: try basket.save(purchase, in: &edit))
    if invocation.has(ReceiptOptions.strict) { try receipt.checkAmount() }
    return receipt
  }

  private func basket(
    _ lines: [TypedLine], _ survey: Survey, _ writer: Writer, _ rules: LineRules
  ) throws -> Basket {
    var basket = Basket(try bought(survey), survey, writer, rules)
    var mistakes = ThingMistakes()
    for line in lines { mistakes.attempt(line.name) { try basket.add(line) } }
    for detail in try invocation.typedDetails(survey) {
      mistakes.attempt(detail.name) { try basket.note(detail.name) { detail.apply(to: &$0) } }
    }
    try mistakes.refuse()
    return basket
  }

  private func bought(_ survey: Survey) throws -> [Entity] {
    if isWhole { return [] }
    return entries.isEmpty
      ? Self.basket(in: survey) : try survey.naming.findSeveral(entries, .shoppingListEntry)
  }

  private func report(_ told: LineNews, _ change: Outcome) {
    guard let receipt = told.receipt.flatMap({ change[$0.key] }) else { return }
    invocation.output.report(receipt, change, "saved", invocation)
    guard !change.isNothing else {
      return invocation.output.note("nothing was changed: it was saved before")
    }
    invocation.tell(told, in: change.after)
  }
}

extension ReceiptSaving {
  /// Returns the entries in the basket.
  private static func basket(in survey: Survey) -> [Entity] {
    ShopRow.all(in: survey, isWhole: false).map(\.entry).filter(\.isCompleted)
  }

  /// Whether neither the shop nor the things were given, and a user can fill in a form.
  func needsForm() throws -> Bool {
    guard entries.isEmpty, invocation.canEdit else { return false }
    return try invocation[ReceiptOptions.shop] == nil
      || Self.basket(in: invocation.survey()).isEmpty
  }

  /// Saves the receipt that the user writes in an editor; the form has the basket's entries.
  func editForm() throws {
    let survey = try invocation.survey()
    let (done, open) = survey.shoppingList.reduce(into: ([TypedLine](), [TypedLine]())) {
      let line = TypedLine(
        survey.title(of: $1), quantity: TypedQuantity(shown: $1.entity.desired))
      if $1.isCompleted { $0.0.append(line) } else { $0.1.append(line) }
    }
    let said = try invocation.purchase(in: survey)
    var form = ReceiptForm(shop: said.shop)
    form.lines = done
    let time = survey.calendar.text(of: said.timestamp ?? survey.calendar.now)
    form.paid = survey.calendar.instant(typed: time)
    form.amount = said.amount.map {
      TypedMoney($0, said.currency ?? survey.household.own?.currency)
    }
    let text = form.text(
      in: survey, remarks: ReceiptFormWords.remarks + ["Without a change, nothing is saved."],
      offers: open)
    var whole = self
    whole.isWhole = true
    let saved: Void? = try invocation.edited(form: text) { text in
      try whole.save { survey in
        let written = try invocation.form(text, in: survey)
        var purchase = said
        purchase.shop = written.shop
        purchase.amount = written.amount?.amount
        purchase.currency = written.amount?.currency ?? said.currency
        // The form has no seconds.
        purchase.timestamp = written.paid == form.paid ? said.timestamp : written.paid
        return (purchase, written.lines)
      }
    }
    if saved == nil { invocation.output.note("nothing was saved") }
  }

  private func ask(_ error: any Error, about twin: Receipt) throws {
    let error = MessageWords().commandError(for: error)
    guard invocation.prompt.confirm("\(error.message); save another one?") == true else {
      throw CommandError(.failed, "nothing was saved", hints: error.hints)
    }
  }

  /// Returns the error for a receipt that is similar to a saved one.
  static func savedTwice(_ first: Receipt, _ survey: Survey) -> CommandError {
    CommandError(
      .failed,
      "there is a receipt of the same shop, day and amount: \(survey.heading(first.entity)) "
        + "(\(survey.household.path(of: first.key) ?? ""))",
      "'larder receipt show \(shellWord(survey.reference(to: first)))' shows it")
  }
}
