public import LarderJSON
public import LarderText

/// All mistakes in one file.
public struct FileMistakes: Error, Sendable, Hashable {
  public let all: [Mistake]

  public init(_ all: [Mistake]) {
    self.all = all
  }

  public enum Mistake: Sendable, Hashable {
    /// The bytes are not JSON that the format allows.
    case syntax(JSONMistake)
    /// A symbolic link, a pipe or similar; it is never followed.
    case notAFile
    /// A folder is at the path of a file.
    case isFolder
    /// The path is not allowed in a household.
    case badPath(PathFault)
    /// The file was moved to a path that is not allowed in a household.
    case misplaced(path: FilePath)
    /// Larger than 16 MiB.
    case tooLarge(bytes: Int)
    /// The system did not open it; the code is its error number.
    case notReadable(code: Int32)
    /// Another file of the same commit has the same id.
    case duplicateID(String, path: FilePath)
    /// A file in a commit of Larder lacks what such a file always has.
    case incomplete
    /// The JSON does not describe an entity.
    case content(EntityProblem, at: TextPosition)
    /// The file can be read, but its edit breaks a rule, so that nothing of it is taken.
    case refused(EntityProblem, at: TextPosition)
    /// The same, in an earlier commit that the history does not have any more.
    case refusedEarlier
    /// A program that syncs folders left it as another version of a file; nil if no file has its id.
    case syncCopy(of: FilePath?)
  }

  /// Whether the file can be read, but its edit is not taken.
  public var isRefused: Bool {
    all.contains { mistake in
      switch mistake {
      case .refused, .refusedEarlier, .syncCopy: true
      default: false
      }
    }
  }

  /// Whether a program that syncs folders left the file as a copy of another.
  public var isSyncCopy: Bool {
    all.contains { mistake in
      if case .syncCopy = mistake { true } else { false }
    }
  }

  /// Whether the file says nothing of an entity: it is broken or refused.
  ///
  /// It does if only its id is also another file's.
  package var hasNoMeaning: Bool {
    !all.contains { mistake in
      if case .duplicateID = mistake { true } else { false }
    }
  }
}

extension EntityFile {
  /// Reads a file of a kind.
  ///
  /// Throws mistakes with their positions: the first one of syntax or, if there is none, all of
  /// content.
  public init(_ kind: Kind, parsing bytes: ArraySlice<UInt8>) throws(FileMistakes) {
    let json: JSON
    do {
      json = try JSON(parsing: bytes)
    } catch {
      throw FileMistakes([.syntax(error)])
    }
    var problems: [EntityProblem] = []
    self.init(kind, json, text: bytes, noting: &problems)
    guard problems.isEmpty else { throw mistakes(problems) }
  }

  /// Reads a file of a kind, like the other initializer.
  public init(_ kind: Kind, parsing bytes: [UInt8]) throws(FileMistakes) {
    try self.init(kind, parsing: bytes[...])
  }

  /// Reads the value of a file that has no text.
  package init(_ kind: Kind, _ json: JSON) throws(FileMistakes) {
    var problems: [EntityProblem] = []
    self.init(kind, json, text: [], noting: &problems)
    guard problems.isEmpty else { throw mistakes(problems) }
  }

  private init(
    _ kind: Kind, _ json: JSON, text: ArraySlice<UInt8>, noting problems: inout [EntityProblem]
  ) {
    self.init(kind: kind, text: text)
    guard let members = json.members else {
      problems.append(
        EntityProblem(.unexpected(found: json.shortText, expected: "an object"), []))
      return
    }
    let schema = Schema.of(kind)
    guard !hasTooMuch(members, noting: &problems) else { return }
    readBookkeeping(members, schema, noting: &problems)
    readRegisters(members, schema, noting: &problems)
    readQuantity(json, schema, noting: &problems)
    checkWhole(noting: &problems)
  }

  /// The limits for a file; ten years of a large household stay far below them.
  private static let bounds: [(key: String?, most: Int)] = [
    (nil, 1_000), ("edited", 1_000), ("items", 10_000), ("changes", 100_000),
  ]

  /// Whether one of the growing lists and objects is too long.
  private func hasTooMuch(_ members: [JSONMember], noting problems: inout [EntityProblem]) -> Bool {
    for (key, most) in EntityFile.bounds {
      let value = key == nil ? .object(members) : members.first { $0.key == key }?.value
      guard let count = value?.members?.count ?? value?.array?.count, count > most else { continue }
      problems.append(
        EntityProblem(.tooMany(found: count, most: most), key.map { [.key($0)] } ?? []))
    }
    return !problems.isEmpty
  }

  private mutating func readBookkeeping(
    _ members: [JSONMember], _ schema: Schema, noting problems: inout [EntityProblem]
  ) {
    for member in members where member.value != .null {
      switch member.key {
      case "id":
        let type: FieldType = kind == .product ? .reference : .id
        let text =
          type.normalizedScalar(member.value)
          ?? type.normalized(member.value, at: [.key("id")], noting: &problems)
        id = text?.string
      case "createdAt":
        createdAt = instant(member.value, at: [.key("createdAt")], noting: &problems)
      case "updatedAt":
        updatedAt = instant(member.value, at: [.key("updatedAt")], noting: &problems)
      case "edited": readEdited(member.value, schema, noting: &problems)
      case "consumedAt" where schema.quantity == .nested:
        _ = instant(member.value, at: [.key("consumedAt")], noting: &problems)
      case "pageFrom" where schema.quantity != nil:
        pageFrom = instant(member.value, at: [.key("pageFrom")], noting: &problems)
      case "changes" where schema.quantity != nil: readChanges(member.value, noting: &problems)
      default: break
      }
    }
  }

  private func instant(
    _ value: JSON, at path: @autoclosure () -> [JSONStep], noting problems: inout [EntityProblem]
  ) -> Instant? {
    if let instant = value.string.flatMap(Instant.canonical) { return instant }
    return FieldType.instant.normalized(value, at: path(), noting: &problems)?.string.flatMap(
      Instant.init)
  }

  private mutating func readEdited(
    _ value: JSON, _ schema: Schema, noting problems: inout [EntityProblem]
  ) {
    guard let members = value.members else {
      problems.append(
        EntityProblem(
          .unexpected(found: value.shortText, expected: "an object"), [.key("edited")]))
      return
    }
    for member in members where member.value != .null {
      let stamp = instant(
        member.value, at: [.key("edited"), .key(member.key)], noting: &problems)
      if let stamp, !schema.isBookkeeping(member.key) {
        edited.append((FieldName(member.key), stamp))
      }
    }
    edited.sort { JSON.precedes($0.name.text, $1.name.text) }
  }

  private mutating func readRegisters(
    _ members: [JSONMember], _ schema: Schema, noting problems: inout [EntityProblem]
  ) {
    // Unknown members come after the known ones, as in nested objects.
    var registers = members.filter { !schema.isBookkeeping($0.key) }
    if schema.quantity == .nested { registers = registers.withRegistersOfBatch }
    values = schema.registerFields.normalized(registers, at: [], noting: &problems)
  }

  private mutating func readQuantity(
    _ json: JSON, _ schema: Schema, noting problems: inout [EntityProblem]
  ) {
    switch schema.quantity {
    case .loose:
      number = itemNumber(.quantityLoose, json, noting: &problems)
      total = itemNumber(.quantityInStock, json, noting: &problems)
      showsLoose = number != nil
    case .nested:
      if let value = json[.quantity]?[.value], value != .null {
        let path: [JSONStep] = [.key("quantity"), .key("value")]
        number = writtenNumber(value, at: path, noting: &problems)
      }
      if let index = values.firstIndex(where: { $0.key == "status" }),
        values[index].value == .string("consumed")
      {
        saysConsumed = true
        values[index].value = .string("active")
      }
    case nil: break
    }
  }

  private func itemNumber(
    _ name: FieldName, _ json: JSON, noting problems: inout [EntityProblem]
  ) -> Number? {
    guard let value = json[name], value != .null else { return nil }
    return writtenNumber(value, at: [.key(name.text)], noting: &problems)
  }

  /// Returns the number that people wrote beside the ledger.
  ///
  /// It may have more digits than allowed if it is the ledger's sum.
  ///
  /// If some ledger lines have no id or no time yet, the sum is only known when the file is
  /// adopted.
  private func writtenNumber(
    _ value: JSON, at path: [JSONStep], noting problems: inout [EntityProblem]
  ) -> Number? {
    if let number = value.number.flatMap({ Number($0) }) { return number }
    if let sum = value.number.flatMap({ Number($0, digits: 27) }),
      sum == ledgerTotal || !looseEntries.isEmpty
    {
      return sum
    }
    problems.append(
      EntityProblem(
        .unexpected(found: value.shortText, expected: FieldType.number.phrase), path))
    return nil
  }

  private mutating func checkWhole(noting problems: inout [EntityProblem]) {
    if kind == .shoppingListEntry, self[.itemID] == nil, self[.name] == nil {
      problems.append(EntityProblem(.namesNothing, []))
    }
  }
}

extension Schema {
  /// Whether a key is not a register.
  ///
  /// `quantityInStock`, `quantityLoose` and `consumedAt` count only for their own kinds.
  package func isBookkeeping(_ key: String) -> Bool {
    switch key {
    case "id", "createdAt", "updatedAt", "edited": true
    case "changes", "pageFrom": quantity != nil
    case "quantityInStock", "quantityLoose": kind == .stockItem
    case "consumedAt": kind == .inventoryItem
    default: false
    }
  }
}

extension [JSONMember] {
  /// A batch's `quantity` without the number, which is computed from the ledger, and its `status`.
  ///
  /// A file always shows both, so a file without them reads as if it had them.
  fileprivate var withRegistersOfBatch: [JSONMember] {
    let quantity = value(of: "quantity") ?? .object([])
    let unit = quantity.members.map { .object($0.filter { $0.key != "value" }) } ?? quantity
    let others = filter { $0.key != "quantity" && $0.key != "status" }
    let status = value(of: "status") ?? .string("active")
    return others + [JSONMember("quantity", unit), JSONMember("status", status)]
  }

  private func value(of key: String) -> JSON? {
    first { $0.key == key }.flatMap { $0.value == .null ? nil : $0.value }
  }
}
