package import LarderStore

extension CredentialsFile {
  /// The account of a project that a clone uses, among those that this device has heard of; nil for the
  /// usual one.
  ///
  /// It is the one that the clone remembers. Clones of an older larder remember none, but who writes
  /// there is the user who signed in.
  package func account(of store: Store, project: String) throws -> String? {
    if let remembered = try store.cloudAccount { return remembered }
    guard let writer = try store.userID else { return nil }
    return try accounts(project).contains(writer) ? writer : nil
  }

  /// Lets a clone remember who is signed in.
  ///
  /// What was made in it before anybody was is theirs from now on; nil where there is no such thing.
  package func remember(_ user: String, in store: Store) throws -> Writing? {
    try store.setCloudAccount(user)
    let before = try store.userID
    guard let before, before != user else { return nil }
    var taken: Writing?
    if try !isAccount(before) { taken = try store.takeOver(from: before, to: user) }
    try store.setUserID(user)
    return taken
  }

  /// Whether an id is that of somebody who has signed in on this device, in whatever project.
  private func isAccount(_ id: String) throws(CredentialsError) -> Bool {
    for project in try projects() where try accounts(project).contains(id) { return true }
    return false
  }
}
