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
public func naiveQuantity(_ file: JSON, _ kind: Kind) -> String { naiveSum(file, kind).text }

/// Returns the quantity of a ledger, or what it was before a time; of what left the stock at a time
/// it is nothing from then on, or what was below that.
private func naiveSum(
  _ file: JSON, _ kind: Kind, goneAt gone: String? = nil, before end: String? = nil
) -> Fraction {
  let unit = naiveUnit(file, kind)
  let end = end.map { max($0, file["pageFrom"]?.string ?? "") }
  let last = naiveCount(in: file, kind, upTo: end)
  var (start, sum) = (time(last), last.map { amount($0, "set", unit) } ?? Fraction(0))
  if let gone, gone <= end ?? gone, gone >= start {
    (start, sum) = (gone, min(Fraction(0), naiveSum(file, kind, before: gone)))
  }
  for entry in naiveEntries(file, unit) where entry["delta"] != nil {
    guard time(entry) >= start, end.map({ time(entry) < $0 }) ?? true else { continue }
    sum = sum + amount(entry, "delta", unit)
  }
  return Fraction(decimal: sum.text)
}

private func naiveUnit(_ file: JSON, _ kind: Kind) -> String {
  (kind == .inventoryItem ? file["quantity"] : file)?["unit"]?.string ?? "piece"
}

/// The entries with a number that count and convert to a unit.
private func naiveEntries(_ file: JSON, _ unit: String) -> [JSON] {
  let all = file["changes"]?.array ?? []
  let page = file["pageFrom"]?.string ?? ""
  return all.filter { entry in
    let isUndone = all.contains {
      $0["undoes"]?.string == entry["id"]?.string && time(entry) != page
    }
    return entry["undoes"] == nil && !isUndone && factor(entry["unit"]?.string, unit) != nil
  }
}

/// The last count of a ledger, up to a time.
private func naiveCount(in file: JSON, _ kind: Kind, upTo end: String? = nil) -> JSON? {
  naiveEntries(file, naiveUnit(file, kind)).filter { entry in
    entry["set"] != nil && time(entry) <= end ?? time(entry)
  }.max { left, right in
    (time(left), left["id"]?.string ?? "") < (time(right), right["id"]?.string ?? "")
  }
}

private func time(_ entry: JSON?) -> String { entry?["at"]?.string ?? "" }

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
/// It is what was counted of all there was last and what each ledger changed since, or what all ledgers
/// give; of those of the item's own batches whose unit converts.
public func naiveTotal(of item: JSON, among items: [JSON], _ batches: [JSON]) -> String {
  let unit = item["unit"]?.string ?? "piece"
  let count = naiveCount(in: item, .stockItem)
  let isOfAll = count?["total"] != nil
  let sums = batches.map { batch -> Fraction in
    let product = batch["productRef"]?["productId"]?.string
    let owner =
      items.first { $0["id"]?.string == product }
      ?? items.filter { ($0["products"]?.array ?? []).contains { $0.string == product } }
      .min { ($0["id"]?.string ?? "") < ($1["id"]?.string ?? "") }
    guard owner?["id"] == item["id"], let factor = factor(batch["quantity"]?["unit"]?.string, unit)
    else { return Fraction(0) }
    let isGone = !["active", "consumed"].contains(batch["status"]?.string)
    let gone = isGone ? (batch["edited"]?["status"] ?? batch["createdAt"])?.string : nil
    let now = naiveSum(batch, .inventoryItem, goneAt: gone)
    guard isOfAll else { return now * factor }
    let then = naiveSum(batch, .inventoryItem, goneAt: gone, before: time(count))
    return (now + then * Fraction(-1)) * factor
  }
  var own = naiveSum(item, .stockItem)
  if let count, isOfAll {
    own = own + amount(count, "total", unit) + amount(count, "set", unit) * Fraction(-1)
  }
  return sums.reduce(own, +).text
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
