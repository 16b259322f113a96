/// An error of a call that needs the project, besides the project's own errors.
public enum CloudUseError: Error, Sendable {
  /// The household is not connected to a project.
  case notConnected
  /// The household stays local.
  case localOnly
  /// The project requires the e-mail address to be confirmed first.
  case signUpUnconfirmed(email: String)
  /// The invitation is into another household.
  case otherHousehold(invited: String, own: String)
  /// The user belongs to several households or to none, and the call did not name one.
  case whichHousehold([(id: String, name: String)])
  /// No member or more than one has the name; the list has all members.
  case whichMember(String, [String])
  /// No open invitation or more than one has the id; the list has all open ones.
  case whichInvite(String, [String])
  /// Members can't remove themselves; they can leave.
  case ownMembership
  /// Members can't remove others who joined before them.
  case cameBefore(String)
}
