import LarderJSON

/// The lines of a receipt that two devices saved of one basket: a model of "Lines of one stamp" in
/// FORMAT.md, section 8, which shares only the reading and writing of JSON with the tested code.
enum RecordedLines {
  private typealias Line = [String: JSON]

  private static let order = [
    "id", "itemName", "quantity", "unit", "itemId", "price", "expiry", "location", "lot",
  ]

  /// Returns the bytes of the lines of both; nil if one of the values is no list of lines.
  static func join(_ mine: [UInt8]?, _ theirs: [UInt8]?) -> [UInt8]? {
    guard let ours = mine.flatMap(lines), let others = theirs.flatMap(lines) else { return nil }
    if mine == theirs { return mine }
    let all = ours.merging(others) { one, two in one == two ? one : line(one, two) }.values
    let sorted = all.sorted { one, two in
      let name =
        text(one, "itemName").utf8.elementsEqual(text(two, "itemName").utf8)
        ? "id" : "itemName"
      return precedes(text(one, name), text(two, name))
    }
    return JSON.array(sorted.map { .object(members($0)) }).written(depth: 1)
  }

  private static func lines(_ value: [UInt8]) -> [String: Line]? {
    guard let elements = (try? JSON(parsing: value))?.array else { return nil }
    var lines: [String: Line] = [:]
    for element in elements {
      guard let members = element.members, let id = element["id"]?.string, lines[id] == nil else {
        return nil
      }
      lines[id] = Dictionary(members.map { ($0.key, $0.value) }) { first, _ in first }
    }
    return lines
  }

  private static func line(_ one: Line, _ two: Line) -> Line {
    let (marks, others) = (marks(one), marks(two))
    var line: Line = [:]
    let quantity = ["quantity", "unit"]
    let alone = Set(one.keys).union(two.keys).subtracting(quantity + ["edited"])
    for cell in alone.map({ [$0] }) + [quantity] {
      let weights = [(one, marks), (two, others)].map { line, marks in
        (cell.compactMap { marks[$0] }.max() ?? "", bytes(line.filter { cell.contains($0.key) }))
      }
      let isFirst =
        weights[0].0 == weights[1].0
        ? !weights[0].1.lexicographicallyPrecedes(weights[1].1) : weights[0].0 > weights[1].0
      for name in cell { line[name] = (isFirst ? one : two)[name] }
    }
    let edited = marks.merging(others) { max($0, $1) }
    if !edited.isEmpty {
      line["edited"] = .object(
        edited.sorted { precedes($0.key, $1.key) }.map { JSONMember($0.key, .string($0.value)) })
    }
    return line
  }

  private static func marks(_ line: Line) -> [String: String] {
    Dictionary(
      (line["edited"]?.members ?? []).compactMap { member in
        member.value.string.map { (member.key, $0) }
      }
    ) { first, _ in first }
  }

  private static func bytes(_ line: Line) -> [UInt8] {
    line.isEmpty ? [] : JSON.object(members(line)).compact()
  }

  private static func members(_ line: Line) -> [JSONMember] {
    let place = { (name: String) in order.firstIndex(of: name) ?? order.count }
    return line.map { JSONMember($0.key, $0.value) }.sorted { one, two in
      let places = (place(one.key), place(two.key))
      return places.0 == places.1 ? precedes(one.key, two.key) : places.0 < places.1
    }
  }

  private static func text(_ line: Line, _ name: String) -> String { line[name]?.string ?? "" }

  private static func precedes(_ one: String, _ two: String) -> Bool {
    one.utf8.lexicographicallyPrecedes(two.utf8)
  }
}
