internal import LarderModel

/// The newest versions of a household's tables in a project, as its row shows on request.
struct Newest: Sendable {
  /// The id of the database's history; it changes with each restore from a backup.
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

  /// Whether the database lost data that this device has seen, by the newest seen version of each
  /// table and the known history.
  func isBehind(_ seen: [String: Int64], _ known: String?) -> Bool {
    if let known, known != origin { return true }
    return seen.contains { table, version in versions[table].map { $0 < version } ?? false }
  }
}

/// The database was restored from a backup, so the known state may be wrong.
struct Restored: Error {}

extension RestClient {
  /// Returns the format and newest versions of a household in the project.
  ///
  /// Nil if the user does not see it.
  func standing(of household: String) async throws(CloudError) -> (format: String, newest: Newest?)?
  {
    for table in CloudTable.all where table.kind == .household {
      let rows = try await select(
        table.name, [.columns(["id", "format", "newest"]), .equal("id", household)])
      return rows.first.map {
        ($0["format"]?.number ?? Schema.format, $0["newest"].flatMap(Newest.init))
      }
    }
    return nil
  }
}
