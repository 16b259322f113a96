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
}
