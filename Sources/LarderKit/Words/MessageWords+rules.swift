package import LarderModel

extension RuleError: HasErrorWords {
  /// The words for the error.
  package var errorWords: ErrorWords {
    switch self {
    case .notEnough(let item, let wanted, let available) where available.value > .zero:
      ErrorWords(
        .failed, "can't take \(wanted) of \(item): only \(available) left",
        "--partial takes what there is", counting(item))
    case .notEnough(let item, let wanted, _):
      ErrorWords(.failed, "can't take \(wanted) of \(item): there is none", counting(item))
    case .tooMuch(let title, let wanted, let available):
      ErrorWords(
        .failed,
        available.value > .zero
          ? "\(wanted) is more than there is of \(title): \(available)" : "there is no \(title)",
        counting(title))
    case .tooLittleElsewhere(let item, let place, let wanted, let available):
      ErrorWords(
        .failed,
        available.value > .zero
          ? "outside \(place) there is \(available) of \(item), not \(wanted)"
          : "there is no \(item) outside \(place)",
        "'larder stock show \(shellWord(item))' says where it lies, and how much")
    case .unitsDoNotConvert(let item, let one, let other):
      ErrorWords(
        .usage, "\(one.rawValue) can't be converted to \(other.rawValue), the unit of \(item)",
        "\(item) is counted in "
          + (other.relatives.isEmpty
            ? one.isMeasured
              ? "\(other.rawValue): write the number alone"
              : "\(other.inPlural): write how many, or what part of one, as in "
                + "'\(shellWord(item)) 1/4'"
            : "\(other.rawValue) or \(other.relatives)"))
    case .amountNeeded(let item, let unit):
      ErrorWords(
        .usage, "how much of \(item)? It is counted in \(unit.shortName)",
        "write the amount with it: \(shellWord(item)) "
          + "\([.gram, .milliliter].contains(unit) ? "100" : "0.5")\(unit.shortName)")
    case .contentNeeded(let item, let wanted, let unit, let product):
      contentNeeded(item, wanted, unit, product)
    case .noPackSize(let item, let unit, let product): noPackSize(item, unit, product)
    case .severalPackSizes(let item, let sizes):
      ErrorWords(
        .ambiguous, "a pack of \(item) is \(sizes.map(\.description).joined(separator: " or "))",
        "name it by the barcode on the pack, or write how much it is in all")
    case .unitIsCounted(let item, let wanted, let counted):
      ErrorWords(
        .failed,
        "the unit of \(item) can't become \(wanted.rawValue): some of it is counted in "
          + counted.rawValue,
        "'larder stock archive \(shellWord(item))' frees the name; 'larder stock new \(shellWord(item))' "
          + "with the amount in \(wanted.shortName) then counts anew")
    case .notAboveZero(let quantity):
      ErrorWords(.usage, "a quantity has to be above zero, found \(quantity)")
    case .belowZero(let quantity):
      ErrorWords(.usage, "there can't be less than nothing: \(quantity)")
    case .itemIsArchived(let item):
      ErrorWords(
        .failed, "\(item) is archived", "'larder stock restore \(shellWord(item))' brings it back")
    case .nothingToSave:
      ErrorWords(
        .failed, "there is nothing to save: no entry is done, and no line is given",
        "'larder shop got ENTRY' puts an entry into the basket",
        "--line 'ITEM=N@PRICE' adds what was on no list")
    case .amountBelowZero(let amount):
      ErrorWords(
        .usage, "an amount can't be below zero, found \(amount)",
        "a discount is a line with a price below zero: --line Discount@-1.50")
    case .priceOfEach(let name, let quantity, let price):
      ErrorWords(
        .usage, "\(name): \(price) for each \(quantity.unit.shortName)?",
        hints: priceHints(name, quantity, price))
    case .amountDiffers(let amount, let sum, let currency):
      ErrorWords(
        .failed,
        "the amount is \(TypedMoney(amount, currency)), and the lines come to "
          + "\(TypedMoney(sum, currency)): \(TypedMoney(difference(amount, sum), currency)) "
          + (amount > sum ? "less" : "more"),
        "correct one of them; without --strict this is a warning")
    case .notOnReceipt(let name, let shop):
      ErrorWords(
        .notFound, "'\(name)' is not on the receipt of \(shop)", "--line '\(name)=N' adds it")
    case .severalLines(let name, let lines):
      ErrorWords(
        .ambiguous, "'\(name)' could be \(lines.count) lines of the receipt",
        "write more of the name; without options, an editor shows all lines",
        problems: lines.map { Problem($0) })
    case .receiptChanged(let shop):
      ErrorWords(
        .failed, "the receipt of \(shop) was changed in the meantime",
        "look at it again with 'larder receipt show \(shellWord(shop))'")
    case .countedThatDay(let title, let day):
      ErrorWords(
        .failed,
        "\(title) was counted on \(day), the day of the receipt: without a time nobody knows whether "
          + "that was before or after",
        "--at '\(day) 18:30' says when it was paid")
    case .receiptIsVoid(let id):
      ErrorWords(
        .failed, "the receipt \(id) is void", "'larder receipt restore \(id)' brings it back")
    case .entryIsClosed(let name):
      ErrorWords(
        .failed, "\(name) is off the shopping list",
        "'larder shop buy \(shellWord(name))' puts it on the list again")
    case .unknownProduct(let id):
      ErrorWords(
        .notFound, "neither an item nor the catalogue has the product '\(id)'",
        "'larder product new \(shellWord(id)) --title T' adds it to the catalogue")
    case .unknownLocation(let id):
      ErrorWords(
        .notFound, "there is no location with the id \(id)", "'larder location' lists them")
    case .locationIsArchived(let name):
      ErrorWords(
        .failed, "\(name) is archived",
        "'larder location restore \(shellWord(name))' brings it back")
    case .otherHousehold(let name, let household):
      ErrorWords(
        .failed, "\(name) belongs to another household, \(household)",
        "'larder check' shows the file")
    case .batchIsNotActive(let batch, let status):
      ErrorWords(
        .failed, "the batch of \(batch) is \(status)",
        "'larder stock show \(shellWord(batch))' lists what there is",
        "'larder stock count \(shellWord(batch)) N --batch B' says what is really there")
    case .changedSince(let batch, let version, let updated):
      ErrorWords(
        .failed, "the batch of \(batch) has changed since \(version): it changed at \(updated)",
        "look at it again, and give the newer time if the change is still wanted")
    case .badConfidence(let number):
      ErrorWords(.usage, "a confidence is from 0 to 1, found \(number)")
    case .openedAfterExpiry(let batch, let opened, let expiry):
      ErrorWords(
        .failed, "\(batch) would be opened on \(opened), and keeps until \(expiry)",
        "without --strict this is a warning")
    case .alreadyOpened(let batch, _):
      ErrorWords(
        .failed, "the batch of \(batch) is open already",
        "'larder stock show \(shellWord(batch))' says since when")
    case .sameItem(let item):
      ErrorWords(.usage, "\(item) can't be merged into itself")
    case .nameIsTaken(let kind, let name, let holder, let claim):
      nameTaken(kind, name, holder, claim)
    case .productIsClaimed(let product, let item, let isArchived):
      claimed(product, item, isArchived)
    case .numberIsTaken(let number, let product, isArchived: false):
      ErrorWords(
        .failed, "\(number) is \(product) already",
        "'larder product show \(shellWord(number))' shows it, "
          + "'larder product edit \(shellWord(number))' changes it")
    case .numberIsTaken(let number, let product, isArchived: true):
      ErrorWords(
        .failed, "\(number) is \(product), which is archived",
        "'larder product restore \(shellWord(number))' brings it back")
    case .badBarcode(let number):
      ErrorWords(
        .usage,
        "\(number) is not a barcode: \(Barcode(number)?.mistake ?? "it needs 8, 12, 13 or 14 digits")",
        "it may be mistyped; \(Barcode.advice)")
    case .lineNamedTwice(let name):
      ErrorWords(
        .usage, "two lines name \(name)",
        "say in one line how much was bought and what it cost in all")
    case .lineOfNothing(let name):
      ErrorWords(
        .usage, "a line of 0 says that no \(name) was bought",
        "leave it out; 'larder shop undone' takes an entry out of the basket")
    case .knownElsewhere:
      ErrorWords(
        .failed, "this batch was synced, so its file can't be removed for good",
        "without --hard it is discarded, and its file stays")
    case .notInBasket(let name):
      ErrorWords(
        .notFound, "'\(name)' is neither in the basket nor on a line", "--line '\(name)=N' adds it")
    case .requestIsTaken(let request): taken(request)
    case .tooManyDigits(let quantity):
      ErrorWords(.usage, "\(quantity) has too many digits: 15 can be kept, six of them decimals")
    }
  }

  private func counting(_ item: String) -> String {
    "'larder stock count \(shellWord(item)) N' says what is really there"
  }

  private func difference(_ one: Number, _ other: Number) -> Number {
    one > other ? one - other : other - one
  }

  private func taken(_ request: ServedRequest) -> ErrorWords {
    let verb: String =
      switch request.why {
      case .consume: "used"
      case .spoil: "discarded"
      default: "put"
      }
    return ErrorWords(
      .failed,
      "the request '\(request.id)' was another one: it \(verb) \(request.quantity) of \(request.title)",
      "nothing was done; another --request-id makes this a request of its own")
  }

  private func nameTaken(
    _ kind: Kind, _ name: String, _ holder: String, _ claim: NameClaim
  ) -> ErrorWords {
    let message =
      name == holder
      ? "there is \(kind.article) \(kind.noun) called \(name) already"
      : "\(name) is another name of \(holder)"
    let other = shellWord(holder)
    let free =
      name == holder
      ? waysToFree(kind, name)
      : "'larder stock edit \(other) --set aliases=' takes its other names off it"
    func merging(_ names: String, _ mayBeSame: Bool) -> String? {
      kind == .stockItem && mayBeSame
        ? "if both are the same, 'larder stock merge \(names)' makes one item of them" : nil
    }
    let hints: [String?] =
      switch claim {
      case .alias(let title, let mayBeSame):
        [
          merging("\(shellWord(title)) \(other)", mayBeSame),
          name == holder
            ? "'larder stock show \(other)' shows it; 'larder stock edit \(other) --name NAME' makes its "
              + "name free" : free,
        ]
      case .rename(let title, let mayBeSame):
        [merging("\(other) \(shellWord(title))", mayBeSame), free]
      case .new(let title) where fold(title) != fold(name):
        [
          "if both are the same, 'larder stock edit \(other) --alias \(shellWord(title))' calls it "
            + "so too", waysBesidesNew(kind, holder),
        ]
      case .new: [waysBesidesNew(kind, holder), name == holder ? nil : free]
      }
    return ErrorWords(.failed, message, hints: hints.compactMap(\.self))
  }

  private func waysBesidesNew(_ kind: Kind, _ name: String) -> String {
    let word = shellWord(name)
    guard let noun = kind.commandNoun else { return "the household's file says what there is" }
    let editing = "'larder \(noun) edit \(word)' changes it"
    return kind == .stockItem ? "\(editing), 'larder stock put \(word) N' adds to it" : editing
  }

  private func waysToFree(_ kind: Kind, _ name: String) -> String {
    let word = shellWord(name)
    guard let noun = kind.commandNoun else { return "the household's file says what there is" }
    return kind == .stockItem
      ? "'larder stock show \(word)' shows it; 'larder stock archive \(word)' makes its name free"
      : "'larder \(noun) edit \(word) --name NAME' or 'archive' makes its name free"
  }

  private func claimed(_ product: String, _ item: String, _ isArchived: Bool) -> ErrorWords {
    let word = shellWord(item)
    let release =
      "a product belongs to one item; 'larder stock edit \(word) --set products=' takes all off it"
    guard isArchived else {
      return ErrorWords(.failed, "the product \(product) counts as \(item) already", release)
    }
    return ErrorWords(
      .failed, "the product \(product) counts as \(item), which is archived",
      "'larder stock restore \(word)' brings it back", release + ", once it is back")
  }

  private func noPackSize(_ item: String, _ unit: Unit, _ product: String?) -> ErrorWords {
    ErrorWords(
      .usage, "the size of a pack of \(item) is not known",
      "write how much it is in all, or \(sayingPackSize(item, unit, product))")
  }

  private func contentNeeded(
    _ item: String, _ wanted: Quantity, _ unit: Unit, _ product: String?
  ) -> ErrorWords {
    let line = "'--line \(shellWord("\(item)=AMOUNT"))' says it on the receipt"
    let size = wanted.unit == .pack ? [sayingPackSize(item, unit, product)] : []
    return ErrorWords(
      .usage, "how much of \(item) is \(wanted)? It is counted in \(unit.shortName)",
      hints: ["\(line), 'larder got \(shellWord(item)) AMOUNT' on the list"] + size)
  }

  private func sayingPackSize(_ item: String, _ unit: Unit, _ product: String?) -> String {
    let example = unit.converts(to: .kilogram) ? "500g" : unit.converts(to: .liter) ? "500ml" : "6"
    let command =
      product.map { "product edit \(shellWord($0))" }
      ?? "product new BARCODE --title T --item \(shellWord(item))"
    return "'larder \(command) --pack-size \(example)' says what a pack holds"
  }
}

extension ActError: HasErrorWords {
  package var errorWords: ErrorWords {
    switch self {
    case .unknownAct(let id):
      ErrorWords(.notFound, "nothing that was done here has the id \(id)")
    case .tooOld(let at):
      ErrorWords(
        .failed,
        "this is of \(at), more than \(Act.longestWait / 86_400_000) days ago, so it is not done now",
        "do it again, if it is still meant")
    case .unreadable(let words):
      ErrorWords(
        .usage, "'\(words)' names nothing, or its amount can't be read",
        "write it as in 'milk 2l, eggs'")
    case .otherHousehold(let root):
      ErrorWords(
        .failed, "another household is in \(safePath(root)) now than the one that was opened",
        "bring the folder back, or start again to use the other household")
    case .takenID(let title):
      ErrorWords(
        .failed, "the id of this is that of \(title), which stays as it is",
        "an id that is new is needed")
    case .basketIsSaved(let saved): ErrorWords(.failed, saved.sentence)
    case .nameOfItem(let title): .ofItem(title)
    case .nothingLoose(let item):
      ErrorWords(.failed, "nothing of \(item) lies outside its batches")
    case .locationInUse(let title):
      ErrorWords(
        .failed, "\(title) is in use: something is there, or is usually put there",
        "move it elsewhere first")
    case .freezerByName(let title, let isFreezer):
      ErrorWords(
        .usage,
        isFreezer
          ? "\(title) is no freezer by its name" : "\(title) is a freezer by its name",
        isFreezer ? "call it 'Freezer \(title)', or the like" : "give it another name")
    }
  }
}

extension ErrorWords {
  /// Returns the words for an entry that gets its name from its item.
  package static func ofItem(_ title: String) -> ErrorWords {
    ErrorWords(
      .failed, "the entry is for the item \(title) and has its name",
      "'larder stock edit \(shellWord(title)) --name NAME' renames the item")
  }
}

extension Unit {
  /// The unit's word for several, such as `pieces` or `tins`.
  fileprivate var inPlural: String {
    let words = Quantity(Number(2), self).description.split(separator: " ", maxSplits: 1)
      .dropFirst()
    return isMeasured ? rawValue : words.first.map(String.init) ?? rawValue + "s"
  }

  /// The other units that this one converts to, for a message.
  fileprivate var relatives: String {
    Unit.known.filter { $0 != self && $0.converts(to: self) }.map(\.rawValue)
      .joined(separator: " or ")
  }
}

/// The two ways to write a price that was typed for each gram or millilitre.
private func priceHints(_ name: String, _ quantity: Quantity, _ price: Number) -> [String] {
  let large: Unit = quantity.unit == .gram ? .kilogram : .liter
  let amount = "\(quantity.value)\(quantity.unit.shortName)"
  let inLarge = quantity.converted(to: large).map { "\($0)\(large.shortName)" }
  let line = { (said: String) in "--line " + shellWord("\(name)=\(said)") }
  return ["\(line("\(amount)@@\(price)")) if that is the price in all"]
    + (inLarge.map { ["\(line("\($0)@\(price)")) if it is that of one \(large.shortName)"] } ?? [])
}

extension Barcode {
  /// The sentence about a wrong check digit, such as `its check digit would be 1, not 0`.
  package var mistake: String { "its check digit would be \(checkDigit), not \(lastDigit)" }

  /// The hint for a wrong check digit.
  static let advice = "scan it again, or read it off the package"
}
