import LarderCloud
import LarderModel
import LarderStore

/// The Supabase project that a household is connected to.
///
/// Calls throw `CloudError`, `CloudSyncError`, `CredentialsError` and ``CloudUseError``.
public struct Cloud {
  let connection: CloudConnection
  let larder: Larder

  var store: Store { larder.store }
  var client: RestClient { connection.client }
  var session: Session { connection.session }

  /// The project's address.
  public var url: String { session.project.url }

  /// The e-mail address of the user that this clone remembers; nil if it remembers none.
  public var email: String? {
    get throws { try session.credentials()?.email }
  }

  /// Whether this user is signed in on this device.
  public var isSignedIn: Bool {
    get throws { try session.credentials()?.tokens != nil }
  }

  /// Returns the last known state of the project's copy; makes no request.
  public func state() throws -> CloudState { try connection.state() }
}

extension Larder {
  /// The address of the household's project; nil if it is not connected.
  public var cloudURL: String? {
    get throws(StoreError) { try store.cloudURL }
  }

  /// Returns the project of the household; nil if it is not connected.
  public func cloud() throws -> Cloud? {
    try CloudConnection(of: store, context).map { Cloud(connection: $0, larder: self) }
  }

  /// Returns the project of the household.
  ///
  /// Throws ``CloudUseError`` with `notConnected` if there is none.
  public func connectedCloud() throws -> Cloud {
    guard let cloud = try cloud() else { throw CloudUseError.notConnected }
    return cloud
  }

  /// Connects the household to a project by its address and its anon (or publishable) key.
  ///
  /// The address is stored in this clone's git configuration, the key in the user's credentials
  /// file. Throws `CloudProjectError` if the address or the key is not valid.
  @discardableResult
  public func connect(to url: String, key: Secret) throws -> Cloud {
    let project = try CloudProject(url: url, key: key.text)
    // An account of another project is not valid in this one.
    if try store.cloudURL != project.url { try store.setCloudAccount(nil) }
    let file = try CredentialsFile(environment: context.environment)
    let connection = try CloudConnection(project, file, of: store, context)
    try waited { [session = connection.session] in try await session.connect() }
    let cloud = Cloud(connection: connection, larder: self)
    try cloud.remember()
    return cloud
  }
}

extension Cloud {
  /// Stores the project and the signed-in user in the clone, independent of other users of this
  /// device.
  func remember() throws {
    try store.setCloudURL(url)
    try store.forgetMembership(in: url)
    guard let user = try session.credentials()?.userID,
      let taken = try CredentialsFile(environment: larder.context.environment)
        .remember(user, in: store)
    else { return }
    larder.tell(taken.adoption, taken.household)
    if !taken.changed.isEmpty { larder.context.report(.namedUser(entities: taken.changed.count)) }
  }

  /// Forgets the project's address in this clone, and the position up to which it was read.
  ///
  /// The project keeps its data, and the user stays signed in on this device.
  public func disconnect() throws {
    try store.setCloudURL(nil)
    try store.setCloudAccount(nil)
    try store.forgetCloud()
  }

  /// Returns the id of the household.
  func householdID() throws -> String {
    guard let own = try store.read().household.own else {
      throw StoreError.notAHousehold(directory: larder.root)
    }
    return own.id
  }
}

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
