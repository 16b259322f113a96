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

  /// Removes a member from a household, and revokes its open invitations, whoever made them.
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

/// A code that admits a user to a household.
public struct Invitation: Sendable, Hashable {
  public let code: Secret
  public let expires: Instant

  /// The code as text, for passing on.
  public var text: String { code.text }
}

extension RestClient {
  /// Returns the households of the user, ordered by id, except those whose row is not a valid file.
  ///
  /// If only such rows exist, it is `malformedAnswer`.
  public func households() async throws(CloudError) -> [Entity] {
    var households: [Entity] = []
    var isRefused = false
    for table in CloudTable.all where table.kind == .household {
      var rows: [JSON] = []
      do throws(CloudError) {
        rows = try await select(table.name, [.columns(table.written), .ascending("id")])
      } catch .malformedAnswer(.tooLong) {
        // A row that is too long must not block the others.
        for id in try await select(table.name, [.columns(["id"]), .ascending("id")]) {
          guard let id = id["id"]?.string else { continue }
          do throws(CloudError) {
            rows += try await select(table.name, [.columns(table.written), .equal("id", id)])
          } catch .malformedAnswer(.tooLong) {
            isRefused = true
          }
        }
      }
      for row in rows {
        do throws(FileMistakes) {
          households.append(try Row.entity(row, table))
        } catch {
          isRefused = true
        }
      }
      if households.isEmpty, isRefused {
        throw .malformedAnswer(.expected("a row of \(table.name)"))
      }
    }
    return households
  }

  /// Creates an invitation to a household of the user, valid once and for 1 to 720 hours.
  ///
  /// If the user is not a member of the household, it is `forbidden`.
  public func createInvite(household: String, hours: Int) async throws(CloudError) -> Invitation {
    let answer = try await call(
      "create_invite",
      [
        JSONMember("household", .string(household)),
        JSONMember("valid_hours", .number(String(hours))),
      ])
    guard let code = answer["code"]?.string,
      let expires = answer["expires_at"]?.string.flatMap({ Instant($0) })
    else { throw .malformedAnswer(.missing("code")) }
    return Invitation(code: Secret(code), expires: expires)
  }

  /// Adds the user to the household of an invitation code.
  ///
  /// Returns the household's id.
  ///
  /// An invalid or expired code is `rejected` with the code `P0001`.
  public func acceptInvite(_ code: Secret) async throws(CloudError) -> String {
    let answer = try await call("accept_invite", [JSONMember("code", .string(code.text))])
    guard let household = answer["household_id"]?.string else {
      throw .malformedAnswer(.missing("household_id"))
    }
    return household
  }
}
