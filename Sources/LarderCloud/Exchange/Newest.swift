internal import LarderJSON
internal import LarderModel

/// How far a project's tables ever came for a household, as its row tells on request.
struct Newest: Sendable {
  /// Which history of the database it is: another one after each restoring from a backup.
  let origin: String
  /// The newest version of each table, by its name.
  let versions: [String: Int64]

  init?(_ json: JSON) {
    guard let origin = json["origin"]?.string, let members = json["versions"]?.members else {
      return nil
    }
    self.origin = origin
    versions = Dictionary(
      members.compactMap { member in
        member.value.number.flatMap(Int64.init).map { (member.key, $0) }
      }
    ) { $1 }
  }

  /// Whether the database has forgotten what was heard from it, by the newest version of each table
  /// that was seen and the history that it had then.
  func isBehind(_ seen: [String: Int64], _ known: String?) -> Bool {
    if let known, known != origin { return true }
    return seen.contains { table, version in versions[table].map { $0 < version } ?? false }
  }
}

/// The database was restored from a backup: what it was known to hold, it need not have.
struct Restored: Error {}

extension RestClient {
  /// How a household stands in the project; nil where the user does not see it.
  func standing(of household: String) async throws(CloudError) -> (format: String, newest: Newest?)?
  {
    for table in CloudTable.all where table.kind == .household {
      let rows = try await select(
        table.name, [.columns(["id", "format", "newest"]), .equal("id", household)])
      return rows.first.map { ($0["format"]?.number ?? "1", $0["newest"].flatMap(Newest.init)) }
    }
    return nil
  }
}
