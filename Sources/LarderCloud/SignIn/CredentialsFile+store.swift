package import LarderStore

extension CredentialsFile {
  /// Returns the account of a project that a clone uses, of those known on this device.
  ///
  /// Nil for the default account.
  ///
  /// It is the account stored in the clone. A clone of an older larder has none stored; there it is
  /// the user id with which the clone writes.
  package func account(of store: Store, project: String) throws -> String? {
    if let remembered = try store.cloudAccount { return remembered }
    guard let writer = try store.userID else { return nil }
    return try accounts(project).contains(writer) ? writer : nil
  }

  /// Stores the signed-in user in a clone.
  ///
  /// Entities from before anybody signed in become the user's. Returns that change, or nil if there
  /// are none.
  package func remember(_ user: String, in store: Store) throws -> Writing? {
    try store.setCloudAccount(user)
    let before = try store.userID
    guard let before, before != user else { return nil }
    var taken: Writing?
    if try !isAccount(before) { taken = try store.takeOver(from: before, to: user) }
    try store.setUserID(user)
    return taken
  }

  /// Whether an id is that of a user who has signed in on this device, in any project.
  private func isAccount(_ id: String) throws(CredentialsError) -> Bool {
    for project in try projects() where try accounts(project).contains(id) { return true }
    return false
  }
}
