public import LarderModel

/// A member of a household in a project.
public struct HouseholdMember: Sendable, Hashable {
  /// The user's id in the project.
  public let id: String
  /// Nil if the account has none.
  public let email: String?
  public let joined: Instant
  /// Whether it is the requesting user.
  public let isYou: Bool
}

/// An invitation to a household, without its code, which can't be read again.
public struct KnownInvitation: Sendable, Hashable {
  /// The state of the invitation.
  public enum State: String, Sendable {
    case open, accepted, expired
  }

  public let id: String
  public let state: State
  public let createdBy: String?
  public let expires: Instant
  /// The user who accepted it; nil for nobody, or for a deleted account.
  public let acceptedBy: String?
}

extension RestClient {
  /// Returns the members of a household of the user, in the order in which they joined.
  public func members(of household: String) async throws(CloudError) -> [HouseholdMember] {
    try await list("members", household) { row in
      guard let id = row["user_id"]?.string,
        let joined = row["joined_at"]?.string.flatMap({ Instant($0) })
      else { return nil }
      return HouseholdMember(
        id: id, email: row["email"]?.string, joined: joined, isYou: row["is_you"]?.bool ?? false)
    }
  }

  /// Removes a member from a household, with the member's open invitations.
  ///
  /// A user can't remove members who joined earlier: that is `forbidden`. Removing a user who is
  /// not a member is not an error.
  public func remove(member: String, from household: String) async throws(CloudError) {
    _ = try await call(
      "remove_member",
      [JSONMember("household", .string(household)), JSONMember("member", .string(member))])
  }

  /// Returns the invitations to a household of the user, the oldest first.
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

  /// Revokes an open invitation; for one that is not open, it is `rejected` with the code `LA034`.
  public func revoke(invitation id: String) async throws(CloudError) {
    _ = try await call("revoke_invite", [JSONMember("invite", .string(id))])
  }

  /// Removes the user from a household.
  ///
  /// The last member is `rejected` with the code `LA030`, unless `deletingRows` is true. Then the
  /// id is reserved for the users who left, and their files can create the household again.
  public func leave(household: String, deletingRows: Bool = false) async throws(CloudError) {
    _ = try await call(
      "leave",
      [
        JSONMember("household", .string(household)),
        JSONMember("delete_rows", .bool(deletingRows)),
      ])
  }

  /// Deletes the user's account, with the rows of households that have no other member.
  ///
  /// If there are such rows and `deletingRows` is false, it is `rejected` with the code `LA030`.
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
  /// Whether the refusal is about the last member of a household.
  public var isAboutLastMember: Bool {
    if case .rejected(let refusal) = self { refusal.code == "LA030" } else { false }
  }
}
