/// Why a call that needs the project can't go on, besides what the project itself says.
public enum CloudUseError: Error, Sendable {
  /// The household is connected to no project.
  case notConnected
  /// The household is to stay local.
  case localOnly
  /// The project wants the e-mail address to be confirmed first.
  case signUpUnconfirmed(email: String)
  /// The invitation is into another household.
  case otherHousehold(invited: String, own: String)
  /// The user belongs to several households, or to none, and none was named.
  case whichHousehold([(id: String, name: String)])
  /// Nobody, or more than one member, has that name; these are the members.
  case whichMember(String, [String])
  /// No open invitation, or more than one, has that id; these are open.
  case whichInvite(String, [String])
  /// Members who want to go leave; they don't remove themselves.
  case ownMembership
  /// Nobody removes a member who was there before them.
  case cameBefore(String)
}
