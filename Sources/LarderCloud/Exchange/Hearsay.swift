internal import LarderJSON
internal import LarderModel
package import LarderStore

/// What this device has heard of the cloud that neither files nor what the cloud holds can tell.
///
/// It lies in `.git/larder/cloud.json`.
struct Hearsay: Sendable, Equatable {
  private static let file = "cloud.json"

  private let project: String
  private let household: String
  /// Whether the user belongs to the household there, as the last exchange found.
  var isMember = true
  /// The rows that were left there, in order of table and id.
  private(set) var left: [LeftRow] = []

  /// Notes what a pull has read, has left again, and has found to be there still.
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

extension Hearsay {
  /// What was noted of a household in a project; nothing where it was another one, or can't be read.
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
  func hearsay(of household: String) throws -> Hearsay {
    try Hearsay(of: store, project: client.session.project.url, household: household)
  }

  /// Notes whether the user belongs to a household.
  func note(isMember: Bool, of household: String) throws {
    var heard = try hearsay(of: household)
    guard heard.isMember != isMember else { return }
    heard.isMember = isMember
    try heard.save(in: store)
  }

  /// Notes which rows stay in the cloud, before what was read counts as read.
  func noteLeft(_ news: Pull.News, _ reading: Pull) async throws -> [LeftRow] {
    var heard = try hearsay(of: reading.household)
    let before = heard
    heard.isMember = true
    let present = heard.left.isEmpty ? [] : try await reading.present(heard.left)
    heard.heard(news.refused, present: present, isRead: news.hasRead)
    if heard != before { try heard.save(in: store) }
    return heard.left
  }
}

extension Store {
  /// Lets the next exchange find out anew whether the user belongs to the household in a project:
  /// somebody else may have signed in, or an invitation was accepted.
  package func forgetMembership(in project: String) throws {
    guard let household = try read().household.own?.id else { return }
    var heard = try Hearsay(of: self, project: project, household: household)
    guard !heard.isMember else { return }
    heard.isMember = true
    try heard.save(in: self)
  }
}
