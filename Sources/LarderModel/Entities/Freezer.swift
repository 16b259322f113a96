/// The freezers, and what in them no day counts for (docs/adoption.md, section 18).
///
/// What is frozen outlives the day on its package. So a batch in a freezer is due by a day that was
/// written since it came there; without one, it never is.
package enum Freezer {
  /// The words by which a place is a freezer, folded, a line for each language.
  package static let words = """
    freez frozen
    gefrier gefror tiefkuhl tiefkuehl tiefgekuhlt kuhltruhe kuehltruhe eisfach froster
    congel surgel
    beku
    vriezer vriesvak vrieskast vrieskist vrieslade diepvries
    frys
    pakast
    mraz zamrz
    fagyaszt melyhut
    dondurucu buzluk
    sugavkulm saldet saldik saldykl
    καταψυ
    морозил замрз фризер
    冷凍 冷冻 冰柜 냉동
    """.words

  /// The words of a fridge: a place that has one before the other word is both, and none of what is in
  /// it is known to be frozen.
  package static let fridgeWords = """
    fridge frigo refriger
    kuhl kuehl koelkast koel-vries koelvries
    køl kjøl kylskap kylfrys kyl-frys kyl/frys jaakaap
    nevera geladeira lodowk lednic hladn hladiln hutosz buzdolab
    ψυγει холодил 冷蔵 冷藏 냉장
    """.words

  /// Whether a place of this name is a freezer.
  static func isMeant(by name: String) -> Bool {
    let folded = Slug.folded(name)
    guard let place = first(of: words, in: folded) ?? shortWord(in: folded) else { return false }
    return first(of: fridgeWords, in: folded).map { place <= $0 } ?? true
  }

  private static func first(of words: [String], in folded: String) -> String.Index? {
    words.compactMap { folded.utf8.firstRange(of: $0.utf8)?.lowerBound }.min()
  }

  /// Returns where `tk` stands as a whole word, as on German freezers.
  private static func shortWord(in folded: String) -> String.Index? {
    folded.split { !$0.isLetter && !$0.isNumber }.first { $0 == "tk" }?.startIndex
  }
}

extension String {
  fileprivate var words: [String] { split(whereSeparator: \.isWhitespace).map(String.init) }
}

extension Entity {
  /// Whether a location is a freezer, by its name in any of many languages.
  public var isFreezer: Bool { kind == .storageLocation && Freezer.isMeant(by: title) }

  /// Whether the day of a batch was written before the batch came to its location.
  ///
  /// What one act writes has one stamp, and what a batch was made with has its creation's.
  var isDayOlderThanPlace: Bool {
    guard let day = register(.expiryInfo), day.value != nil,
      let place = register(.storageLocationID)
    else { return false }
    return day.stamp < place.stamp
  }
}

/// The ids of a household's freezers.
struct FreezerIndex: Sendable {
  private var ids: Set<String> = []

  /// Replaces a location's version by a new one.
  mutating func replace(_ old: Entity?, with new: Entity?) {
    if let old, old.kind == .storageLocation { ids.remove(old.id) }
    if let new, new.isFreezer { ids.insert(new.id) }
  }

  func contains(_ id: String?) -> Bool {
    guard !ids.isEmpty, let id else { return false }
    return ids.contains(id)
  }

  /// Returns a batch as it is read: one that is kept frozen without a day of its own.
  func reading(_ entity: Entity) -> Entity {
    guard !ids.isEmpty, entity.kind == .inventoryItem, contains(entity.locationID),
      entity.isDayOlderThanPlace
    else { return entity }
    return entity.readingAsFrozen
  }
}
