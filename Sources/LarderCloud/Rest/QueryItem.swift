/// A part of a request's query, in PostgREST's words; values are taken as they are, whatever is in them
/// (PostgREST, "Tables and Views").
public struct QueryItem: Sendable, Hashable {
  let name: String
  let value: String

  /// Rows whose column has a value.
  public static func equal(_ column: String, _ value: String) -> QueryItem {
    QueryItem(name: column, value: "eq.\(value)")
  }

  /// Rows whose column has a greater value, in the column's order.
  public static func greater(_ column: String, than value: String) -> QueryItem {
    QueryItem(name: column, value: "gt.\(value)")
  }

  /// Rows whose column has a value that comes no later, in the column's order.
  public static func atMost(_ column: String, _ value: String) -> QueryItem {
    QueryItem(name: column, value: "lte.\(value)")
  }

  /// Rows whose column has one of some values.
  ///
  /// In a list, commas and parentheses mean something, so that each value is quoted.
  public static func oneOf(_ column: String, _ values: [String]) -> QueryItem {
    let quoted = values.map { value in
      "\"" + value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }
    return QueryItem(name: column, value: "in.(\(quoted.joined(separator: ",")))")
  }

  /// Only these columns.
  public static func columns(_ names: [String]) -> QueryItem {
    QueryItem(name: "select", value: names.joined(separator: ","))
  }

  /// Rows in the order of a column, the smallest first.
  public static func ascending(_ column: String) -> QueryItem {
    QueryItem(name: "order", value: "\(column).asc")
  }

  /// No more rows than this; the server may give fewer, and does not say so.
  public static func limit(_ rows: Int) -> QueryItem {
    QueryItem(name: "limit", value: String(rows))
  }

  /// The query of an address, with its question mark; empty for no items.
  static func text(_ items: [QueryItem]) -> String {
    items.isEmpty
      ? ""
      : "?"
        + items.map { "\(URLText.encoded($0.name))=\(URLText.encoded($0.value))" }
        .joined(separator: "&")
  }
}
