internal import LarderJSON
internal import LarderText

/// The lines of a receipt that two people saved of one basket, which have one stamp.
///
/// A line's `edited` says when somebody wrote a member of it that the others may not know of.
struct JoinedLines {
  /// The elements by their ids, which are told apart by their bytes.
  private var lines: [FieldName: JSON] = [:]

  /// Reads a list; nil unless each element is an object with an id of its own.
  init?(_ list: JSON?) {
    guard let elements = list?.array else { return nil }
    for line in elements {
      guard line.members != nil, let id = line[.id]?.string,
        lines.updateValue(line, forKey: FieldName(id)) == nil
      else { return nil }
    }
  }

  /// Returns the lines of both; nil if one of the values is no list of lines.
  static func join(_ mine: JSON?, _ theirs: JSON?) -> JSON? {
    guard var joined = JoinedLines(mine), let other = JoinedLines(theirs) else { return nil }
    guard mine != theirs else { return mine }
    joined.lines.merge(other.lines) { $0 == $1 ? $0 : Self.line($0, $1) }
    return .array(
      joined.lines.values.sorted { one, other in
        let (name, otherName) = (one[.itemName]?.string ?? "", other[.itemName]?.string ?? "")
        return name.hasSameBytes(as: otherName)
          ? JSON.precedes(one[.id]?.string ?? "", other[.id]?.string ?? "")
          : JSON.precedes(name, otherName)
      })
  }

  /// Whether a list has all that somebody wrote into the lines of another one.
  static func covers(_ list: JSON?, _ other: JSON?) -> Bool {
    guard let lines = JoinedLines(list)?.lines, let others = JoinedLines(other)?.lines else {
      return false
    }
    return others.allSatisfy { id, line in
      guard let there = lines[id] else { return false }
      return marks(of: line).keys.allSatisfy { there[$0] == line[$0] }
    }
  }

  private static func line(_ one: JSON, _ other: JSON) -> JSON {
    let names = Set(((one.members ?? []) + (other.members ?? [])).map { FieldName($0.key) })
      .subtracting([.edited])
    let (marks, otherMarks) = (marks(of: one), marks(of: other))
    var members = cells(of: names).flatMap { cell in
      let (mine, theirs) = (Version(one, cell, marks), Version(other, cell, otherMarks))
      return mine.wins(over: theirs) ? mine.members : theirs.members
    }
    let edited = marks.merging(otherMarks) { JSON.precedes($0, $1) ? $1 : $0 }
    if !edited.isEmpty {
      members.append(
        JSONMember(
          .edited,
          .object(
            edited.map { JSONMember($0.key, .string($0.value)) }
              .sorted { JSON.precedes($0.key, $1.key) })))
    }
    return .object(
      members.sorted { one, other in
        let (place, otherPlace) = (ReceiptLine.place(of: one.key), ReceiptLine.place(of: other.key))
        return place == otherPlace ? JSON.precedes(one.key, other.key) : place < otherPlace
      })
  }

  /// When somebody wrote members of a line, by their names.
  private static func marks(of line: JSON) -> [FieldName: String] {
    let members = line[.edited]?.members ?? []
    return Dictionary(
      members.compactMap { member in member.value.string.map { (FieldName(member.key), $0) } }
    ) { first, _ in first }
  }

  /// Groups the names of members: the quantity with its unit, all others alone.
  private static func cells(of names: Set<FieldName>) -> [[FieldName]] {
    let quantity = [FieldName.quantity, FieldName.unit]
    return [quantity] + names.subtracting(quantity).map { [$0] }
  }

  /// The members of a cell in one version of a line.
  private struct Version {
    let members: [JSONMember]
    let mark: String

    init(_ line: JSON, _ cell: [FieldName], _ marks: [FieldName: String]) {
      members = cell.compactMap { name in line[name].map { JSONMember(name, $0) } }
      mark = cell.compactMap { marks[$0] }.max { JSON.precedes($0, $1) } ?? ""
    }

    func wins(over other: Version) -> Bool {
      guard mark.hasSameBytes(as: other.mark) else { return JSON.precedes(other.mark, mark) }
      return other.bytes.lexicographicallyPrecedes(bytes)
    }

    private var bytes: [UInt8] { members.isEmpty ? [] : JSON.object(members).compact() }
  }
}
