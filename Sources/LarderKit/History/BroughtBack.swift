public import LarderModel

/// The things that are gone and can come back, the newest first.
public struct BroughtBack: Sendable {
  /// Something that was deleted.
  public struct Gone: Sendable {
    public let entity: Entity
    public let at: Instant
    /// The name of who did it; nil if the history does not say.
    public var writer: String?
  }

  public internal(set) var items: [Gone]
  /// Entries that were taken off the list and were not bought.
  public internal(set) var entries: [Gone]
  public internal(set) var receipts: [Gone]
}

extension Survey {
  /// Returns the archived items, the entries that came off the list in so many days, and the receipts
  /// that were taken back in so many days.
  fileprivate func broughtBack(entryDays: Int, receiptDays: Int) -> BroughtBack {
    let bought = Set(naming.all(.receipt).flatMap(\.lines).map(\.id))
    let wanted = Set(shoppingList.map { $0.itemID ?? fold($0.name ?? "") })
    let dropped = gone(.shoppingListEntry, .isDeleted, inDays: entryDays).filter { gone in
      let entry = gone.entity
      let isBought = entry.isCompleted && bought.contains(entry.lineID)
      return !isBought && !wanted.contains(entry.itemID ?? fold(entry.name ?? ""))
    }
    return BroughtBack(
      items: gone(.stockItem, .isArchived), entries: dropped,
      receipts: gone(.receipt, .isDeleted, inDays: receiptDays))
  }

  private func gone(
    _ kind: Kind, _ field: FieldName, inDays days: Int? = nil
  ) -> [BroughtBack.Gone] {
    let first = days.map { calendar.instant(of: calendar.today.adding(days: -$0)) }
    return naming.all(kind).filter(\.isTombstone).map { entity in
      BroughtBack.Gone(
        entity: entity, at: entity.register(field)?.stamp ?? entity.updatedAt, writer: nil)
    }
    .filter { gone in first.map { gone.at >= $0 } ?? true }
    .sorted { ($0.at, $0.entity.id) > ($1.at, $1.entity.id) }
  }
}

extension Larder {
  /// How many days back taken off entries, and receipts that were taken back, can be seen.
  private static let (entryDays, receiptDays) = (30, 365)

  /// Returns what is gone and can come back, with who did it, as far as the history says.
  public func broughtBack(in survey: Survey) throws -> BroughtBack {
    var back = survey.broughtBack(
      entryDays: Self.entryDays, receiptDays: Self.receiptDays)
    let all = back.items + back.entries + back.receipts
    guard let oldest = all.map(\.at).min() else { return back }
    let keys = Set(all.map(\.entity.key))
    // Commits have seconds, and clocks differ.
    let since = oldest.adding(milliseconds: -86_400_000)
    let writers = try history(
      into: [EntityKey: String](), of: keys, in: survey.household, since: since
    ) { writers, entry in
      for difference in entry.differences where difference.isDeleted {
        if writers[difference.key] == nil { writers[difference.key] = entry.commit.author.name }
      }
      return writers.count < keys.count
    }.value
    func named(_ gone: [BroughtBack.Gone]) -> [BroughtBack.Gone] {
      gone.map { gone in
        var gone = gone
        gone.writer = writers[gone.entity.key]
        return gone
      }
    }
    back.items = named(back.items)
    back.entries = named(back.entries)
    back.receipts = named(back.receipts)
    return back
  }
}
