import LarderKit
import LarderModel

/// One `--expiry ITEM=DAY`, `--location ITEM=L` or `--lot ITEM=CODE`: a detail of a line's batch.
struct TypedDetail {
  /// The new value; nil removes the detail.
  enum Value {
    case expiry(Day?)
    case location(String?)
    case lot(String?)
  }

  let name: String
  let value: Value

  static let expiry = Option(
    "expiry", value: "ITEM=DAY", isRepeatable: true, help: "the expiry day of an item on it")
  static let location = Option(
    "location", value: "ITEM=L", isRepeatable: true, help: "the location of an item on it")
  static let lot = Option(
    "lot", value: "ITEM=CODE", isRepeatable: true,
    help: "the code printed on an item's package")

  static let options = [expiry, location, lot]

  /// Writes the detail into a line.
  func apply(to line: inout ReceiptLine) {
    switch value {
    case .expiry(let day): line.expiry = day
    case .location(let id): line.locationID = id
    case .lot(let code): line.lotCode = code
    }
  }
}

extension Invocation {
  /// Returns the details from `--expiry`, `--location` and `--lot`.
  func typedDetails(_ survey: Survey) throws -> [TypedDetail] {
    try TypedDetail.options.flatMap { option in
      try all(option).map { try detail($0, option, survey) }
    }
  }

  private func detail(_ text: String, _ option: Option, _ survey: Survey) throws -> TypedDetail {
    guard let equals = text.lastIndex(of: "="), equals != text.startIndex else {
      throw unreadable(text, for: option.spelling, "\(option.placeholder ?? "") is needed")
    }
    let said = String(text[text.index(after: equals)...])
    let value: TypedDetail.Value
    switch option {
    case TypedDetail.location:
      let place = said.isEmpty ? nil : try survey.location(named: said)
      value = .location(place?.id)
    case TypedDetail.lot: value = .lot(said.isEmpty ? nil : said)
    default:
      value = .expiry(
        said.isEmpty ? nil : try day(said, for: option.spelling, survey.calendar, in: text))
    }
    return TypedDetail(name: String(text[..<equals]), value: value)
  }
}
