internal import LarderModel

extension Naming {
  /// The ways to match, the most certain first.
  enum Step {
    case path, id, name, plural, barcode, word, part, partOfID

    static let inFull: [Step] = [.path, .id, .name, .plural, .barcode]
    static let byPart: [Step] = [.word, .part]
    /// The steps in groups; a later one counts only if nothing fits the earlier ones, in any form of
    /// the words and among all that is looked at.
    static let groups: [[Step]] = [inFull, byPart, [.partOfID]]
    /// The groups where a part of a name is never the thing.
    static let groupsInFull: [[Step]] = [inFull, [.partOfID]]
  }

  func matches(
    of words: String, _ kind: Kind, among entities: [Entity], _ step: Step
  ) -> [Entity] {
    let wanted = fold(words)
    guard !wanted.isEmpty else { return [] }
    switch step {
    case .path:
      guard words.hasSuffix(".json") else { return [] }
      return matches(ofPath: words, among: entities)
    case .id:
      return entities.filter { entity in
        entity.idLength == wanted.utf8.count && entity.id.lowercased() == wanted
          || kind == .inventoryItem && entity.productID.lowercased() == wanted
      }
    case .name: return entities.filter { hasName($0) { fold($0) == wanted } }
    case .plural:
      let one = singular(wanted)
      return entities.filter { hasName($0) { singular(fold($0)) == one } }
    case .barcode: return matches(ofBarcode: words, kind, among: entities)
    case .word:
      let parts = parts(of: wanted, kind).map { WholeWords($0) }
      return entities.filter { entity in
        parts.allSatisfy { part in hasName(entity) { part.areIn($0) } }
      }
    case .part:
      let parts = parts(of: wanted, kind)
      guard wanted.utf8.count > 2 || kind != .stockItem else { return [] }
      return entities.filter { entity in
        parts.allSatisfy { part in hasName(entity) { Self.has($0, part, kind) } }
      }
    case .partOfID:
      // File names show the last six digits of an id. Fewer, and words such as `facade`, are names.
      guard wanted.utf8.count >= 6, wanted.utf8.allSatisfy({ isIDByte($0) }),
        wanted.contains(where: \.isNumber)
      else { return [] }
      return entities.filter { entity in
        entity.id.hasSuffix(wanted) || wanted.utf8.count >= 8 && entity.id.hasPrefix(wanted)
      }
    }
  }

  /// Whether a name contains a part.
  ///
  /// For things in stock, a short part must begin a word. A few letters are in too many words:
  /// `eis` is in `Reis`, but ice is not rice.
  private static func has(_ name: String, _ part: String, _ kind: Kind) -> Bool {
    let folded = fold(name)
    let isShort = part.count < 4 && part.allSatisfy(\.isLetter)
    guard isShort, kind == .stockItem || kind == .inventoryItem else {
      return folded.contains(part)
    }
    return folded.split { !$0.isLetter && !$0.isNumber }.contains { $0.hasPrefix(part) }
  }

  /// Returns the parts that the names must contain.
  ///
  /// For a batch, each word is a part, because some are its item's name and others its details.
  private func parts(of wanted: String, _ kind: Kind) -> [String] {
    kind == .inventoryItem ? wanted.split(separator: " ").map(String.init) : [wanted]
  }

  private func isIDByte(_ byte: UInt8) -> Bool {
    (48...57).contains(byte) || (97...102).contains(byte) || byte == UInt8(ascii: "-")
  }

  /// Returns the entities with a path: of two that look the same, the one with its bytes.
  private func matches(ofPath words: String, among entities: [Entity]) -> [Entity] {
    let plain = words.hasPrefix("./") ? String(words.dropFirst(2)) : words
    let named = entities.compactMap { entity in
      household.path(of: entity.key).map { (entity, $0) }
    }
    .filter { _, path in
      // Inside a household's folder, the shell completes paths relative to that folder.
      path.text == plain || path.text.hasSuffix("/" + plain) || plain.hasSuffix("/" + path.text)
    }
    let exact = named.filter { _, path in
      path.hasSuffix(plain) || FilePath(plain).hasSuffix(path.text)
    }
    return (exact.isEmpty ? named : exact).map { $0.0 }
  }
}
