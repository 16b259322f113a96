internal import LarderJSON
public import LarderModel
public import LarderStore

/// A list as somebody last saw it, so that a number names the row that was shown, whatever became of
/// the list since.
public struct ShownList: Sendable, Equatable {
  /// A row with what it is about.
  public struct Row: Sendable, Equatable {
    public let id: String
    public let title: String
    /// Whether it was archived, void or off the list.
    public let isDeleted: Bool

    public init(id: String, title: String, isDeleted: Bool = false) {
      self.id = id
      self.title = title
      self.isDeleted = isDeleted
    }
  }

  /// The kind of the things in it; nil for values that lost in merges.
  public let kind: Kind?
  public let rows: [Row]

  /// The largest number of a row; longer lists have no more.
  public static let mostRows = 999

  public init(of kind: Kind?, _ rows: [Row]) {
    self.kind = kind
    self.rows = Array(rows.prefix(Self.mostRows))
  }

  /// Returns the row with a number from 1 on; nil if there is none.
  public subscript(number: Int) -> Row? {
    rows.indices.contains(number - 1) ? rows[number - 1] : nil
  }

  /// Returns the number that a text is, as lists show them; nil for any other text.
  public static func number(_ text: String) -> Int? {
    guard let first = text.utf8.first, first != UInt8(ascii: "0"),
      text.utf8.allSatisfy({ (48...57).contains($0) }), let number = Int(text),
      number <= mostRows
    else { return nil }
    return number
  }
}

/// The list that was last shown in this clone; it is in `.git/larder/shown.json`.
extension Larder {
  private static let shownFile = "shown.json"

  /// Returns the list that was last shown; nil if there is none.
  public func shownList() throws(StoreError) -> ShownList? {
    guard let bytes = try store.deviceFile(Self.shownFile), let json = try? JSON(parsing: bytes),
      let rows = json["rows"]?.array
    else { return nil }
    return ShownList(
      of: json["kind"]?.string.flatMap(Kind.init),
      rows.map { row in
        ShownList.Row(
          id: row["id"]?.string ?? "", title: row["title"]?.string ?? "",
          isDeleted: row["isDeleted"]?.bool ?? false)
      })
  }

  /// Keeps a list that is shown now, in place of the one before.
  public func keep(_ list: ShownList) throws(StoreError) {
    let rows = list.rows.map { row in
      JSON.object([
        JSONMember("id", .string(row.id)), JSONMember("title", .string(row.title)),
        JSONMember("isDeleted", .bool(row.isDeleted)),
      ])
    }
    let kind = list.kind.map { JSON.string($0.rawValue) } ?? .null
    let json = JSON.object([JSONMember("kind", kind), JSONMember("rows", .array(rows))])
    try store.writeDeviceFile(Self.shownFile, json.writeFile())
  }
}
