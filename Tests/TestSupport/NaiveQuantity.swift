public import LarderJSON
public import LarderModel

/// A fraction of whole numbers in lowest terms, with arithmetic that is independent of the model's.
public struct Fraction: Equatable, Comparable {
  public let numerator: Int128
  public let denominator: Int128

  public init(_ numerator: Int128, _ denominator: Int128 = 1) {
    var (left, right) = (numerator.magnitude, denominator.magnitude)
    while right != 0 { (left, right) = (right, left % right) }
    let divisor = Int128(max(left, 1)) * (denominator < 0 ? -1 : 1)
    self.numerator = numerator / divisor
    self.denominator = denominator / divisor
  }

  /// Creates a fraction from plain decimals, as in files.
  public init(decimal text: String) {
    let parts = text.split(separator: ".")
    var power: Int128 = 1
    if parts.count == 2 { for _ in parts[1].utf8 { power *= 10 } }
    self.init(Int128(parts.joined()) ?? 0, power)
  }

  public static func + (left: Fraction, right: Fraction) -> Fraction {
    Fraction(
      left.numerator * right.denominator + right.numerator * left.denominator,
      left.denominator * right.denominator)
  }

  public static func * (left: Fraction, right: Fraction) -> Fraction {
    Fraction(left.numerator * right.numerator, left.denominator * right.denominator)
  }

  public static func < (left: Fraction, right: Fraction) -> Bool {
    left.numerator * right.denominator < right.numerator * left.denominator
  }

  /// The number of millionths, rounded half to even.
  public var millionths: Int128 {
    let scaled = numerator * 1_000_000
    var below = scaled / denominator
    if scaled % denominator < 0 { below -= 1 }
    let twiceRest = (scaled - below * denominator) * 2
    if twiceRest > denominator { return below + 1 }
    return twiceRest == denominator && below % 2 != 0 ? below + 1 : below
  }

  /// The number as in files, rounded to six decimals.
  public var text: String {
    let all = String(millionths.magnitude)
    let padded = String(repeating: "0", count: max(0, 7 - all.utf8.count)) + all
    var decimals = String(padded.suffix(6))
    while decimals.hasSuffix("0") { decimals.removeLast() }
    let whole = padded.dropLast(6)
    return (millionths < 0 ? "-" : "") + whole + (decimals.isEmpty ? "" : "." + decimals)
  }
}

/// Returns the quantity of a file's ledger, computed from its text in the simplest way.
///
/// For every entry, it looks whether the entry counts and whether a count comes after it.
public func naiveQuantity(_ file: JSON, _ kind: Kind) -> String {
  let holder = kind == .inventoryItem ? file["quantity"] : file
  let unit = holder?["unit"]?.string ?? "piece"
  let page = file["pageFrom"]?.string ?? ""
  let entries = (file["changes"]?.array ?? []).filter { entry in
    let isUndone = (file["changes"]?.array ?? []).contains {
      $0["undoes"]?.string == entry["id"]?.string && entry["at"]?.string ?? "" != page
    }
    return entry["undoes"] == nil && !isUndone && factor(entry["unit"]?.string, unit) != nil
  }
  let counts = entries.filter { $0["set"] != nil }
  let last = counts.max { left, right in
    (left["at"]?.string ?? "", left["id"]?.string ?? "")
      < (right["at"]?.string ?? "", right["id"]?.string ?? "")
  }
  var sum = last.map { amount($0, "set", unit) } ?? Fraction(0)
  for entry in entries where entry["delta"] != nil {
    if let last, (entry["at"]?.string ?? "") < (last["at"]?.string ?? "") { continue }
    sum = sum + amount(entry, "delta", unit)
  }
  return sum.text
}

/// Returns the quantity of a ledger entry; if it was undone, that of the entries which replace it.
public func naiveCount(of id: String, in ledger: [JSON]) -> Fraction {
  let undoing = ledger.filter { $0["undoes"]?.string == id }.compactMap { $0["id"]?.string }
  guard undoing.isEmpty else {
    let anew = Set(undoing.map { Identifier.derived(from: "undo", $0) })
    return anew.map { naiveCount(of: $0, in: ledger) }.reduce(Fraction(0), +)
  }
  let entry = ledger.first { $0["id"]?.string == id }
  return Fraction(decimal: entry?["delta"]?.number ?? "0")
}

/// Returns an item's total, computed from the files.
///
/// It is the loose stock and the item's own batches that are not discarded and whose unit converts.
public func naiveTotal(of item: JSON, among items: [JSON], _ batches: [JSON]) -> String {
  let unit = item["unit"]?.string ?? "piece"
  let sums = batches.map { batch -> Fraction in
    let product = batch["productRef"]?["productId"]?.string
    let owner =
      items.first { $0["id"]?.string == product }
      ?? items.filter { ($0["products"]?.array ?? []).contains { $0.string == product } }
      .min { ($0["id"]?.string ?? "") < ($1["id"]?.string ?? "") }
    guard owner?["id"] == item["id"], ["active", "consumed"].contains(batch["status"]?.string),
      let factor = factor(batch["quantity"]?["unit"]?.string, unit)
    else { return Fraction(0) }
    return Fraction(decimal: naiveQuantity(batch, .inventoryItem)) * factor
  }
  return sums.reduce(Fraction(decimal: naiveQuantity(item, .stockItem)), +).text
}

private func amount(_ entry: JSON, _ event: String, _ unit: String) -> Fraction {
  Fraction(decimal: entry[event]?.number ?? "0")
    * (factor(entry["unit"]?.string, unit) ?? Fraction(0))
}

private func factor(_ from: String?, _ to: String) -> Fraction? {
  switch (from ?? "piece", to) {
  case ("kilogram", "gram"), ("liter", "milliliter"): Fraction(1000)
  case ("gram", "kilogram"), ("milliliter", "liter"): Fraction(1, 1000)
  case (let one, let other): one == other ? Fraction(1) : nil
  }
}
