internal import LarderModel

/// A line of a list as people and other programs write and share one: with a bullet, a number or a
/// box in front, ticked or crossed out, and an amount in parentheses or behind a separator.
struct ListLine {
  /// Whether it begins with a bullet, a number or a box.
  private(set) var isMarked = false
  /// Whether it is ticked or crossed out.
  private(set) var isTicked = false
  /// The spaces in front of it.
  let indentation: Int
  /// The words without the marks.
  private(set) var text: String
  /// Whether marks alone say that it is a heading, as in `# Dairy` and `Dairy:`.
  private(set) var saysHeading = false
  /// Whether it underlines the line above.
  let isRule: Bool

  init(_ line: String) {
    let blank = line.prefix(while: \.isWhitespace)
    indentation = blank.count
    text = spaced(line)
    isRule = text.wholeMatch(of: /[-=_*]{3,}/) != nil
    while let rest = Self.withoutBullet(text) {
      text = rest
      isMarked = true
    }
    takeBox()
    takeTick()
    takeHeading()
    if let crossed = text.wholeMatch(of: /~~(.+)~~/) {
      text = spaced(String(crossed.1))
      isTicked = true
    }
  }

  private static func withoutBullet(_ text: String) -> String? {
    guard let mark = text.prefixMatch(of: /([-*+•‣◦·–—]|[0-9]{1,3}[.\)]) +(?=\S)/) else {
      return nil
    }
    return String(text[mark.range.upperBound...])
  }

  private mutating func takeBox() {
    let boxes = /\[( ?|[xX✓✔])\] *|([☐□◻◽▢⬜☑☒✓✔✅🗹]\u{FE0F}?) */
    guard let box = text.prefixMatch(of: boxes), box.range.upperBound < text.endIndex else {
      return
    }
    isMarked = true
    isTicked =
      !["[]", "[ ]"].contains(spaced(String(box.0)))
      && !"☐□◻◽▢⬜".contains(box.0.first ?? " ")
    text = spaced(String(text[box.range.upperBound...]))
  }

  private mutating func takeTick() {
    guard let ticked = text.wholeMatch(of: /(.*\S) *(\[[xX✓✔]\]|[☑☒✓✔✅])\u{FE0F}?/) else { return }
    text = String(ticked.1)
    isTicked = true
  }

  private mutating func takeHeading() {
    guard !isTicked else { return }
    let forms = [/#{1,6} +(.*\S)/, /\*\*(.+)\*\*:?/, /__(.+)__:?/, /=+ +(.+) +=+/]
    for form in forms {
      guard let heading = text.wholeMatch(of: form) else { continue }
      text = spaced(String(heading.1))
      saysHeading = true
    }
    guard !isMarked, text.hasSuffix(":"), text.count > 1 else { return }
    text.removeLast()
    saysHeading = true
  }
}

extension ListLine {
  /// Returns the name and the amount in a text that separates them, such as `Bananas (6)`, `Milk, 2
  /// l`, `Eggs: 12`, `Rolls | 8` and `2 kg | Flour`; nil for any other text.
  static func separated(_ text: String) -> (name: String, amount: TypedQuantity)? {
    if let inside = text.wholeMatch(of: /(.*\S) ?[\(\[]([^()\[\]]+)[\)\]]/),
      inside.2.wholeMatch(of: /(19|20)[0-9]{2}/) == nil, let amount = amount(String(inside.2))
    {
      return (spaced(String(inside.1)), amount)
    }
    for separator in [" | ", "|", " – ", " — ", " - ", ": ", ":", ", ", " = "] {
      let parts = text.split(separator: separator).map { spaced(String($0)) }
      guard parts.count > 1, let first = parts.first, let last = parts.last else { continue }
      let isColumn = separator.contains("|")
      // `18:30` is no amount.
      if let amount = amount(last), isColumn || !(parts[parts.count - 2].last?.isNumber ?? true) {
        return (parts.dropLast().joined(separator: separator), amount)
      }
      if isColumn, let amount = amount(first) {
        return (parts.dropFirst().joined(separator: separator), amount)
      }
    }
    return nil
  }

  /// Returns an amount that is no words of anything else.
  private static func amount(_ text: String) -> TypedQuantity? {
    guard text.contains(where: \.isNumber), case .quantity(let quantity)? = try? TypedAmount(text),
      quantity.value > .zero
    else { return nil }
    if case .own(let unit)? = quantity.unit, !TypedUnit.isKnown(unit) { return nil }
    return quantity
  }
}

extension [ListLine] {
  /// Returns the indices of the headings, which are no things.
  ///
  /// A line says so by its form or the line below it. Above lines with bullets or boxes a line
  /// without one is a heading too, at the beginning of a list or behind an empty line, unless it has
  /// an amount or is the name of a thing.
  func headings(_ isThing: (String) -> Bool) -> Set<Int> {
    var headings: Set<Int> = []
    for (index, line) in enumerated() where !line.text.isEmpty && !line.isTicked && !line.isRule {
      let next = self[(index + 1)...].first { !$0.text.isEmpty }
      let below = index + 1 < count ? self[index + 1] : nil
      if line.saysHeading || below?.isRule ?? false && !line.isMarked && !isThing(line.text) {
        headings.insert(index)
      } else if !line.isMarked, let next, next.isMarked, !isThing(line.text),
        index == 0 || self[index - 1].text.isEmpty
      {
        headings.insert(index)
      }
    }
    return headings
  }
}
