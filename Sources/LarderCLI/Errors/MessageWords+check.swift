import LarderJSON
import LarderModel
internal import LarderText

extension MessageWords {
  /// Returns all problems of a household's files, ordered by path and position.
  func problems(of household: Household, now: Instant) -> [Problem] {
    let untaken = household.untaken.flatMap { path, mistakes in
      problems(mistakes, path: path.text, severity: .error)
    }
    let findings = HouseholdCheck.findings(in: household, now: now).filter(isWorthTelling)
      .map { problem($0, in: household) }
    return (untaken + findings).enumerated().sorted { left, right in
      let (one, other) = (left.element, right.element)
      if one.path != other.path { return JSON.precedes(one.path ?? "", other.path ?? "") }
      if one.line != other.line { return one.line ?? 0 < other.line ?? 0 }
      return left.offset < right.offset
    }.map(\.element)
  }

  /// Whether to report a finding; an unknown key counts only if it is similar to a known one.
  private func isWorthTelling(_ finding: HouseholdCheck.Finding) -> Bool {
    guard case .unknownKey(let key, let known) = finding.kind else { return true }
    return meant(by: key, among: known) != nil
  }

  private func meant(by key: String, among known: [String]) -> String? {
    let one = fold(key)
    let near = suggestions(for: key, among: known).first { candidate in
      let other = fold(candidate)
      return other.hasPrefix(one) || editDistance(one, other) * 4 <= one.count
    }
    // A part of a name is meant too, such as "minimum" for "quantityMinimum".
    return near ?? (one.count < 4 ? nil : known.first { fold($0).contains(one) })
  }

  private func problem(_ finding: HouseholdCheck.Finding, in household: Household) -> Problem {
    let source = SourceLines(root: root, path: finding.path.text)
    let position = position(of: finding.place, in: source.bytes)
    let words = LocalTime(of: household)
    return Problem(
      message(finding.kind, words), path: finding.path.text, line: position?.line,
      column: position?.column, sourceLine: position.flatMap { source[$0.line] },
      severity: severity(finding.kind))
  }

  private func position(of place: HouseholdCheck.Place, in bytes: [UInt8]) -> TextPosition? {
    switch place {
    case .value(let path): return JSON.position(of: path, in: bytes)
    case .key(let path): return JSON.position(of: path, in: bytes, key: true)
    case .entry(let id):
      // In an edited file, the entries may be in any order.
      guard let entries = (try? JSON(parsing: bytes))?[.changes]?.array,
        let index = entries.firstIndex(where: { $0[.id]?.string?.lowercased() == id })
      else { return JSON.position(of: [.key("changes")], in: bytes) }
      return JSON.position(of: [.key("changes"), .index(index)], in: bytes)
    }
  }

  private func severity(_ kind: HouseholdCheck.Kind) -> Problem.Severity {
    switch kind {
    case .contestedProduct, .unconvertible, .unconvertibleBatch, .otherHousehold: .error
    case .sharedName, .batchBelowZero, .afterDiscard, .archivedWithQuantity, .aheadOfClock,
      .servedTwice, .unknownTimeZone,
      .unknownReference, .unclaimedProduct, .receiptDiffers, .wrongCheckDigit:
      .warning
    case .longLedger, .unknownKey: .note
    }
  }

  private func message(_ kind: HouseholdCheck.Kind, _ time: LocalTime) -> String {
    switch kind {
    case .contestedProduct(let product, let other):
      return "\(product) is also a product of \(other), which has it; take it out of one of them"
    case .sharedName(let name, let other):
      return "\(other) is called \(name) too, so commands don't know which one is meant"
    case .unconvertible(let entry, let unit):
      return
        "\(entry.unit.rawValue) does not convert to \(unit.rawValue): this change is not counted"
    case .unconvertibleBatch(let unit, let item, let itemUnit):
      return "\(unit.rawValue) does not convert to \(itemUnit.rawValue), the unit of \(item): this "
        + "batch is not in its total"
    case .afterDiscard(_, let discarded):
      return "this is later than \(time.text(of: discarded)), when the batch was thrown away"
    case .archivedWithQuantity(let quantity):
      return
        "\(quantity) is archived here and does not count; 'larder stock restore' brings it back, a "
        + "batch with --batch, and 'larder stock merge' takes it into another item"
    case .batchBelowZero(let quantity):
      return
        "\(quantity) is less than nothing: more was used of this batch than was in it; 'larder "
        + "stock count' with --batch says what is there"
    case .longLedger(let count):
      return
        "\(count) changes are in this ledger, and every new one writes the whole file again; 'larder "
        + "count' with what there is begins a new page, and git keeps the old one"
    case .aheadOfClock(let field, let instant):
      let what = field == "changes" ? "this change is" : "\(field) is stamped"
      return "\(what) \(time.text(of: instant)), more than a day ahead of the clock"
    case .servedTwice(let request, let other, let devices):
      return
        "request '\(request)' was served here and in \(other), by \(devices.joined(separator: " and "))"
        + ": it may count twice"
    case .unknownTimeZone(let name):
      return
        "there is no time zone called '\(name)', so days begin and end in UTC; names are such as "
        + "Europe/London"
    case .otherHousehold(let id): return "this belongs to another household, \(id)"
    case .unknownReference(to: let kind, let id):
      return "there is no \(kind.noun) with the id \(id)"
    case .unclaimedProduct(let id):
      return "no item has the product \(id), so this batch counts for none"
    case .receiptDiffers(let item, let bought, let ledger):
      let came = ledger.map { "the ledger of \(item) has \($0) of it" }
      return "\(bought) of \(item) on this receipt, but "
        + (came ?? "the ledger of \(item) has nothing of it")
        + "; 'larder receipt void' and then 'restore' correct it, 'larder stock count' says what "
        + "is there"
    case .wrongCheckDigit(let barcode, let text):
      return "\(text) may be mistyped: \(barcode.mistake)"
    case .unknownKey(let key, let known):
      let meant = meant(by: key, among: known).map { "; did you mean \"\($0)\"?" } ?? ""
      return "\"\(key)\" is no key that larder knows\(meant)"
    }
  }
}
