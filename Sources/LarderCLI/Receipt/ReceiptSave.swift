import LarderKit

/// `larder receipt save`.
enum ReceiptSave {
  private static let entries = Argument(
    "ENTRY", .zeroOrMore, values: .named(.all(.shoppingListEntry)),
    help: "the entries that were bought; those in the basket if left out")
  private static let id = Option(
    "id", value: "ID", help: "the receipt's id (a UUID), so that it is saved only once")

  static let command = Command(
    "receipt save", arguments: [entries],
    options: [
      ReceiptOptions.shop, ReceiptOptions.amount, ReceiptOptions.currency, ReceiptOptions.at, id,
      TypedLine.option,
    ] + TypedDetail.options + ReceiptOptions.rules
  ) { invocation in
    let lines = try invocation.typedLines()
    let saving = ReceiptSaving(
      invocation: invocation, entries: invocation.all(entries),
      id: try invocation.value(id, "a UUID is needed") {
        Identifier.isUUID($0) ? $0.lowercased() : nil
      })
    if lines.isEmpty, try await saving.needsForm() { return try await saving.editForm() }
    guard let shop = invocation[ReceiptOptions.shop] else { throw try await noShop(invocation) }
    try await saving.save { survey in
      var purchase = try invocation.purchase(in: survey)
      purchase.shop = try invocation.newName(shop, for: ReceiptOptions.shop.spelling)
      return (purchase, lines)
    }
  }

  /// Returns the error for a missing shop, which may be among the words.
  private static func noShop(_ invocation: Invocation) async throws -> ErrorWords {
    let survey = try await invocation.survey()
    let (strangers, known) = invocation.all(entries).reduce(into: ([String](), [String]())) {
      (try? survey.naming.find($1, .shoppingListEntry)) == nil ? $0.0.append($1) : $0.1.append($1)
    }
    let missing = "\(ReceiptOptions.shop.usage) is missing"
    guard !strangers.isEmpty else {
      return ErrorWords(
        .usage, missing,
        "larder receipt save --shop S --line 'ITEM=N@PRICE' says where and what was bought")
    }
    let amount = strangers.last.flatMap { strangers.count > 1 ? try? TypedMoney($0) : nil }
    let shop = (amount == nil ? strangers : strangers.dropLast()).joined(separator: " ")
    var words = ["larder receipt save", "--shop", shellWord(shop)]
    if amount != nil { words += ["--amount", shellWord(strangers.last ?? "")] }
    words += invocation.typedOptions() + known.map { shellWord($0) }
    return ErrorWords(
      .usage,
      "\(missing), and no entry is called \(strangers.map { "'\($0)'" }.joined(separator: ", "))",
      "did you mean '\(words.joined(separator: " "))'?")
  }
}

extension Invocation {
  /// Asks whether to save a receipt although a similar one is there; throws if not, or if nobody can
  /// be asked.
  func askForAnother(_ twin: ErrorWords) throws {
    guard let isAnother = prompt.confirm("\(twin.message); save another one?") else {
      throw ErrorWords(
        .failed, "nothing was saved: \(twin.message)",
        hints: twin.hints + ["--yes saves another one"])
    }
    guard isAnother else { throw ErrorWords(.failed, "nothing was saved", hints: twin.hints) }
  }

  /// Returns the purchase from the options; the shop is empty if no option names it.
  func purchase(in survey: Survey) throws -> Edit.Purchase {
    var purchase = Edit.Purchase(shop: self[ReceiptOptions.shop] ?? "")
    let payment = try payment(in: survey.household)
    purchase.amount = payment.amount
    purchase.currency = payment.currency
    purchase.timestamp = try paidAt(survey.calendar)
    purchase.isDayOnly = self[ReceiptOptions.at].map(survey.calendar.isDayAlone) ?? false
    return purchase
  }

}

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
  func save(_ said: @escaping @Sendable (Survey) throws -> (Edit.Purchase, [TypedLine]))
    async throws
  {
    do {
      try await save(isBasket: id == nil && !isWhole && !invocation.prompt.answersYes, said)
    } catch RuleError.nothingToSave {
      if let saved = try await invocation.open().lastSavedBasket() {
        throw try await words(for: saved, "there is nothing to save: ")
      }
      throw RuleError.nothingToSave
    }
  }

  /// Saves a receipt; with `isBasket`, asks whether one of which nothing was on the list is of the
  /// basket that somebody else has saved.
  private func save(
    isBasket: Bool, _ said: @escaping @Sendable (Survey) throws -> (Edit.Purchase, [TypedLine])
  ) async throws {
    do {
      try await save(isAnother: !asks, isBasket: isBasket, said)
    } catch OpenQuestion.isAnother(let twin) {
      try invocation.askForAnother(twin)
      try await save(isAnother: true, isBasket: false, said)
    } catch OpenQuestion.isBasket(let receipt) {
      let larder = try await invocation.open()
      let saved = try await larder.saving(of: receipt)
      guard try await saved.device != larder.device else {
        return try await save(isBasket: false, said)
      }
      try invocation.askForAnother(try await words(for: saved))
      try await save(isAnother: true, isBasket: false, said)
    }
  }

  /// Returns the error for a basket that somebody has saved.
  private func words(for saved: SavedBasketNews, _ start: String = "") async throws -> ErrorWords {
    let survey = try await invocation.survey()
    let name =
      survey.household[.receipt, saved.receipt].map { survey.reference(to: Receipt(entity: $0)) }
    let receipt = shellWord(name ?? saved.receipt)
    let options = invocation.typedOptions { $0 == "id" ? [] : nil }
    return ErrorWords(
      .failed, start + saved.sentence,
      hints: [
        "'larder receipt show \(receipt)' shows it",
        "'\((["larder receipt edit", receipt] + options).joined(separator: " "))' says more of it",
      ])
  }

  private func save(
    isAnother: Bool, isBasket: Bool,
    _ said: @escaping @Sendable (Survey) throws -> (Edit.Purchase, [TypedLine])
  ) async throws {
    let ((told, twin), change) = try await invocation.keepingNew { change, rules in
      let survey = change.survey
      let (purchase, lines) = try said(survey)
      var rules = rules
      rules.paid = purchase.timestamp
      var basket = try basket(lines, survey, change.writer, rules)
      let receipt = try save(purchase, &basket, in: &change.edit, survey)
      let isNew = id == nil && change.edit.before[receipt.key] == nil
      if isBasket, isNew, basket.entries.isEmpty, let saved = survey.savedBasket(like: receipt) {
        throw OpenQuestion.isBasket(saved)
      }
      let twin = isNew ? survey.twin(of: receipt) : nil
      if let twin, !isAnother { throw OpenQuestion.isAnother(Self.savedTwice(twin, survey)) }
      change.subject = "save a receipt of \(receipt.shop)"
      let told = LineNews(
        receipt: receipt, taken: basket.taken, unknown: basket.unknownNames,
        prices: basket.priceNotes, contents: basket.contents)
      return ((told, twin), change.edit.newThings(on: [receipt.entity]))
    }
    await report(told, change)
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
    try invocation.refuse(mistakes, rules.meanings)
    for entry in basket.entries {
      mistakes.attempt(survey.naming.title(of: entry)) { try basket.count(entry) }
    }
    try mistakes.refuse()
    return basket
  }

  private func bought(_ survey: Survey) throws -> [Entity] {
    if isWhole { return [] }
    return entries.isEmpty
      ? Self.basket(in: survey)
      : try survey.naming.findSeveral(entries, .shoppingListEntry, inFull: true)
  }

  private func report(_ told: LineNews, _ change: Outcome) async {
    guard let receipt = told.receipt.flatMap({ change[$0.key] }) else { return }
    invocation.output.report(receipt, change, "saved", invocation)
    guard !change.isNothing else {
      return invocation.output.note("nothing was changed: it was saved before")
    }
    await invocation.tell(told, change)
  }

  /// Returns the entries in the basket.
  private static func basket(in survey: Survey) -> [Entity] {
    ShopRow.all(in: survey).map(\.entry).filter(\.isCompleted)
  }

  /// Whether neither the shop nor the things were given, and a user can fill in a form.
  func needsForm() async throws -> Bool {
    guard entries.isEmpty, invocation.canEdit else { return false }
    if invocation[ReceiptOptions.shop] == nil { return true }
    return Self.basket(in: try await invocation.survey()).isEmpty
  }

  /// Saves the receipt that the user writes in an editor; the form has the basket's entries.
  func editForm() async throws {
    let survey = try await invocation.survey()
    let (done, open) = survey.shoppingList.reduce(into: ([TypedLine](), [TypedLine]())) {
      let line = TypedLine(survey.title(of: $1), quantity: TypedQuantity(shown: $1.entity.desired))
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
    let shown = form.paid
    var remarks = ReceiptFormWords.remarks + ["Without a change, nothing is saved."]
    if done.isEmpty, let saved = try await invocation.open().lastSavedBasket() {
      remarks.append("The basket is empty: \(saved.sentence).")
    }
    let text = form.text(in: survey, remarks: remarks, offers: open)
    var whole = self
    whole.isWhole = true
    let saved: Void? = try await invocation.edited(form: text) { [whole] text in
      try await whole.save { survey in
        let written = try invocation.form(text, in: survey)
        var purchase = said
        purchase.shop = written.shop
        purchase.amount = written.amount?.amount
        purchase.currency = written.amount?.currency ?? said.currency
        // The form has no seconds.
        purchase.timestamp = written.paid == shown ? said.timestamp : written.paid
        return (purchase, written.lines)
      }
    }
    if saved == nil { invocation.output.note("nothing was saved") }
  }

  /// Returns the error for a receipt that is similar to a saved one.
  static func savedTwice(_ first: Receipt, _ survey: Survey) -> ErrorWords {
    ErrorWords(
      .failed,
      "there is a receipt of the same shop, day and amount: \(survey.heading(first.entity)) "
        + "(\(survey.household.path(of: first.key) ?? ""))",
      "'larder receipt show \(shellWord(survey.reference(to: first)))' shows it")
  }
}
