import LarderJSON

/// libFuzzer's own way to change some bytes.
@_silgen_name("LLVMFuzzerMutate")
private func changeBytes(_ bytes: UnsafeMutablePointer<UInt8>, _ count: Int, _ most: Int) -> Int

/// Called by libFuzzer in place of its own way: mostly changes JSON as JSON, so that much of what is
/// tried can be read.
@_cdecl("LLVMFuzzerCustomMutator")
public func mutate(
  _ bytes: UnsafeMutablePointer<UInt8>, _ count: Int, _ most: Int, _ seed: UInt32
) -> Int {
  var mutation = Mutation(seed: seed)
  let text = Array(UnsafeBufferPointer(start: bytes, count: count))
  guard !mutation.chance(1, in: 3), let changed = mutation.change(text), changed.count <= most
  else { return changeBytes(bytes, count, most) }
  for (index, byte) in changed.enumerated() { bytes[index] = byte }
  return changed.count
}

/// One change of the JSON in an input, which is one text or, behind a line, several between lines.
private struct Mutation {
  private static let mark = Array("====\n".utf8)
  private static let scalars: [JSON] =
    [
      "", "piece", "gram", "kilogram", "pack", "active", "consumed", "archived", "count", "edit",
      "2026-11-02T10:00:00.000Z", "2026-11-03T10:00:00.000Z", "9998-12-31T23:59:59.999Z",
      "0001-01-01T00:00:00.000Z", "00000000-0000-7000-8000-000000000010",
      "00000000-0000-7000-8000-000000000011", "e\u{301}", "\u{e9}", "2027-02-28",
    ].map { .string($0) }
    + ["0", "-0", "1", "-1", "1.50", "0.000001", "0.0000001", "1e15", "999999999999999", "-2.5"]
    .map { .number($0) } + [.null, .bool(true), .bool(false), .array([]), .object([])]

  private var state: UInt64

  init(seed: UInt32) { state = UInt64(seed) }

  /// Nil where a text is no JSON.
  mutating func change(_ bytes: [UInt8]) -> [UInt8]? {
    let hasHead = bytes.first.map { $0 >= UInt8(ascii: "a") } ?? false
    let head =
      hasHead ? Array(bytes.prefix { $0 != UInt8(ascii: "\n") }) + [UInt8(ascii: "\n")] : []
    var texts = bytes.dropFirst(head.count).split(separator: Self.mark)
      .compactMap { try? JSON(parsing: $0) }
    guard !texts.isEmpty else { return nil }
    let target = below(texts.count)
    switch below(12) {
    case 0 where hasHead && texts.count < 4: texts.append(texts[target])
    case 1 where texts.count > 1: texts[target] = texts[below(texts.count)]
    case 2 where texts.count > 1: texts.swapAt(target, below(texts.count))
    default:
      for _ in 0...below(3) { texts[target] = changed(texts[target], from: texts) }
    }
    return head + Array(texts.map { $0.writeFile() }.joined(separator: Self.mark))
  }

  /// A text with one value exchanged, removed, doubled or moved.
  private mutating func changed(_ text: JSON, from others: [JSON]) -> JSON {
    let donor = others[below(others.count)]
    let given =
      chance(1, in: 2) ? Self.scalars[below(Self.scalars.count)] : donor.value(below(donor.size))
    var place = below(text.size)
    return text.replacing(&place, way: below(4), with: given, at: below(8)) ?? given
  }

  mutating func chance(_ one: Int, in all: Int) -> Bool { below(all) < one }

  private mutating func below(_ limit: Int) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return Int((mixed ^ (mixed >> 31)) % UInt64(max(limit, 1)))
  }
}

extension JSON {
  /// How many values there are, this one and all in it.
  fileprivate var size: Int {
    switch self {
    case .array(let elements): elements.reduce(1) { $0 + $1.size }
    case .object(let members): members.reduce(1) { $0 + $1.value.size }
    default: 1
    }
  }

  /// The value at a place in the order they are written in.
  fileprivate func value(_ place: Int) -> JSON {
    var rest = place - 1
    guard place > 0 else { return self }
    for child in array ?? members?.map(\.value) ?? [] {
      if rest < child.size { return child.value(rest) }
      rest -= child.size
    }
    return self
  }

  /// This value with the one at a place exchanged; nil where it is to be removed.
  fileprivate func replacing(_ place: inout Int, way: Int, with given: JSON, at index: Int) -> JSON?
  {
    place -= 1
    guard place >= 0 else { return exchanged(way, with: given, at: index) }
    switch self {
    case .array(let elements):
      return .array(
        elements.compactMap { element in
          place < 0 ? element : element.replacing(&place, way: way, with: given, at: index)
        })
    case .object(let members):
      return .object(
        members.compactMap { member in
          place < 0
            ? member
            : member.value.replacing(&place, way: way, with: given, at: index).map {
              JSONMember(member.key, $0)
            }
        })
    default: return self
    }
  }

  private func exchanged(_ way: Int, with given: JSON, at index: Int) -> JSON? {
    switch (way, self) {
    case (0, _): return nil
    case (1, .array(let elements)):
      return .array(Array(elements.prefix(index)) + [given] + elements.dropFirst(index))
    case (2, .array(let elements)):
      return .array(elements + elements.suffix(index))
    case (1, .object(let members)):
      let extra = given.members ?? [JSONMember("x", given)]
      return .object(members + extra.filter { new in !members.contains { $0.key == new.key } })
    case (2, .object(let members)): return .object(members.filter { $0.value.size != index })
    default: return given
    }
  }
}
