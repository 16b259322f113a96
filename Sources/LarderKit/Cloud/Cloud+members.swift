internal import LarderCloud
internal import LarderModel
internal import LarderStore

/// The members of the household in the project.
extension Cloud {
  /// Returns the members of the household.
  public func members() throws -> [HouseholdMember] {
    let household = try sharedHouseholdID()
    return try waited { [client] in try await client.members(of: household) }
  }

  /// Removes a member from the household, by e-mail address, id or the beginning of the id.
  ///
  /// Throws ``CloudUseError`` with `whichMember`, `ownMembership` or `cameBefore`.
  public func remove(member words: String) throws -> HouseholdMember {
    let household = try sharedHouseholdID()
    let members = try waited { [client] in try await client.members(of: household) }
    let wanted = fold(words)
    let found = members.filter { member in
      member.email.map { fold($0) == wanted } ?? false || member.id.hasPrefix(wanted)
    }
    guard let one = found.first, found.count == 1 else {
      throw CloudUseError.whichMember(words, members.map(\.name))
    }
    if one.isYou { throw CloudUseError.ownMembership }
    if let you = members.first(where: \.isYou), one.joined < you.joined {
      throw CloudUseError.cameBefore(one.name)
    }
    try waited { [client] in try await client.remove(member: one.id, from: household) }
    return one
  }

  /// Ends the user's own membership.
  ///
  /// For the last member, it throws `CloudError` with `isAboutLastMember`, unless `deletingRows`
  /// agrees that the project deletes all its data of the household.
  public func leave(deletingRows: Bool = false) throws {
    let household = try householdID()
    try waited { [client] in
      try await client.leave(household: household, deletingRows: deletingRows)
    }
  }

  /// Creates an invitation that works once, within 1 to 720 hours.
  public func invite(hours: Int = 72) throws -> Invitation {
    let household = try householdID()
    return try waited { [client] in
      try await client.createInvite(household: household, hours: hours)
    }
  }

  /// Accepts an invitation into this household, and returns the household's id.
  ///
  /// Throws ``CloudUseError`` with `otherHousehold` if the invitation is into another household.
  public func accept(invitation code: Secret) throws -> String {
    let own = try householdID()
    let invited = try waited { [client] in try await client.acceptInvite(code) }
    guard invited == own else {
      throw CloudUseError.otherHousehold(invited: invited, own: own)
    }
    try store.forgetMembership(in: url)
    return own
  }

  /// Returns all invitations into the household, including used, expired and revoked ones.
  public func invitations() throws -> [KnownInvitation] {
    let household = try sharedHouseholdID()
    return try waited { [client] in try await client.invitations(into: household) }
  }

  /// Revokes an open invitation, by its id or the beginning of it.
  ///
  /// Throws ``CloudUseError`` with `whichInvite`.
  public func revoke(invitation words: String) throws -> KnownInvitation {
    let open = try invitations().filter { $0.state == .open }
    let wanted = fold(words)
    let found = open.filter { $0.id.hasPrefix(wanted) }
    guard let one = found.first, found.count == 1, !wanted.isEmpty else {
      throw CloudUseError.whichInvite(words, open.map { String($0.id.prefix(8)) })
    }
    try waited { [client] in try await client.revoke(invitation: one.id) }
    return one
  }

  /// Returns the id of the household; throws if it stays local.
  private func sharedHouseholdID() throws -> String {
    guard try !store.isLocalOnly else { throw CloudUseError.localOnly }
    return try householdID()
  }
}

extension HouseholdMember {
  /// The e-mail address, or the id if the project does not send the address.
  public var name: String { email ?? id }
}
