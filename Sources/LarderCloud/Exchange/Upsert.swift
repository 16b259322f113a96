internal import LarderModel

/// The rows of one request, each with its entity.
struct Upsert: Sendable {
  let table: String
  let columns: [String]
  let key: [String]
  let rows: [(pending: Pending, row: JSON)]

  init(
    _ table: String, _ columns: [String], _ key: [String], _ rows: [(pending: Pending, row: JSON)]
  ) {
    self.table = table
    self.columns = columns
    self.key = key
    self.rows = rows
  }

  /// The entities of the rows as the cloud is known to have them.
  var known: [EntityKey: Entity] {
    Dictionary(rows.compactMap { row in row.pending.known.map { ($0.key, $0) } }) { first, _ in
      first
    }
  }

  func answer(from client: RestClient) async -> Result<[JSON], CloudError> {
    do throws(CloudError) {
      let answer = try await client.upsert(
        table, rows.map(\.row), columns: columns, onConflict: key)
      guard answer.count == rows.count else {
        throw .malformedAnswer(.expected("\(rows.count) rows"))
      }
      return .success(answer)
    } catch {
      return .failure(error)
    }
  }

  /// Two requests, divided between two entities' rows nearest to the middle; nil if there is only
  /// one entity.
  var halves: (Upsert, Upsert)? {
    let keys = rows.map(\.pending.ours.key)
    let boundaries = keys.indices.dropFirst().filter { keys[$0] != keys[$0 - 1] }
    guard let middle = boundaries.min(by: { abs($0 - keys.count / 2) < abs($1 - keys.count / 2) })
    else { return nil }
    return (
      Upsert(table, columns, key, Array(rows[..<middle])),
      Upsert(table, columns, key, Array(rows[middle...]))
    )
  }
}
