internal import LarderModel

/// Answers of Grocy's API, as its users save them.
///
/// Source: Grocy's own description of the API (`/api/openapi/specification`).
public struct GrocyAnswers: Sendable {
  /// A sort of answer, named as in its address.
  public enum Sort: String, CaseIterable, Sendable {
    case products, locations, stock
    case shoppingList = "shopping_list"
    case units = "quantity_units"
    case groups = "product_groups"
    case barcodes = "product_barcodes"
    case conversions = "quantity_unit_conversions"
  }

  /// A place in one of the files.
  struct Place: Sendable {
    let file: Int
    var path: [JSONStep] = []
  }

  /// An element of an answer, with its place in the file.
  struct Part: Sendable {
    let sort: Sort
    let json: JSON
    let place: Place
  }

  private(set) var parts: [Sort: [Part]] = [:]
  /// The answers about things that a household does not have, such as recipes, by their names.
  private(set) var others: [String] = []
  private let files: [(name: String, bytes: [UInt8])]

  /// Reads answers.
  ///
  /// Each file has one answer, or an object with several by their names. Throws all mistakes. An
  /// incomplete answer, or the error message of a server, is a mistake, and so is it if no answer is
  /// of a known sort.
  public init(_ files: [(name: String, bytes: [UInt8])]) throws(ImportMistakes) {
    self.files = files
    var mistakes = ImportMistakes()
    for (index, file) in files.enumerated() {
      let isMarked = file.bytes.starts(with: [0xEF, 0xBB, 0xBF])
      do throws(JSONMistake) {
        let json = try JSON(parsing: file.bytes[(isMarked ? 3 : 0)...])
        for mistake in read(json, index) { mistakes.note(mistake) }
      } catch {
        mistakes.note(
          ImportMistake(.json(error)).at(error.position.offset, in: file.bytes).in(file.name))
      }
    }
    if mistakes.count == 0, parts.isEmpty {
      for file in files.indices { mistakes.note(mistake(.grocyUnknown, Place(file: file))) }
    }
    try mistakes.refuse()
  }

  /// Whether there is an answer of a sort.
  func has(_ sort: Sort) -> Bool { parts[sort] != nil }

  func all(_ sort: Sort) -> [Part] { parts[sort] ?? [] }

  /// Returns the element of an answer with an id.
  func part(_ sort: Sort, _ id: String) -> Part? { all(sort).first { $0.text("id") == id } }

  private mutating func read(_ json: JSON, _ file: Int) -> [ImportMistake] {
    let (place, name) = (Place(file: file), files[file].name)
    if let list = json.array {
      if let sort = Self.sort(of: list, named: name) {
        take(list, sort, place)
      } else if list.allSatisfy({ $0.members != nil }) {
        others.append(name)
      } else {
        return [mistake(.grocyUnknown, place)]
      }
      return []
    }
    guard let members = json.members, json["error_message"]?.string == nil else {
      return [mistake(Self.refusal(json), place)]
    }
    let known = members.compactMap { member in
      Sort(rawValue: member.key).map { (sort: $0, json: member.value) }
    }
    let rest = members.filter { Sort(rawValue: $0.key) == nil && $0.value.array != nil }
    others += known.isEmpty ? [name] : rest.map(\.key)
    return known.compactMap { sort, json in
      let place = Place(file: file, path: [.key(sort.rawValue)])
      guard let list = json.array else { return mistake(Self.refusal(json), place) }
      take(list, sort, place)
      return nil
    }
  }

  /// Returns the server's message in what is no answer.
  private static func refusal(_ json: JSON) -> ImportMistake.Reason {
    json["error_message"]?.string.map { .grocyRefused($0) } ?? .grocyUnknown
  }

  private mutating func take(_ list: [JSON], _ sort: Sort, _ place: Place) {
    // Two stock files may be the overview and the entries; the entries have more details.
    parts[sort, default: []] += list.enumerated().map { index, json in
      let place = Place(file: place.file, path: place.path + [.index(index)])
      return Part(sort: sort, json: json, place: place)
    }
  }

  /// Returns the sort of an answer, by the keys of its first element or else by the file's name.
  private static func sort(of list: [JSON], named name: String) -> Sort? {
    let marks: [(String, Sort?)] = [
      // The log of the stock, whose entries look like those of the stock.
      ("transaction_type", nil), ("from_qu_id", .conversions),
      ("stock_id", .stock), ("amount_aggregated", .stock), ("shopping_list_id", .shoppingList),
      ("qu_id_stock", .products), ("is_freezer", .locations), ("name_plural", .units),
      ("barcode", .barcodes),
    ]
    if let first = list.first, let mark = marks.first(where: { first[$0.0] != nil }) {
      return mark.1
    }
    let stem = name.split(separator: "/").last?.split(separator: ".").first.map(String.init) ?? ""
    let plain = fold(stem).replacing("-", with: "_")
    // Grocy calls shops so.
    guard !plain.hasSuffix("shopping_locations") else { return nil }
    return Sort.allCases.sorted { $0.rawValue.count > $1.rawValue.count }
      .first { plain.hasSuffix($0.rawValue) }
  }

  /// Returns a mistake at the place of a part, or of one of its members.
  func mistake(
    _ reason: ImportMistake.Reason, _ place: Place, _ key: String? = nil
  ) -> ImportMistake {
    let (name, bytes) = files[place.file]
    let path = place.path + (key.map { [.key($0)] } ?? [])
    let found = JSON.position(of: path, in: bytes) ?? JSON.position(of: place.path, in: bytes)
    return ImportMistake(reason).at(found?.offset ?? 0, in: bytes).in(name)
  }
}

/// Reading values. Older versions of Grocy write numbers and flags as texts.
extension GrocyAnswers.Part {
  func text(_ key: String) -> String? {
    guard let value = json[key] else { return nil }
    let text = value.string ?? value.number ?? value.bool.map { $0 ? "1" : "0" }
    return text.flatMap { spaced($0).isEmpty ? nil : $0 }
  }

  func number(_ key: String) -> Number? {
    guard let text = text(key) else { return nil }
    if let number = Number(text) { return number }
    // Grocy calculates with binary fractions, so its numbers may have many decimals.
    guard let point = text.firstIndex(of: "."), !text.contains("e"), !text.contains("E") else {
      return Double(text).flatMap { abs($0) < 0.000_001 ? .zero : nil }
    }
    let end = text.index(point, offsetBy: 7, limitedBy: text.endIndex) ?? text.endIndex
    return Number(String(text[..<end]))
  }

  /// Returns a number of days, if there is one that an item can have.
  func days(_ key: String) -> Int? {
    number(key).flatMap { $0 > .zero && $0 <= Number(36_500) ? Int($0.description) : nil }
  }

  func flag(_ key: String) -> Bool { ["1", "true"].contains(text(key) ?? "") }

  /// Returns a day; nil for the years from 2999 on, by which Grocy means "never".
  func day(_ key: String) -> Day? {
    text(key).flatMap { Day(String($0.prefix(10))) }.flatMap { $0.civil.year >= 2999 ? nil : $0 }
  }

  /// Whether a key is there, but has no text.
  func isEmpty(_ key: String) -> Bool { json[key] != nil && text(key) == nil }

  /// A text that identifies the thing in every answer of the same server.
  var identity: String { "\(text("id") ?? "")/\(text("row_created_timestamp") ?? "")" }
}

extension ImportMistake {
  /// Returns the mistake as one in a file.
  func `in`(_ file: String) -> ImportMistake {
    var mistake = self
    mistake.file = file
    return mistake
  }
}

/// The numbers of things that an import of Grocy's answers made.
public struct GrocyReport: Equatable, Sendable {
  public internal(set) var items = 0
  public internal(set) var locations = 0
  /// The stock entries that were added.
  public internal(set) var stock = 0
  public internal(set) var listed = 0
  /// Names of products whose items were here already; these items stay as they are.
  public internal(set) var known: [String] = []
  /// Grocy's units that became pieces, because their name is no unit or their answer is missing.
  public internal(set) var unknownUnits: [String] = []
  /// The answers that were left out, by their names: nothing here is like them.
  public internal(set) var others: [String] = []
  /// The things that were left out, as they lack what they need.
  public internal(set) var empty: [Empty] = []
  /// The barcodes that were left out, as they are no numbers of GS1.
  public internal(set) var oddBarcodes: [String] = []
  /// The barcodes of packs whose content no answer has.
  public internal(set) var unknownPacks: [UnknownPack] = []

  /// Grocy's data that nothing here has a place for.
  public internal(set) var leftOut: [LeftOut] = []

  /// Something that was left out.
  public struct LeftOut: Equatable, Sendable {
    public let sort: Sort
    /// The names of what it was left out of.
    public let names: [String]

    public enum Sort: CaseIterable, Sendable {
      /// That products are parts of another one.
      case families
      /// The minimum of a product for which the stock of others counts, and theirs that count for it.
      case sharedMinimum
      /// That some of a stock entry is open, as no answer says since when.
      case opened
      /// Prices; here, they are those of receipts.
      case prices
      /// Fields of a user's own, by their names.
      case userfields
      /// Which of several lists an entry was on.
      case lists
      case pictures
      case calories
    }
  }

  /// A thing of Grocy's with an empty value.
  public struct Empty: Equatable, Sendable {
    public let sort: GrocyAnswers.Sort
    public let id: String
    public let key: String
  }

  /// A pack whose content is not known in the unit of its item.
  public struct UnknownPack: Equatable, Sendable {
    public let barcode: String
    public let product: String
    /// Grocy's name of the pack's unit.
    public let unit: String
  }
}
