import LarderJSON
import LarderKit
import LarderModel

/// Reading rows of lists that Larder printed, where commands read lines from standard input.
///
/// A name may have anything in it, so such a row is never read as words.
enum ListedThing {
  /// The columns of a thing in the rows of a list, and that of its id.
  private struct Form {
    let name: Int
    let id: Int
    var amount: Int { name + 1 }
    var unit: Int { name + 2 }
  }

  private static let items = Form(name: 0, id: 7)
  private static let entries = Form(name: 1, id: 6)

  /// Returns the thing of a row that `--plain` wrote; nil for a line of words.
  ///
  /// Throws for a row of another table, for the headings of a list, and for JSON.
  static func read(_ line: String) throws -> TypedThing? {
    let start = line.drop(while: \.isWhitespace)
    if start.hasPrefix("{") || start.hasPrefix("[{") || start == "[" {
      throw refusal("this is JSON, not a list of things")
    }
    if isHeading(line) { throw refusal("'\(line)' are the headings of a table") }
    let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
    // A tab may also stand between a name and an amount that somebody typed.
    guard fields.count > 3 || fields.contains(where: { Identifier.isUUID(String($0)) }) else {
      return nil
    }
    let form =
      [items, entries].first { form in
        fields.indices.contains(form.id) && Identifier.isUUID(String(fields[form.id]))
      }
    guard let form, let name = text(fields[form.name]),
      let number = Number(String(fields[form.amount])),
      let word = text(fields[form.unit]), let unit = Unit(rawValue: word)
    else { throw refusal("'\(line)' is a row of another table") }
    let quantity = Quantity(number, unit)
    return TypedThing(
      whole: name, written: quantity.description,
      amount: .quantity(TypedQuantity(value: number, unit: unit)))
  }

  private static func refusal(_ what: String) -> CommandError {
    CommandError(
      .usage, "\(what); nothing was changed",
      hints: [
        "'larder shop list --plain', 'larder stock list --plain' and 'larder due --plain' print rows "
          + "that can be read here; 'larder import csv' reads tables"
      ])
  }

  /// Returns a field as it was before ``plainRecord(_:)`` wrote it; nil if no record has it so.
  private static func text(_ field: Substring) -> String? {
    guard field.contains("\\") else { return String(field) }
    let quoted = "\"" + field.replacing("\"", with: "\\\"") + "\""
    return (try? JSON(parsing: Array(quoted.utf8)))?.string
  }

  /// Whether a line is the head of a list's table.
  private static func isHeading(_ line: String) -> Bool {
    let cells = line.replacing(/\t| {2,}/, with: "\t").split(separator: "\t").map(String.init)
    return cells.count > 1 && cells.allSatisfy(headings.contains)
  }

  private static let headings = Set(
    StockRow.listing.headings + LotRow.listing.headings + ShopRow.listing.headings)
}

extension Listing {
  fileprivate var headings: [String] {
    columns.compactMap(\.shown?.layout.title).filter { !$0.isEmpty }
  }
}
