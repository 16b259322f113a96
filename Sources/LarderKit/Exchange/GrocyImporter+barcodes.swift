internal import LarderModel

/// Grocy's barcodes, and how much of a product each of them stands for.
extension GrocyImporter {
  /// Returns the product ids of a product's barcodes, without those that an item has already.
  ///
  /// A barcode that stands for more than one of the item's unit gets a product with that pack size.
  /// If no answer says how much a pack is, its size stays in Grocy's unit, so that it is asked about.
  mutating func barcodes(of product: Part, _ name: String, _ unit: Unit) -> [String] {
    let id = product.text("id")
    var ids: [String] = []
    for part in answers.all(.barcodes) where part.text("product_id") == id {
      guard let number = needed("barcode", part) else { continue }
      guard let barcode = Barcode(written: number), barcode.isSound else {
        report.oddBarcodes.append("\(number) of \(name)")
        continue
      }
      let known = names.product(with: barcode)
      let productID = known ?? barcode.productID
      guard Stock(edit.after).item(ofProduct: productID) == nil, !ids.contains(productID) else {
        continue
      }
      ids.append(productID)
      guard let pack = pack(of: part, product, unit), edit.after[.product, productID] == nil else {
        continue
      }
      if !pack.isKnown {
        report.unknownPacks.append(.init(barcode: number, product: name, unit: pack.unitName))
      }
      put(pack.size, number, productID, name)
    }
    return ids
  }

  /// Makes the products of an item keep for some days once they are open; without one, it gets one.
  mutating func keeping(_ days: Int, _ ids: [String], _ part: Part, _ name: String)
    -> [String]
  {
    let own = ids.isEmpty ? [Identifier.derived(from: "grocy", "opened", part.identity)] : ids
    for id in own {
      let field = FieldValue(.bestAfterOpeningDays, .number(String(days)))
      guard edit.after[.product, id] == nil else {
        if edit.before[.product, id] == nil {
          edit.write([field], to: EntityKey(.product, id), now: writer.now)
        }
        continue
      }
      let numbers = Barcode(id).map { [JSON.string($0.description)] } ?? []
      let listed: [FieldValue] = numbers.isEmpty ? [] : [(.barcodes, .array(numbers))]
      let product = edit.new(
        .product, id: id, [(.title, .string(name))] + listed + [field], by: writer)
      edit.put(product)
      names.note(product)
    }
    return own
  }

  private mutating func put(_ size: Quantity, _ number: String, _ id: String, _ name: String) {
    let fields: [FieldValue] = [
      (.title, .string(name)), (.barcodes, .array([.string(Barcode.digits(of: number))])),
      (.packSize, size.value.json), (.unit, .string(size.unit.rawValue)),
    ]
    let product = edit.new(.product, id: id, fields, by: writer)
    edit.put(product)
    names.note(product)
  }

  private typealias Pack = (size: Quantity, unitName: String, isKnown: Bool)

  /// Returns the content of what a barcode stands for; nil if it is one of the item's unit.
  ///
  /// Without a unit of its own, a barcode is in the one that the product is bought in.
  private func pack(of barcode: Part, _ product: Part, _ unit: Unit) -> Pack? {
    let stock = product.text("qu_id_stock") ?? ""
    let bought = barcode.text("qu_id") ?? product.text("qu_id_purchase") ?? stock
    let written = barcode.number("amount").flatMap { $0 > .zero ? $0 : nil }
    let amount = written ?? Number(1)
    let name = unitName(bought) ?? bought
    let boughtUnit = Self.unit(named: name) ?? .pack
    var content = factor(from: bought, to: stock, of: product).flatMap { amount.multiplied(by: $0) }
    if content == nil {
      let quantity = edit.after.counted(Quantity(amount, boughtUnit), in: unit)
      content = quantity.converted(to: unit)
    }
    guard let content else { return (Quantity(amount, boughtUnit), name, boughtUnit.isMeasured) }
    let isOne = content == Number(1) && (written == nil || !unit.isTiny)
    return isOne ? nil : (Quantity(content.rounded, unit), name, true)
  }

  /// Returns the number of one unit in another for a product; nil if no answer says it.
  ///
  /// Its own conversions go before the general ones; several may lead there one after the other.
  func factor(from: String, to: String, of product: Part) -> Number? {
    let id = product.text("id")
    let own = answers.all(.conversions).filter { $0.text("product_id") == id }
    let general = answers.all(.conversions).filter { $0.text("product_id") == nil }
    var open = [(unit: from, factor: Number(1))]
    var known: Set = [from]
    while !open.isEmpty {
      let (here, factor) = open.removeFirst()
      if here == to { return factor }
      for step in (own + general).compactMap({ $0.step(from: here) }) {
        let next =
          step.isBack ? factor.divided(by: step.factor) : factor.multiplied(by: step.factor)
        if let next, known.insert(step.unit).inserted { open.append((step.unit, next)) }
      }
    }
    // Before version 4, a product had the one factor that it needs.
    guard from == product.text("qu_id_purchase"),
      let old = product.number("qu_factor_purchase_to_stock"), old > .zero
    else { return nil }
    return old
  }

  func unitName(_ id: String) -> String? { answers.part(.units, id)?.text("name") }

  /// Returns the unit with a name of Grocy's.
  static func unit(named name: String) -> Unit? {
    Unit(typed: spaced(name)) ?? Unit(typed: name.lowercased().filter(\.isLetter))
  }
}

extension GrocyAnswers.Part {
  /// Returns where a conversion leads from a unit; nil if it is not about that unit.
  fileprivate func step(from unit: String) -> (unit: String, factor: Number, isBack: Bool)? {
    guard let one = text("from_qu_id"), let other = text("to_qu_id"), let factor = number("factor"),
      factor > .zero
    else { return nil }
    if one == unit { return (other, factor, false) }
    return other == unit ? (one, factor, true) : nil
  }
}
