internal import LarderText

/// A part of a request's query, in PostgREST's syntax.
///
/// Values are escaped (PostgREST, "Tables and Views").
public struct QueryItem: Sendable, Hashable {
  let name: String
  let value: String

  /// Selects rows whose column has a value.
  public static func equal(_ column: String, _ value: String) -> QueryItem {
    QueryItem(name: column, value: "eq.\(value)")
  }

  /// Selects rows whose column has a greater value, in the column's order.
  public static func greater(_ column: String, than value: String) -> QueryItem {
    QueryItem(name: column, value: "gt.\(value)")
  }

  /// Selects rows whose column has this or a smaller value, in the column's order.
  public static func atMost(_ column: String, _ value: String) -> QueryItem {
    QueryItem(name: column, value: "lte.\(value)")
  }

  /// Selects rows whose column has one of some values.
  ///
  /// Commas and parentheses are special in a list, so each value is quoted.
  public static func oneOf(_ column: String, _ values: [String]) -> QueryItem {
    let quoted = values.map { value in
      "\"" + value.replacing(["\\": "\\\\", "\"": "\\\""]) + "\""
    }
    return QueryItem(name: column, value: "in.(\(quoted.joined(separator: ",")))")
  }

  /// Selects these columns only.
  public static func columns(_ names: [String]) -> QueryItem {
    QueryItem(name: "select", value: names.joined(separator: ","))
  }

  /// Orders rows by a column, the smallest first.
  public static func ascending(_ column: String) -> QueryItem {
    QueryItem(name: "order", value: "\(column).asc")
  }

  /// Limits the number of rows; the server may return fewer without saying so.
  public static func limit(_ rows: Int) -> QueryItem {
    QueryItem(name: "limit", value: String(rows))
  }

  /// Returns the query of an address with its question mark, or an empty text without items.
  static func text(_ items: [QueryItem]) -> String {
    items.isEmpty
      ? ""
      : "?"
        + items.map { "\(URLText.encoded($0.name))=\(URLText.encoded($0.value))" }
        .joined(separator: "&")
  }
}
