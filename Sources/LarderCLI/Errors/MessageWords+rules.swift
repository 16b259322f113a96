import LarderKit

extension RuleError {
  /// The words for the error.
  var commandError: CommandError {
    switch self {
    case .notEnough(let item, let wanted, let available) where available.value > .zero:
      CommandError(
        .failed, "can't take \(wanted) of \(item): only \(available) left",
        "--partial takes what there is", counting(item))
    case .notEnough(let item, let wanted, _):
      CommandError(.failed, "can't take \(wanted) of \(item): there is none", counting(item))
    case .tooMuch(let title, let wanted, let available):
      CommandError(
        .failed,
        available.value > .zero
          ? "\(wanted) is more than there is of \(title): \(available)" : "there is no \(title)",
        counting(title))
    case .unitsDoNotConvert(let item, let one, let other):
      CommandError(
        .usage, "\(one.rawValue) can't be converted to \(other.rawValue), the unit of \(item)",
        "\(item) is counted in \(other.rawValue)"
          + (other.relatives.isEmpty ? ": write the number alone" : " or \(other.relatives)"))
    case .amountNeeded(let item, let unit):
      CommandError(
        .usage, "how much of \(item)? It is counted in \(unit.shortName)",
        "write the amount with it: \(shellWord(item)) "
          + "\([.gram, .milliliter].contains(unit) ? "100" : "0.5")\(unit.shortName)")
    case .noPackSize(let item, let unit, let product): noPackSize(item, unit, product)
    case .severalPackSizes(let item, let sizes):
      CommandError(
        .ambiguous, "a pack of \(item) is \(sizes.map(\.description).joined(separator: " or "))",
        "name it by the barcode on the pack, or write how much it is in all")
    case .unitIsCounted(let item, let wanted, let counted):
      CommandError(
        .failed,
        "the unit of \(item) can't become \(wanted.rawValue): some of it is counted in "
          + counted.rawValue,
        "'larder stock archive \(shellWord(item))' frees the name; 'larder stock new \(shellWord(item))' "
          + "with the amount in \(wanted.shortName) then counts anew")
    case .notAboveZero(let quantity):
      CommandError(.usage, "a quantity has to be above zero, found \(quantity)")
    case .belowZero(let quantity):
      CommandError(.usage, "there can't be less than nothing: \(quantity)")
    case .itemIsArchived(let item):
      CommandError(
        .failed, "\(item) is archived", "'larder stock restore \(shellWord(item))' brings it back")
    case .nothingToSave:
      CommandError(
        .failed, "there is nothing to save: no entry is done, and no line is given",
        "'larder shop got ENTRY' puts an entry into the basket",
        "--line 'ITEM=N@PRICE' adds what was on no list")
    case .amountBelowZero(let amount):
      CommandError(
        .usage, "an amount can't be below zero, found \(amount)",
        "a discount is a line with a price below zero: --line Discount@-1.50")
    case .priceOfEach(let name, let quantity, let price):
      CommandError(
        .usage, "\(name): \(price) for each \(quantity.unit.shortName)?",
        hints: priceHints(name, quantity, price))
    case .amountDiffers(let amount, let sum, let currency):
      CommandError(
        .failed,
        "the amount is \(TypedMoney(amount, currency)), and the lines come to "
          + "\(TypedMoney(sum, currency)): \(TypedMoney(difference(amount, sum), currency)) "
          + (amount > sum ? "less" : "more"),
        "correct one of them; without --strict this is a warning")
    case .notOnReceipt(let name, let shop):
      CommandError(
        .notFound, "'\(name)' is not on the receipt of \(shop)", "--line '\(name)=N' adds it")
    case .severalLines(let name, let lines):
      CommandError(
        .ambiguous, "'\(name)' could be \(lines.count) lines of the receipt",
        "write more of the name; without options, an editor shows all lines",
        problems: lines.map { Problem($0) })
    case .receiptChanged(let shop):
      CommandError(
        .failed, "the receipt of \(shop) was changed in the meantime",
        "look at it again with 'larder receipt show \(shellWord(shop))'")
    case .receiptIsVoid(let id):
      CommandError(
        .failed, "the receipt \(id) is void", "'larder receipt restore \(id)' brings it back")
    case .entryIsClosed(let name):
      CommandError(
        .failed, "\(name) is off the shopping list",
        "'larder shop buy \(shellWord(name))' puts it on the list again")
    case .unknownProduct(let id):
      CommandError(
        .notFound, "neither an item nor the catalogue has the product '\(id)'",
        "'larder product new \(shellWord(id)) --title T' adds it to the catalogue")
    case .unknownLocation(let id):
      CommandError(
        .notFound, "there is no location with the id \(id)", "'larder location' lists them")
    case .locationIsArchived(let name):
      CommandError(
        .failed, "\(name) is archived",
        "'larder location restore \(shellWord(name))' brings it back")
    case .otherHousehold(let name, let household):
      CommandError(
        .failed, "\(name) belongs to another household, \(household)",
        "'larder check' shows the file")
    case .batchIsNotActive(let batch, let status):
      CommandError(
        .failed, "the batch of \(batch) is \(status)",
        "'larder stock show \(shellWord(batch))' lists what there is",
        "'larder stock count \(shellWord(batch)) N --batch B' says what is really there")
    case .changedSince(let batch, let version, let updated):
      CommandError(
        .failed, "the batch of \(batch) has changed since \(version): it changed at \(updated)",
        "look at it again, and give the newer time if the change is still wanted")
    case .badConfidence(let number):
      CommandError(.usage, "a confidence is from 0 to 1, found \(number)")
    case .openedAfterExpiry(let batch, let opened, let expiry):
      CommandError(
        .failed, "\(batch) would be opened on \(opened), and keeps until \(expiry)",
        "without --strict this is a warning")
    case .alreadyOpened(let batch, _):
      CommandError(
        .failed, "the batch of \(batch) is open already",
        "'larder stock show \(shellWord(batch))' says since when")
    case .sameItem(let item):
      CommandError(.usage, "\(item) can't be merged into itself")
    case .nameIsTaken(let kind, let name, let holder, let isNew):
      nameTaken(kind, name, holder, isNew)
    case .productIsClaimed(let product, let item, let isArchived):
      claimed(product, item, isArchived)
    case .numberIsTaken(let number, let product, isArchived: false):
      CommandError(
        .failed, "\(number) is \(product) already",
        "'larder product show \(shellWord(number))' shows it, "
          + "'larder product edit \(shellWord(number))' changes it")
    case .numberIsTaken(let number, let product, isArchived: true):
      CommandError(
        .failed, "\(number) is \(product), which is archived",
        "'larder product restore \(shellWord(number))' brings it back")
    case .badBarcode(let number):
      CommandError(
        .usage,
        "\(number) is not a barcode: \(Barcode(number)?.mistake ?? "it needs 8, 12, 13 or 14 digits")",
        "it may be mistyped; \(Barcode.advice)")
    case .lineNamedTwice(let name):
      CommandError(
        .usage, "two lines name \(name)",
        "say in one line how much was bought and what it cost in all")
    case .lineOfNothing(let name):
      CommandError(
        .usage, "a line of 0 says that no \(name) was bought",
        "leave it out; 'larder shop undone' takes an entry out of the basket")
    case .knownElsewhere:
      CommandError(
        .failed, "this batch was synced, so its file can't be removed for good",
        "without --hard it is discarded, and its file stays")
    case .notInBasket(let name):
      CommandError(
        .notFound, "'\(name)' is neither in the basket nor on a line", "--line '\(name)=N' adds it")
    case .requestIsTaken(let request): taken(request)
    case .tooManyDigits(let quantity):
      CommandError(.usage, "\(quantity) has too many digits: 15 can be kept, six of them decimals")
    }
  }

  private func counting(_ item: String) -> String {
    "'larder stock count \(shellWord(item)) N' says what is really there"
  }

  private func difference(_ one: Number, _ other: Number) -> Number {
    one > other ? one - other : other - one
  }

  private func taken(_ request: ServedRequest) -> CommandError {
    let verb: String =
      switch request.why {
      case .consume: "used"
      case .spoil: "discarded"
      default: "put"
      }
    return CommandError(
      .failed,
      "the request '\(request.id)' was another one: it \(verb) \(request.quantity) of \(request.title)",
      "nothing was done; another --request-id makes this a request of its own")
  }

  private func nameTaken(
    _ kind: Kind, _ name: String, _ holder: String, _ isNew: Bool
  ) -> CommandError {
    guard name == holder else {
      let free =
        "'larder stock edit \(shellWord(holder)) --set aliases=' takes its other names off it"
      return CommandError(
        .failed, "\(name) is another name of \(holder)",
        hints: isNew ? [waysBesidesNew(kind, holder), free] : [free])
    }
    return CommandError(
      .failed, "there is \(kind.article) \(kind.noun) called \(name) already",
      isNew ? waysBesidesNew(kind, name) : waysToFree(kind, name))
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

  private func claimed(_ product: String, _ item: String, _ isArchived: Bool) -> CommandError {
    let word = shellWord(item)
    let release =
      "a product belongs to one item; 'larder stock edit \(word) --set products=' takes all off it"
    guard isArchived else {
      return CommandError(.failed, "the product \(product) counts as \(item) already", release)
    }
    return CommandError(
      .failed, "the product \(product) counts as \(item), which is archived",
      "'larder stock restore \(word)' brings it back", release + ", once it is back")
  }

  private func noPackSize(_ item: String, _ unit: Unit, _ product: String?) -> CommandError {
    let example = unit.converts(to: .kilogram) ? "500g" : unit.converts(to: .liter) ? "500ml" : "6"
    let command =
      product.map { "'larder product edit \(shellWord($0)) --pack-size \(example)'" }
      ?? "'larder product new BARCODE --title T --item \(shellWord(item)) --pack-size \(example)'"
    return CommandError(
      .usage, "the size of a pack of \(item) is not known",
      "write how much it is in all, or \(command) says what a pack holds")
  }
}

extension Unit {
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
  var mistake: String { "its check digit would be \(checkDigit), not \(lastDigit)" }

  /// The hint for a wrong check digit.
  static let advice = "scan it again, or read it off the package"
}
