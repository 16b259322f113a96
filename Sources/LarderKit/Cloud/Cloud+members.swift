internal import LarderCloud
internal import LarderModel
internal import LarderStore

/// Who belongs to the household in the project.
extension Cloud {
  /// The members of the household.
  public func members() throws -> [HouseholdMember] {
    let household = try sharedHouseholdID()
    return try waited { [client] in try await client.members(of: household) }
  }

  /// Takes a member out of the household, by the e-mail address, or the id or its beginning.
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

  /// Gives up being a member.
  ///
  /// Throws `CloudError` for the last member, with `isAboutLastMember`, unless `deletingRows` agrees that
  /// the project loses all it has of the household.
  public func leave(deletingRows: Bool = false) throws {
    let household = try householdID()
    try waited { [client] in
      try await client.leave(household: household, deletingRows: deletingRows)
    }
  }

  /// Makes an invitation that is good once, for 1 to 720 hours.
  public func invite(hours: Int = 72) throws -> Invitation {
    let household = try householdID()
    return try waited { [client] in
      try await client.createInvite(household: household, hours: hours)
    }
  }

  /// Accepts an invitation into this household, and returns the household's id.
  ///
  /// Throws ``CloudUseError`` with `otherHousehold` if it is into another one.
  public func accept(invitation code: Secret) throws -> String {
    let own = try householdID()
    let invited = try waited { [client] in try await client.acceptInvite(code) }
    guard invited == own else {
      throw CloudUseError.otherHousehold(invited: invited, own: own)
    }
    try store.forgetMembership(in: url)
    return own
  }

  /// The invitations into the household, whatever became of them.
  public func invitations() throws -> [KnownInvitation] {
    let household = try sharedHouseholdID()
    return try waited { [client] in try await client.invitations(into: household) }
  }

  /// Ends an open invitation, by its id or the beginning of it.
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

  /// The id of the household, if it is not to stay local.
  private func sharedHouseholdID() throws -> String {
    guard try !store.isLocalOnly else { throw CloudUseError.localOnly }
    return try householdID()
  }
}

extension HouseholdMember {
  /// The e-mail address, or the id if the project does not tell it.
  public var name: String { email ?? id }
}
