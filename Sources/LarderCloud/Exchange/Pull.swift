public import LarderModel
public import LarderStore

/// The result of a pull.
public struct PullOutcome: Sendable {
  /// The number of rows from the cloud.
  public var fetchedCount = 0
  /// The entities that changed here, ordered by kind and id.
  public var changed: [EntityKey] = []
  /// The values that both sides had written and that lost.
  public var lost: [LostWrite] = []
  /// The rows of this pull that are not valid entities; they stay in the cloud.
  public var refused: [RefusedRow] = []
  /// All rows that stay in the cloud for such a reason, from this pull or earlier ones.
  public var left: [LeftRow] = []
  /// The household before; ``household`` is the one afterwards.
  public var before: Household
  public var household: Household

  init(household: Household) {
    before = household
    self.household = household
  }
}

/// A row that stays in the cloud because it is not a valid file.
public struct RefusedRow: Sendable {
  /// The reason why the row was not taken.
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

/// A reader of what is new in the cloud, table by table.
struct Pull {
  let client: RestClient
  let household: String
  let report: @Sendable (CloudProgress) -> Void

  /// The number of rows in a request; the server may return fewer.
  private static let pageSize = 1000
  /// The number of ids in a request, limited by the length of an address.
  static let idsAtOnce = 100

  /// The rows read from the cloud.
  struct News {
    var entities: [EntityKey: (entity: Entity, path: FilePath?)] = [:]
    var changes: [EntityKey: [LedgerEntry]] = [:]
    var cursors: [String: Int64] = [:]
    var refused: [RefusedRow] = []
    var rowCount = 0
    /// Whether the user sees the household.
    var isMember = true
    /// The newest versions in the database; nil if it does not tell.
    var newest: Newest?
    /// The ids of the entities that have ledger entries from before the cursors; nil if it is not
    /// known of which.
    var older: Set<String>?
  }

  /// Reads what is new since the versions in the cursors.
  ///
  /// Ledgers are read last and written first, so every entity that was read has its ledger. The
  /// ledger of an entity that is new here may be older than the cursor, so it is requested
  /// separately.
  ///
  /// Throws ``CloudError``, and ``Restored`` if the database lost data that was read before.
  func news(
    since cursors: [String: Int64], seen: [String: Int64] = [:], of origin: String? = nil,
    knows: (EntityKey) -> Bool
  ) async throws -> News {
    var news = News()
    news.cursors = cursors
    // With the cursors of a restored database, the answer would be incomplete.
    func isRestored(_ newest: Newest?) -> Bool { newest?.isBehind(seen, origin) ?? false }
    if try await !allAtOnce(&news, isRestored) { try await byTable(&news, isRestored) }
    guard cursors[ChangeTable.name] != nil else { return news }
    let unknown = news.entities.keys.filter { key in
      Schema.of(key.kind).quantity != nil && !knows(key) && news.older?.contains(key.id) ?? true
    }
    for kind in Kind.allCases where Schema.of(kind).quantity != nil {
      try await ledgers(of: kind, unknown.filter { $0.kind == kind }.map(\.id), &news)
    }
    return news
  }

  /// Reads the pages of the project's function, which answers for all tables at once.
  ///
  /// Returns false if the project lacks the function, or if a page is too long; what was read
  /// before stays in the news.
  private func allAtOnce(
    _ news: inout News, _ isRestored: (Newest?) -> Bool
  ) async throws -> Bool {
    news.older = []
    while true {
      guard let page = try await client.news(of: household, since: news.cursors) else {
        news.older = nil
        return false
      }
      news.isMember = page != .null
      if !news.isMember { return true }
      guard let tables = page["rows"], let since = page["since"]?.versions else {
        throw CloudError.malformedAnswer(.expected("a page of news"))
      }
      news.newest = page["newest"].flatMap(Newest.init)
      if isRestored(news.newest) { throw Restored() }
      for table in CloudTable.all {
        let rows = tables[table.name]?.array ?? []
        for row in rows { take(row, table, &news) }
        news.rowCount += rows.count
      }
      let changes = tables[ChangeTable.name]?.array ?? []
      for row in changes { take(row, &news) }
      news.rowCount += changes.count
      news.older?.formUnion((page["older"]?.array ?? []).compactMap(\.string))
      let before = news.cursors
      news.cursors.merge(since) { $1 }
      if news.cursors != before { report(.pulled(rows: news.rowCount)) }
      guard page["more"] == .bool(true) else { return true }
      guard news.cursors != before else { throw CloudError.malformedAnswer(.missing("version")) }
    }
  }

  /// Reads the pages of each table, one table after the other.
  private func byTable(
    _ news: inout News, _ isRestored: (Newest?) -> Bool
  ) async throws {
    let cursors = news.cursors
    try await own(&news, since: cursors)
    if isRestored(news.newest) { throw Restored() }
    for table in CloudTable.all where table.kind != .household {
      try await pages(of: table.name, table.written, since: cursors, &news) { row, news in
        take(row, table, &news)
      }
    }
    try await pages(of: ChangeTable.name, ChangeTable.written, since: cursors, &news, take)
  }

  /// Reads the household's own row, always as a whole; other users don't see it.
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

  /// Reads the batches that expire until a day, with their ledgers and items, and all locations.
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
      // Any item may claim these products.
      try await pages(of: .stockItem, [], &news)
      try await pages(of: .product, anyOf: others, &news)
    }
    for kind in Kind.allCases where Schema.of(kind).quantity != nil {
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

  /// Reads page by page until one is empty: servers limit pages without saying so.
  ///
  /// If a page is too long, it requests smaller ones, down to a single row, which is skipped.
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
      // A lookup by filter does not cover all rows, so the cursor stays.
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
      news.entities[entity.key] = (entity, row["path"]?.string.map { FilePath($0) })
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
  /// Returns the cloud's versions of the entities in the news, based on the known versions.
  func held(_ known: (EntityKey) -> Entity?) -> [(entity: Entity, path: FilePath?)] {
    let keys = Set(entities.keys).union(changes.keys).sorted(by: EntityKey.precedes)
    return keys.compactMap { key in
      let before = known(key)
      // A ledger whose entity has not arrived yet comes again with it.
      guard var entity = entities[key]?.entity ?? before else { return nil }
      if let before, entities[key] != nil { entity = before.joined(with: entity) }
      for entry in changes[key] ?? [] { entity.record(entry) }
      return (entity, entities[key]?.path)
    }
  }
}

extension RestClient {
  /// Returns a page of what is new in a household; null if the user is no member.
  ///
  /// Nil if the project lacks the function, or if the page is too long.
  fileprivate func news(of household: String, since cursors: [String: Int64])
    async throws(CloudError) -> JSON?
  {
    do throws(CloudError) {
      return try await call(
        "news",
        [
          JSONMember("household", .string(household)),
          JSONMember("since", JSON(versions: cursors)),
        ])
    } catch {
      switch error {
      case .schemaMismatch, .malformedAnswer(.tooLong): return nil
      default: throw error
      }
    }
  }
}
