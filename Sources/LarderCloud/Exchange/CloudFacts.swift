internal import LarderModel
package import LarderStore

/// This device's facts about the cloud beyond the files and the known state.
///
/// It is stored in `.git/larder/cloud.json`.
struct CloudFacts: Sendable, Equatable {
  private static let file = "cloud.json"

  private let project: String
  private let household: String
  /// Whether the user is a member of the household, by the last exchange.
  var isMember = true
  /// The rows that stay in the cloud, ordered by table and id.
  private(set) var left: [LeftRow] = []

  /// Updates the rows after a pull: the refused ones, those still present, and those that were
  /// read.
  mutating func heard(
    _ refused: [RefusedRow], present: Set<LeftRow>, isRead: (LeftRow) -> Bool
  ) {
    let news = Set(refused.map(LeftRow.init))
    let old = left.filter { row in
      !isRead(row) && present.contains(row)
        && !news.contains { ($0.table, $0.id) == (row.table, row.id) }
    }
    left = (news + old).sorted { ($0.table, $0.id) < ($1.table, $1.id) }
  }
}

extension CloudFacts {
  /// Reads what was stored for a household in a project.
  ///
  /// Empty for another household or project, or if it is unreadable.
  init(of store: Store, project: String, household: String) throws(StoreError) {
    self.project = project
    self.household = household
    guard let bytes = try store.deviceFile(Self.file), let json = try? JSON(parsing: bytes),
      json["project"]?.string == project, json["household"]?.string == household
    else { return }
    isMember = json["isMember"]?.bool ?? true
    left = (json["left"]?.array ?? []).compactMap(LeftRow.init)
  }

  func save(in store: Store) throws(StoreError) {
    let json = JSON.object([
      JSONMember("project", .string(project)), JSONMember("household", .string(household)),
      JSONMember("isMember", .bool(isMember)), JSONMember("left", .array(left.map(\.json))),
    ])
    try store.writeDeviceFile(Self.file, json.writeFile())
  }
}

extension CloudSync {
  func cloudFacts(of household: String) throws -> CloudFacts {
    try CloudFacts(of: store, project: client.session.project.url, household: household)
  }

  /// Stores whether the user is a member of a household.
  func note(isMember: Bool, of household: String) throws {
    var heard = try cloudFacts(of: household)
    guard heard.isMember != isMember else { return }
    heard.isMember = isMember
    try heard.save(in: store)
  }

  /// Stores which rows stay in the cloud, before the cursors move.
  func noteLeft(_ news: Pull.News, _ reading: Pull) async throws -> [LeftRow] {
    var heard = try cloudFacts(of: reading.household)
    let before = heard
    heard.isMember = true
    let present = heard.left.isEmpty ? [] : try await reading.present(heard.left)
    heard.heard(news.refused, present: present, isRead: news.hasRead)
    if heard != before { try heard.save(in: store) }
    return heard.left
  }
}

extension Store {
  /// Makes the next exchange check again whether the user is a member of the household in a
  /// project.
  ///
  /// Somebody else may have signed in, or an invitation may have been accepted.
  package func forgetMembership(in project: String) throws {
    guard let household = try read().household.own?.id else { return }
    var heard = try CloudFacts(of: self, project: project, household: household)
    guard !heard.isMember else { return }
    heard.isMember = true
    try heard.save(in: self)
  }
}
