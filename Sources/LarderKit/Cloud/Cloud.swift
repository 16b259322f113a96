internal import LarderCloud
public import LarderModel
internal import LarderStore

/// The Supabase project that a household is connected to.
///
/// Calls throw `CloudError`, `CloudSyncError`, `CredentialsError` and ``CloudUseError``.
public struct Cloud: Sendable {
  let connection: CloudConnection
  let larder: Larder

  /// The project's address.
  public var url: String { connection.url }

  /// The e-mail address of the user that this clone remembers; nil if it remembers none.
  public var email: String? {
    get throws { try connection.credentials()?.email }
  }

  /// Whether this user is signed in on this device.
  public var isSignedIn: Bool {
    get throws { try connection.credentials()?.tokens != nil }
  }

  /// Returns the last known state of the project's copy; makes no request.
  public func state() async throws -> CloudState { try await connection.state() }
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
  public func connect(to url: String, key: Secret) async throws -> Cloud {
    let project = try CloudProject(url: url, key: key.text)
    // An account of another project is not valid in this one.
    if try store.cloudURL != project.url { try store.setCloudAccount(nil) }
    let file = try CredentialsFile(environment: context.environment)
    let connection = try CloudConnection(project, file, of: store, context)
    try await connection.rememberKey()
    try remember(connection)
    return Cloud(connection: connection, larder: self)
  }

  /// Stores a connection's project and user in the clone, independent of other users of this device.
  func remember(_ connection: CloudConnection) throws {
    try store.setCloudURL(connection.url)
    try forgetMembership(in: connection.url)
    guard let user = try connection.credentials()?.userID,
      let taken = try CredentialsFile(environment: context.environment).remember(user, in: store)
    else { return }
    tell(taken.adoption, taken.household)
    if !taken.changed.isEmpty { context.report(.namedUser(entities: taken.changed.count)) }
  }

  /// Forgets the account in this clone, what was read of the project, and with `url` its address.
  fileprivate func forgetProject(url: Bool) throws {
    if url { try store.setCloudURL(nil) }
    try store.setCloudAccount(nil)
    try store.forgetCloud()
  }

  /// Takes nothing for known that may keep the user out: the next exchange asks again.
  fileprivate func forgetMembership(in url: String) throws {
    try store.forgetMembership(in: url)
    noteSync(.cloud, nil, isWhole: false)
  }

  /// Returns the id of the household.
  fileprivate func householdID() throws -> String {
    guard let own = try store.read().household.own else {
      throw StoreError.notAHousehold(directory: root)
    }
    return own.id
  }
}

extension Cloud {

  /// Forgets the project's address in this clone, and the position up to which it was read.
  ///
  /// The project keeps its data, and the user stays signed in on this device.
  public func disconnect() async throws { try await larder.forgetProject(url: true) }
}

/// An error of a call that needs the project, besides the project's own errors.
public enum CloudUseError: Error, Sendable {
  /// The household is not connected to a project.
  case notConnected
  /// The household stays local, so nothing is sent.
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

/// The user's account in the project.
///
/// Each call throws ``CloudUseError`` with `localOnly` if the household stays local.
extension Cloud {
  /// Signs in; the password is not stored.
  ///
  /// Throws ``CloudUseError`` with `signUpUnconfirmed` if the project first sends a mail to confirm
  /// the address.
  public func signIn(as email: String, by proof: SignInProof) async throws {
    try await connection.opened().session.signIn(as: email, by: proof)
    try await larder.remember(connection)
  }

  /// Signs out and removes the tokens from this device; returns false if the project could not be
  /// reached.
  public func signOut() async throws -> Bool {
    try await connection.opened().session.signOut()
  }

  /// Changes the password of the user who is signed in.
  public func change(password: Secret) async throws {
    try await connection.opened().session.change(password: password)
  }

  /// Asks the project to send a mail for setting a new password.
  public func resetPassword(email: String) async throws {
    try await connection.opened().session.resetPassword(email: email)
  }

  /// Deletes the account in the project, and the households there that have no other member.
  ///
  /// The files on this device stay.
  public func deleteAccount() async throws {
    let (session, client) = try connection.opened()
    try await client.deleteAccount(deletingRows: true)
    try await session.forgetAccount()
    try await larder.forgetProject(url: false)
  }
}

/// The proof that a user is who they say.
public enum SignInProof: Sendable {
  case password(Secret)
  /// The code of a mail from the project.
  case code(Secret)
  /// The password of a new account, which is created first.
  case newAccount(password: Secret)
}

extension Session {
  func signIn(as email: String, by proof: SignInProof) async throws {
    switch proof {
    case .password(let password): try await signIn(email: email, password: password)
    case .code(let code): try await signIn(email: email, code: code)
    case .newAccount(let password):
      guard try await signUp(email: email, password: password) else {
        throw CloudUseError.signUpUnconfirmed(email: email)
      }
    }
  }
}

/// Exchanges with the project, in one direction at a time.
///
/// Each call throws ``CloudUseError`` with `localOnly` if the household stays local.
extension Cloud {
  /// Fetches the new changes from the project, and joins them in one commit.
  public func pull() async throws -> PullOutcome {
    try await exchange { try await $0.pull() }
  }

  /// Fetches the batches that expire within some days, once a day; with `again`, also if that was
  /// already done today.
  public func pull(expiringWithinDays days: Int, again: Bool = false) async throws -> WarmUpOutcome
  {
    try await connection.exchange { try await $0.warmUp(withinDays: days, again: again) }
  }

  /// Sends pending changes: up to `limit` entities, of all operations or only the given ones.
  public func push(
    limit: Int? = nil, operations: Set<PendingOperation>? = nil
  ) async throws -> PushOutcome {
    try await exchange { try await $0.push(limit: limit, operations: operations) }
  }

  /// Unparks the entities that the project refused too often, and sends everything that is pending.
  public func retry() async throws -> PushOutcome {
    try await exchange { sync in
      _ = try await sync.retry()
      return try await sync.push()
    }
  }

  /// Runs one direction, after whose success nothing is known to stand in the way of a sync.
  private func exchange<Value: Sendable>(
    _ body: @Sendable (CloudSync) async throws -> Value
  ) async throws -> Value {
    do {
      let value = try await connection.exchange(body)
      await larder.noteSync(.cloud, nil, isWhole: false)
      return value
    } catch {
      await larder.noteSync(.cloud, error)
      throw error
    }
  }

  /// Fetches new changes and sends pending ones, as a part of a sync; nil if the household stays
  /// local.
  ///
  /// Failures are part of the outcome.
  public func visit() async throws -> CloudOutcome? {
    guard try await !larder.isOn(.localOnly) else { return nil }
    larder.context.report(.exchangeBegan)
    let outcome = try await connection.visit()
    await larder.noteSync(outcome)
    larder.context.report(.exchanged(outcome))
    return outcome
  }
}

/// The outcome of the project's part in a sync.
public struct CloudOutcome: Sendable {
  public var pulled: PullOutcome?
  public var pushed: PushOutcome?
  /// The reason if the project could not be reached, and the number of entities that wait for it.
  public var offline: (reason: TransportError, pending: Int)?
  /// The error if the project or this device refused.
  public var failure: (any Error)?

  /// The entities that changed on this device.
  public var changed: [EntityKey] { (pulled?.changed ?? []) + (pushed?.changed ?? []) }

  /// The household now; nil if nothing was exchanged.
  public var household: Household? { pushed?.household ?? pulled?.household }

  /// The values that both sides had written and that were not taken.
  public var losses: [LostWrite] { (pulled?.lost ?? []) + (pushed?.lost ?? []) }

  /// Whether any change was received, sent or refused.
  public var isNews: Bool {
    let hasPulled = pulled.map { !$0.changed.isEmpty || !$0.refused.isEmpty } ?? false
    let hasPushed = pushed.map { $0.synced > 0 || !$0.failed.isEmpty } ?? false
    return hasPulled || hasPushed
  }
}

extension CloudConnection {
  fileprivate func visit() async throws -> CloudOutcome {
    var outcome = CloudOutcome()
    do {
      let (pulled, pushed) = try await exchange { sync in
        let pulled = try await sync.pull()
        do {
          return (pulled, Result<PushOutcome, any Error>.success(try await sync.push()))
        } catch {
          return (pulled, .failure(error))
        }
      }
      outcome.pulled = pulled
      outcome.pushed = try pushed.get()
    } catch CloudError.offline(let error) where error.isPassing {
      outcome.offline = (error, try await state().waiting.count)
    } catch {
      outcome.failure = error
    }
    return outcome
  }
}

/// The members of the household in the project.
///
/// Each call throws ``CloudUseError`` with `localOnly` if the household stays local.
extension Cloud {
  /// Returns the members of the household.
  public func members() async throws -> [HouseholdMember] {
    let household = try await larder.householdID()
    return try await connection.opened().client.members(of: household)
  }

  /// Removes a member from the household, by e-mail address, id or the beginning of the id, and
  /// revokes all its open invitations, of which they may know the codes.
  ///
  /// Throws ``CloudUseError`` with `whichMember`, `ownMembership` or `cameBefore`.
  public func remove(member words: String) async throws -> HouseholdMember {
    let household = try await larder.householdID()
    let client = try connection.opened().client
    let members = try await client.members(of: household)
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
    try await client.remove(member: one.id, from: household)
    return one
  }

  /// Ends the user's own membership.
  ///
  /// For the last member, it throws `CloudError` with `isAboutLastMember`, unless `deletingRows`
  /// agrees that the project deletes all its data of the household.
  public func leave(deletingRows: Bool = false) async throws {
    let household = try await larder.householdID()
    try await connection.opened().client.leave(household: household, deletingRows: deletingRows)
  }

  /// Creates an invitation that works once, within 1 to 720 hours.
  public func invite(hours: Int = 72) async throws -> Invitation {
    let household = try await larder.householdID()
    return try await connection.opened().client.createInvite(household: household, hours: hours)
  }

  /// Accepts an invitation into this household, and returns the household's id.
  ///
  /// Throws ``CloudUseError`` with `otherHousehold` if the invitation is into another household.
  public func accept(invitation code: Secret) async throws -> String {
    let own = try await larder.householdID()
    let invited = try await connection.opened().client.acceptInvite(code)
    guard invited == own else {
      throw CloudUseError.otherHousehold(invited: invited, own: own)
    }
    try await larder.forgetMembership(in: url)
    return own
  }

  /// Returns all invitations into the household, including used, expired and revoked ones.
  public func invitations() async throws -> [KnownInvitation] {
    let household = try await larder.householdID()
    return try await connection.opened().client.invitations(into: household)
  }

  /// Revokes an open invitation, by its id or the beginning of it.
  ///
  /// Throws ``CloudUseError`` with `whichInvite`.
  public func revoke(invitation words: String) async throws -> KnownInvitation {
    let open = try await invitations().filter { $0.state == .open }
    let wanted = fold(words)
    let found = open.filter { $0.id.hasPrefix(wanted) }
    guard let one = found.first, found.count == 1, !wanted.isEmpty else {
      throw CloudUseError.whichInvite(words, open.map { String($0.id.prefix(8)) })
    }
    try await connection.opened().client.revoke(invitation: one.id)
    return one
  }
}

extension HouseholdMember {
  /// The e-mail address, or the id if the project does not send the address.
  public var name: String { email ?? id }
}
