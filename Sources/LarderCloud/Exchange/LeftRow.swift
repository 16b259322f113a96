package import LarderModel

/// A row that stays in the cloud until it is a valid file, as stored on this device.
public struct LeftRow: Sendable, Hashable {
  /// The reason why the row was not taken.
  public enum Reason: String, Sendable {
    /// The format does not allow it.
    case notAllowed
    /// It is over 16 MiB, and was not read.
    case tooLong
  }

  public let table: String
  public let id: String
  public let reason: Reason

  init(_ refused: RefusedRow) {
    table = refused.table
    id = refused.id
    reason = if case .tooLong = refused.reason { .tooLong } else { .notAllowed }
  }
}

extension LeftRow {
  init?(_ json: JSON) {
    guard let table = json["table"]?.string, let id = json["id"]?.string,
      let reason = json["reason"]?.string.flatMap(Reason.init(rawValue:))
    else { return nil }
    self.table = table
    self.id = id
    self.reason = reason
  }

  /// The row as in `cloud.json`.
  package var json: JSON {
    .object([
      JSONMember("table", .string(table)), JSONMember("id", .string(id)),
      JSONMember("reason", .string(reason.rawValue)),
    ])
  }
}

extension Pull {
  /// Returns those of some rows that the cloud still has.
  func present(_ rows: [LeftRow]) async throws(CloudError) -> Set<LeftRow> {
    var present: Set<LeftRow> = []
    for table in Set(rows.map(\.table)) {
      var rest = rows.filter { $0.table == table }[...]
      while !rest.isEmpty {
        let some = rest.prefix(Pull.idsAtOnce)
        rest = rest.dropFirst(Pull.idsAtOnce)
        let answer = try await client.select(
          table,
          [.columns(["id"]), .equal("household_id", household), .oneOf("id", some.map(\.id))])
        let ids = Set(answer.compactMap { $0["id"]?.string })
        present.formUnion(some.filter { ids.contains($0.id) })
      }
    }
    return present
  }
}

extension Pull.News {
  /// Whether a row that stayed in the cloud was now read as a valid file.
  func hasRead(_ row: LeftRow) -> Bool {
    guard row.table != ChangeTable.name else {
      return changes.values.contains { $0.contains { $0.id == row.id } }
    }
    return CloudTable.all.contains { table in
      table.name == row.table && entities[EntityKey(table.kind, row.id)] != nil
    }
  }
}
