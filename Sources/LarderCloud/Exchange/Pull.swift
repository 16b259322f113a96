internal import LarderJSON
public import LarderModel
public import LarderStore

/// What a pull brought.
public struct PullOutcome: Sendable {
  /// Rows that the cloud gave.
  public var fetchedCount = 0
  /// Entities that changed here, in order of kind and id.
  public var changed: [EntityKey] = []
  /// Values that both sides had written and that did not stand.
  public var lost: [LostWrite] = []
  /// Rows that came and are no entities of the format; they stay in the cloud.
  public var refused: [RefusedRow] = []
  /// All that was left there for such a reason, now or before.
  public var left: [LeftRow] = []
  /// The household before and afterwards.
  public var before: Household
  public var household: Household

  init(household: Household) {
    before = household
    self.household = household
  }
}

/// A row that stays in the cloud, as no file can have it.
public struct RefusedRow: Sendable {
  /// Why it was not taken.
  public enum Reason: Sendable {
    /// The format does not allow it.
    case mistakes(FileMistakes)
    /// It is over 16 MiB, and was not read.
    case tooLong
  }

  public let table: String
  public let id: String
  public let reason: Reason
}

/// Reads what is new in the cloud, table by table.
struct Pull {
  let client: RestClient
  let household: String
  let report: @Sendable (CloudProgress) -> Void

  /// Rows a request asks for; the server may cap them further.
  private static let pageSize = 1000
  /// Ids a request names, which have to fit into an address.
  static let idsAtOnce = 100

  /// What was read of the cloud.
  struct News {
    var entities: [EntityKey: (entity: Entity, path: String?)] = [:]
    var changes: [EntityKey: [LedgerEntry]] = [:]
    var cursors: [String: Int64] = [:]
    var refused: [RefusedRow] = []
    var rowCount = 0
    /// Whether the user sees the household at all.
    var isMember = true
    /// How far the database ever came; nil where it does not say.
    var newest: Newest?
  }

  /// What is new since the versions that the cursors name.
  ///
  /// Ledgers come last and are written first, so that whatever entity was read has its ledger. That of
  /// one that is new here may be older than the cursor, and is asked for by itself.
  ///
  /// Throws ``CloudError``, and ``Restored`` where the database has forgotten what was read from it.
  func news(
    since cursors: [String: Int64], seen: [String: Int64] = [:], of origin: String? = nil,
    knows: (EntityKey) -> Bool
  ) async throws -> News {
    var news = News()
    news.cursors = cursors
    try await own(&news, since: cursors)
    // What is asked for with these cursors would not be all that there is.
    if let newest = news.newest, newest.isBehind(seen, origin) { throw Restored() }
    for table in CloudTable.all where table.kind != .household {
      try await pages(of: table.name, table.written, since: cursors, &news) { row, news in
        take(row, table, &news)
      }
    }
    let columns = ChangeTable.written
    try await pages(of: ChangeTable.name, columns, since: cursors, &news, take)
    guard cursors[ChangeTable.name] != nil else { return news }
    let unknown = news.entities.keys.filter { Schema.of($0.kind).quantity != nil && !knows($0) }
    for kind in [Kind.stockItem, .inventoryItem] {
      try await ledgers(of: kind, unknown.filter { $0.kind == kind }.map(\.id), &news)
    }
    return news
  }

  /// The household's own row, which is asked for whole: to others it does not exist.
  private func own(_ news: inout News, since cursors: [String: Int64]) async throws(CloudError) {
    for table in CloudTable.all where table.kind == .household {
      func own(_ columns: [String]) -> [QueryItem] {
        [.columns(columns + ["version", "newest"]), .equal("id", household)]
      }
      let rows: [JSON]
      var isPassedOver = false
      do throws(CloudError) {
        rows = try await client.select(table.name, own(table.written))
      } catch .malformedAnswer(.tooLong) {
        rows = try await client.select(table.name, own(["id"]))
        isPassedOver = true
      }
      news.isMember = !rows.isEmpty
      news.newest = rows.first?["newest"].flatMap(Newest.init)
      for row in rows {
        guard let version = row["version"]?.number.flatMap(Int64.init) else {
          throw .malformedAnswer(.missing("version"))
        }
        guard version > cursors[table.name] ?? 0 else { continue }
        if isPassedOver { refuse(row, table.name, &news) } else { take(row, table, &news) }
        news.rowCount += 1
        news.cursors[table.name] = version
      }
    }
  }

  /// Batches that expire until a day with their ledgers, the items that they are of, and all places.
  func expiring(until day: Day, since cursors: [String: Int64]) async throws(CloudError) -> News {
    var news = News()
    news.cursors = cursors
    try await pages(
      of: .inventoryItem, [.atMost("expiry_day", day.description), .equal("status", "active")],
      &news)
    try await pages(of: .storageLocation, [], &news)
    let products = Set(news.entities.values.map(\.entity.productID)).subtracting([""])
    try await pages(of: .stockItem, anyOf: products.filter(Identifier.isUUID), &news)
    let others = products.filter { news.entities[EntityKey(.stockItem, $0)] == nil }
    if !others.isEmpty {
      // Whichever items claim them.
      try await pages(of: .stockItem, [], &news)
      try await pages(of: .product, anyOf: others, &news)
    }
    for kind in [Kind.stockItem, .inventoryItem] {
      try await ledgers(of: kind, news.entities.keys.filter { $0.kind == kind }.map(\.id), &news)
    }
    return news
  }

  private func pages(of kind: Kind, anyOf ids: some Collection<String>, _ news: inout News)
    async throws(CloudError)
  {
    var rest = ids.sorted()[...]
    while !rest.isEmpty {
      try await pages(of: kind, [.oneOf("id", Array(rest.prefix(Pull.idsAtOnce)))], &news)
      rest = rest.dropFirst(Pull.idsAtOnce)
    }
  }

  private func pages(of kind: Kind, _ filter: [QueryItem], _ news: inout News)
    async throws(CloudError)
  {
    for table in CloudTable.all where table.kind == kind {
      try await pages(of: table.name, table.written, matching: filter, &news) { row, news in
        take(row, table, &news)
      }
    }
  }

  private func ledgers(of kind: Kind, _ ids: [String], _ news: inout News)
    async throws(CloudError)
  {
    var rest = ids.sorted()[...]
    while !rest.isEmpty {
      let some = Array(rest.prefix(Pull.idsAtOnce))
      rest = rest.dropFirst(Pull.idsAtOnce)
      try await pages(
        of: ChangeTable.name, ChangeTable.written,
        matching: [.equal("entity_type", kind.rawValue), .oneOf("entity_id", some)], &news, take)
    }
  }

  /// Page by page until one is empty: servers cap pages and don't say so.
  ///
  /// Where a page is too long, ever smaller ones, down to one row, which is passed over.
  private func pages(
    of table: String, _ columns: [String], matching filter: [QueryItem] = [],
    since cursors: [String: Int64]? = nil, _ news: inout News,
    _ take: (JSON, inout News) -> Void
  ) async throws(CloudError) {
    var version = cursors?[table] ?? 0
    var size = Pull.pageSize
    while true {
      func page(_ columns: [String]) -> [QueryItem] {
        [
          .columns(columns + ["version"]), .equal("household_id", household),
          .greater("version", than: String(version)),
        ] + filter + [.ascending("version"), .limit(size)]
      }
      var rows: [JSON]
      var isPassedOver = false
      do throws(CloudError) {
        rows = try await client.select(table, page(columns))
      } catch .malformedAnswer(.tooLong) where size > 1 {
        size = max(1, size / 8)
        continue
      } catch .malformedAnswer(.tooLong) {
        rows = try await client.select(table, page(["id"]))
        isPassedOver = true
      }
      guard let last = rows.last else { break }
      guard let reached = last["version"]?.number.flatMap(Int64.init), reached > version else {
        throw .malformedAnswer(.missing("version"))
      }
      for row in rows {
        if isPassedOver { refuse(row, table, &news) } else { take(row, &news) }
      }
      version = reached
      size = min(size * 2, Pull.pageSize)
      news.rowCount += rows.count
      // What is only looked up says nothing of the others.
      if cursors != nil { news.cursors[table] = version }
      report(.pulled(rows: news.rowCount))
    }
  }

  private func refuse(_ row: JSON, _ table: String, _ news: inout News) {
    news.refused.append(
      RefusedRow(table: table, id: row["id"]?.string ?? "", reason: .tooLong))
  }

  private func take(_ row: JSON, _ table: CloudTable, _ news: inout News) {
    do throws(FileMistakes) {
      let entity = try Row.entity(row, table)
      news.entities[entity.key] = (entity, row["path"]?.string)
    } catch {
      news.refused.append(
        RefusedRow(table: table.name, id: row["id"]?.string ?? "", reason: .mistakes(error)))
    }
  }

  private func take(_ row: JSON, _ news: inout News) {
    do throws(FileMistakes) {
      let (key, entry) = try Row.change(row)
      news.changes[key, default: []].append(entry)
    } catch {
      news.refused.append(
        RefusedRow(
          table: ChangeTable.name, id: row["id"]?.string ?? "", reason: .mistakes(error)))
    }
  }
}

extension Pull.News {
  /// What the cloud holds of the entities that are among the news, given what it was known to hold.
  func held(_ known: (EntityKey) -> Entity?) -> [(entity: Entity, path: String?)] {
    let keys = Set(entities.keys).union(changes.keys).sorted(by: EntityKey.precedes)
    return keys.compactMap { key in
      let before = known(key)
      // A ledger whose entity is still on its way comes with it.
      guard var entity = entities[key]?.entity ?? before else { return nil }
      if let before, entities[key] != nil { entity = before.joined(with: entity) }
      for entry in changes[key] ?? [] { entity.record(entry) }
      return (entity, entities[key]?.path)
    }
  }
}
