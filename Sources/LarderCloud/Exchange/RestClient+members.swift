internal import LarderJSON
public import LarderModel

/// Somebody who belongs to a household in a project.
public struct HouseholdMember: Sendable, Hashable {
  /// The user's id in the project.
  public let id: String
  /// Nil where the account has none.
  public let email: String?
  public let joined: Instant
  /// Whether it is the user who asks.
  public let isYou: Bool
}

/// An invitation into a household, without its code: nobody can read that again.
public struct KnownInvitation: Sendable, Hashable {
  /// What has become of it.
  public enum State: String, Sendable {
    case open, accepted, expired
  }

  public let id: String
  public let state: State
  public let createdBy: String?
  public let expires: Instant
  /// Who has come by it; nil for nobody, or an account that is gone.
  public let acceptedBy: String?
}

extension RestClient {
  /// Who belongs to a household of the user, in the order in which they came.
  public func members(of household: String) async throws(CloudError) -> [HouseholdMember] {
    try await list("members", household) { row in
      guard let id = row["user_id"]?.string,
        let joined = row["joined_at"]?.string.flatMap({ Instant($0) })
      else { return nil }
      return HouseholdMember(
        id: id, email: row["email"]?.string, joined: joined, isYou: row["is_you"]?.bool ?? false)
    }
  }

  /// Takes a member out of a household, and the open invitations they made.
  ///
  /// Nobody removes who was there before them: that is `forbidden`. Somebody who is no member is no
  /// error.
  public func remove(member: String, from household: String) async throws(CloudError) {
    _ = try await call(
      "remove_member",
      [JSONMember("household", .string(household)), JSONMember("member", .string(member))])
  }

  /// The invitations into a household of the user, the oldest first.
  public func invitations(into household: String) async throws(CloudError) -> [KnownInvitation] {
    try await list("invites", household) { row in
      guard let id = row["id"]?.string,
        let state = row["state"]?.string.flatMap(KnownInvitation.State.init),
        let expires = row["expires_at"]?.string.flatMap({ Instant($0) })
      else { return nil }
      return KnownInvitation(
        id: id, state: state, createdBy: row["created_by_email"]?.string, expires: expires,
        acceptedBy: row["accepted_by_email"]?.string)
    }
  }

  /// Makes an open invitation good for nobody; one that is not open is `rejected` with the code `LA034`.
  public func revoke(invitation id: String) async throws(CloudError) {
    _ = try await call("revoke_invite", [JSONMember("invite", .string(id))])
  }

  /// Takes the user out of a household.
  ///
  /// The last member is `rejected` with the code `LA030`, unless its rows are to be deleted; then its id
  /// is kept for whoever left it, and its files found it again.
  public func leave(household: String, deletingRows: Bool = false) async throws(CloudError) {
    _ = try await call(
      "leave",
      [
        JSONMember("household", .string(household)),
        JSONMember("delete_rows", .bool(deletingRows)),
      ])
  }

  /// Deletes the user's account; with it go the rows of the households that nobody else belongs to, if
  /// they may, else it is `rejected` with the code `LA030`.
  public func deleteAccount(deletingRows: Bool) async throws(CloudError) {
    _ = try await call("delete_account", [JSONMember("delete_rows", .bool(deletingRows))])
  }

  private func list<Item>(
    _ function: String, _ household: String, _ item: (JSON) -> Item?
  ) async throws(CloudError) -> [Item] {
    let answer = try await call(function, [JSONMember("household", .string(household))])
    guard let rows = answer.array else { throw .malformedAnswer(.expected("an array")) }
    var items: [Item] = []
    for row in rows {
      guard let item = item(row) else { throw .malformedAnswer(.expected("rows of \(function)")) }
      items.append(item)
    }
    return items
  }
}

extension CloudError {
  /// Whether somebody who wants to go is the last member of a household.
  public var isAboutLastMember: Bool {
    if case .rejected(let refusal) = self { refusal.code == "LA030" } else { false }
  }
}
