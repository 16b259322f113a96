internal import LarderModel

/// Products that have others below them, whose stock counts for theirs.
///
/// Nothing here counts the stock of one item for another. So what such a product lacks goes on the
/// list once, and its minimum is left out.
extension GrocyImporter {
  /// Whether the minimum of a product is not only about its own stock.
  func sharesMinimum(_ part: Part) -> Bool {
    if let id = part.text("id"), families[id] != nil { return true }
    // The minimum counts for the product above, which alone can be missing.
    return parent(of: part)?.flag(Self.sums) ?? false
  }

  private static let sums = "cumulate_min_stock_amount_of_sub_products"

  private func parent(of part: Part) -> Part? {
    part.text("parent_product_id").flatMap { answers.part(.products, $0) }
  }

  /// Puts on the list what new items lack, with the stock of all products that count for them.
  mutating func wantParents() {
    for (id, children) in families.sorted(by: { $0.key < $1.key }) {
      guard let part = answers.part(.products, id), let known = products[id],
        let item = known.item.flatMap({ edit.after[$0] }), edit.before[item.key] == nil,
        edit.after.entry(of: item) == nil,
        let lack = lack(of: part, children), lack > .zero
      else { continue }
      let arrival = Arrival(item: item, quantity: Quantity(lack, known.unit))
      if let entry = try? edit.want(arrival, by: writer), edit.after[entry.key] != nil {
        report.listed += 1
      }
    }
  }

  /// Returns how much less there is of a product and those below it than the minimum; nil if the
  /// answers don't say it.
  private func lack(of part: Part, _ children: [Part]) -> Number? {
    guard let there = stock(of: part, children),
      var minimum = part.text("min_stock_amount") == nil ? .zero : part.number("min_stock_amount")
    else { return nil }
    guard part.flag(Self.sums) else { return minimum - there }
    for child in children where child.text("min_stock_amount") != nil {
      guard let own = child.number("min_stock_amount"), let more = converted(own, child, to: part)
      else { return nil }
      minimum = minimum + more
    }
    return minimum - there
  }

  private func stock(of part: Part, _ children: [Part]) -> Number? {
    guard answers.has(.stock) else { return nil }
    let rows = answers.all(.stock)
    let summed = rows.first { row in
      row.text("product_id") == part.text("id") && row.json["amount_aggregated"] != nil
    }
    if let sum = summed?.number("amount_aggregated") { return sum }
    let entries = rows.contains { $0.json["stock_id"] != nil }
    var sum = Number.zero
    for product in [part] + children {
      for row in rows where row.text("product_id") == product.text("id") {
        guard (row.json["stock_id"] != nil) == entries else { continue }
        guard let amount = row.number("amount"), let more = converted(amount, product, to: part)
        else { return nil }
        sum = sum + more
      }
    }
    return sum
  }

  private func converted(_ amount: Number, _ part: Part, to other: Part) -> Number? {
    guard let from = part.text("qu_id_stock"), let to = other.text("qu_id_stock") else {
      return amount
    }
    return factor(from: from, to: to, of: part).flatMap { amount.multiplied(by: $0) }?.rounded
  }

  /// Returns what Grocy's date of a stock entry says: 2 for an expiry, anything else for a
  /// best-before date.
  func dueType(of part: Part) -> String? {
    part.text("due_type")
      ?? part.text("product_id").flatMap { answers.part(.products, $0)?.text("due_type") }
  }
}

/// Grocy's data that nothing here has a place for.
extension GrocyImporter {
  func leftOut() -> [GrocyReport.LeftOut] {
    GrocyReport.LeftOut.Sort.allCases.compactMap { sort in
      let names = names(of: sort).unique
      return names.isEmpty ? nil : .init(sort: sort, names: names)
    }
  }

  private func names(of sort: GrocyReport.LeftOut.Sort) -> [String] {
    switch sort {
    case .families:
      answers.all(.products).compactMap { part in
        guard part.text("active") != "0", let parent = parent(of: part) else { return nil }
        return "\(name(part)) of \(name(parent))"
      }
    case .sharedMinimum:
      answers.all(.products).filter { part in
        sharesMinimum(part) && part.text("active") != "0"
          && part.number("min_stock_amount") ?? .zero > .zero
      }.map(name)
    case .opened:
      answers.all(.stock).filter { part in
        part.number("amount_opened") ?? .zero > .zero
          || part.flag("open") && part.day("opened_date") == nil
      }.map(name).filter { name in !isOpenKnown(name) }
    case .prices:
      answers.all(.stock).filter { hasAmount($0, ["price", "value"]) }.map(name)
        + answers.all(.barcodes).filter { hasAmount($0, ["last_price"]) }.map(name)
    case .userfields:
      GrocyAnswers.Sort.allCases.flatMap { answers.all($0) }.flatMap { part in
        (part.json["userfields"]?.members ?? []).filter {
          $0.value != .null && $0.value != .string("")
        }
        .map { "\($0.key) of \(name(part))" }
      }
    case .lists:
      listNames
    case .pictures:
      answers.all(.products).filter { $0.text("picture_file_name") != nil }.map(name)
    case .calories:
      answers.all(.products).filter { hasAmount($0, ["calories"]) }.map(name)
    }
  }

  private func hasAmount(_ part: Part, _ keys: [String]) -> Bool {
    keys.contains { part.number($0) ?? .zero > .zero }
  }

  /// Whether the entries of a product's stock say since when it is open.
  private func isOpenKnown(_ name: String) -> Bool {
    let entries = answers.all(.stock).filter { $0.json["stock_id"] != nil && self.name($0) == name }
    return !entries.isEmpty
      && entries.allSatisfy { !$0.flag("open") || $0.day("opened_date") != nil }
  }

  /// The numbers of Grocy's lists, if there are entries of several.
  private var listNames: [String] {
    let ids = answers.all(.shoppingList).compactMap { $0.text("shopping_list_id") }.unique
    return ids.count > 1 ? ids : []
  }

  private func name(_ part: Part) -> String {
    let product = part.text("product_id").flatMap { answers.part(.products, $0) } ?? part
    return product.text("name") ?? part.text("note") ?? part.text("id") ?? ""
  }
}
