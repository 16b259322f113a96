import LarderJSON
import LarderKit
import LarderModel

/// The filters of a kind of list: the texts that words search, the fields for filters and sorting,
/// and the states for `is:`.
struct Listing<Row> {
  struct Field {
    /// The format's name, then other names.
    var names: [String]
    var value: (Row) -> FilterValue

    init(_ names: String..., value: @escaping (Row) -> FilterValue) {
      self.names = names
      self.value = value
    }
  }

  struct State {
    var name: String
    var holds: (Row) -> Bool
  }

  /// The entity of a row; its unknown fields can be used in filters.
  var entity: (Row) -> Entity
  var words: (Row) -> [String]
  var fields: [Field]
  var states: [State]
  var calendar: HouseholdCalendar

  /// Returns the field with a name, including fields of some files that the format does not know.
  ///
  /// Nil if no row has the field.
  func field(_ name: String, in rows: [Row]) -> Field? {
    let wanted = fold(name)
    if let field = fields.first(where: { $0.names.contains { fold($0) == wanted } }) {
      return field
    }
    let unknown = Set(rows.flatMap { entity($0).registers.map(\.name.text) })
    guard let key = unknown.sorted().first(where: { fold($0) == wanted }) else { return nil }
    return Field(key) { FilterValue(entity($0)[FieldName(key)]) }
  }

  /// The names that are suggested for a mistyped field.
  var fieldNames: [String] { fields.flatMap(\.names) }
}

extension FilterValue {
  /// Creates the value of a field that the format does not know.
  init(_ json: JSON?) {
    switch json {
    case .string(let text): self = .text(text)
    case .number(let lexeme): self = Number(lexeme).map { .number($0) } ?? .text(lexeme)
    case .bool(let truth): self = .flag(truth)
    case .array(let elements): self = .texts(elements.compactMap(\.string))
    case .object, .null, nil: self = .none
    }
  }
}
