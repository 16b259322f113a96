public import LarderModel
package import LarderStore
internal import Libc

/// The file with the credentials of all of a user's projects.
///
/// Only that user can read it.
///
/// It is JSON: `projects` has an object for each project's address, with the key, the accounts in
/// `users`, and in `user` the default account, for clones that store none. Unknown keys are kept. A
/// file that others can read is refused, as ssh does with its keys: changing its permissions would
/// hide that somebody may have the tokens. A symbolic link is refused too, because the tokens would
/// then be among files that people share.
public struct CredentialsFile: Sendable {
  public let path: String
  private let folder: String

  /// The file in the folder `larder` of the user's configuration folder: `$XDG_CONFIG_HOME` if it
  /// is an absolute path, otherwise `$HOME/.config` (XDG Base Directory Specification).
  public init(environment: [String: String]) throws(CredentialsError) {
    if let home = environment["XDG_CONFIG_HOME"], home.hasPrefix("/") {
      self.init(folder: home + "/larder")
    } else if let home = environment["HOME"], home.hasPrefix("/") {
      self.init(folder: home + "/.config/larder")
    } else {
      throw .noHome
    }
  }

  /// The file in a folder.
  public init(folder: String) {
    self.folder = folder
    path = folder + "/credentials.json"
  }

  /// Returns the credentials of a project, by its address, and an account.
  ///
  /// Nil if the project is unknown.
  ///
  /// Without an account, it is the default one. For an unknown account, nobody is signed in.
  public func read(_ project: String, account: String? = nil) throws(CredentialsError)
    -> Credentials?
  {
    guard let (root, bytes) = try content() else { return nil }
    return try decode(project, root, bytes)?.credentials(of: account)
  }

  /// Returns the accounts of a project known on this device, sorted.
  public func accounts(_ project: String) throws(CredentialsError) -> [String] {
    guard let (root, bytes) = try content() else { return [] }
    return try decode(project, root, bytes)?.accounts.keys.sorted() ?? []
  }

  /// Returns the addresses of all projects, sorted.
  public func projects() throws(CredentialsError) -> [String] {
    try content()?.root["projects"]?.members?.map(\.key).sorted() ?? []
  }

  /// Changes the credentials of a project and an account.
  ///
  /// They are on the disk when this returns.
  ///
  /// Setting nil removes the account, and the project with its last account. The caller must hold
  /// the lock.
  func change(
    _ project: String, account: String?, _ lock: borrowing CredentialsLock,
    _ change: (inout Credentials?) -> Void
  ) throws(CredentialsError) {
    let (root, bytes) = try content() ?? (.object([]), [])
    let old = try decode(project, root, bytes)
    let before = old?.credentials(of: account)
    var after = before
    change(&after)
    if after == before { return }
    var projects = root["projects"] ?? .object([])
    let new = (old ?? KnownProject()).changed(account, to: after)
    projects[member: project] = new.map { $0.json(over: projects[project]) }
    var result = root
    result[member: "projects"] = projects
    do throws(StoreError) {
      try SystemFile.replace(path, with: result.writeFile(), rights: 0o600)
      try SystemFile.synchronizeFolder(folder)
    } catch {
      throw CredentialsError(error, path)
    }
  }

  /// Creates the folder if necessary, and waits for other processes that change the credentials.
  func lock(patience: Duration) async throws(CredentialsError) -> CredentialsLock {
    try makeFolder(folder)
    try checkFolder()
    return try await CredentialsLock(folder + "/credentials.lock", patience: patience)
  }

  /// Returns the JSON root and its bytes; nil if there is no file.
  private func content() throws(CredentialsError) -> (root: JSON, bytes: [UInt8])? {
    var status = stat()
    guard lstat(path, &status) == 0 else {
      if errno == ENOENT { return nil }
      throw .system(action: "read", path: path, code: errno)
    }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .notAFile(path: path) }
    guard status.st_uid == geteuid() else { throw .foreign(path: path) }
    guard status.st_mode & 0o077 == 0 else {
      throw .exposed(path: path, mode: UInt32(status.st_mode & 0o777))
    }
    try checkFolder()
    let bytes: [UInt8]
    do throws(StoreError) {
      bytes = try SystemFile.read(path)
    } catch {
      throw CredentialsError(error, path)
    }
    let root: JSON
    do {
      root = try JSON(parsing: bytes)
    } catch {
      throw .unreadable(path: path, error.position)
    }
    guard root.members != nil else { throw malformed([], "", bytes) }
    return (root, bytes)
  }

  /// Throws if others can write into the folder: they could replace the file.
  private func checkFolder() throws(CredentialsError) {
    var status = stat()
    guard stat(folder, &status) == 0 else {
      throw .system(action: "read", path: folder, code: errno)
    }
    guard status.st_uid == geteuid() else { throw .foreign(path: folder) }
    guard status.st_mode & 0o022 == 0 else {
      throw .exposed(path: folder, mode: UInt32(status.st_mode & 0o777))
    }
  }

  private func makeFolder(_ path: String) throws(CredentialsError) {
    if mkdir(path, 0o700) == 0 || errno == EEXIST { return }
    let code = errno
    guard code == ENOENT, let slash = path.lastIndex(of: "/"), slash != path.startIndex else {
      throw .system(action: "make the folder", path: path, code: code)
    }
    try makeFolder(String(path[..<slash]))
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else {
      throw .system(action: "make the folder", path: path, code: errno)
    }
  }
}

extension CredentialsFile {
  private func decode(_ project: String, _ root: JSON, _ bytes: [UInt8])
    throws(CredentialsError) -> KnownProject?
  {
    guard let projects = root["projects"] else { return nil }
    guard projects.members != nil else { throw malformed([], "projects", bytes) }
    guard let entry = projects[project] else { return nil }
    let place: [JSONStep] = [.key("projects"), .key(project)]
    guard entry.members != nil else { throw malformed([.key("projects")], project, bytes) }
    guard let key = try text("anonKey", entry, place, bytes) else {
      throw malformed(place, "anonKey", bytes)
    }
    var known = KnownProject(anonKey: Secret(key), usual: try text("user", entry, place, bytes))
    // An older larder stored a single account here.
    let one = try account(entry, entry["userId"], place, bytes)
    if let name = one.userID ?? one.email {
      known.accounts[name] = one
      known.usual = known.usual ?? name
    }
    if let users = entry["users"] {
      guard let members = users.members else { throw malformed(place, "users", bytes) }
      for user in members {
        guard user.value.members != nil else {
          throw malformed(place + [.key("users")], user.key, bytes)
        }
        known.accounts[user.key] = try account(
          user.value, .string(user.key), place + [.key("users"), .key(user.key)], bytes)
      }
    }
    return known
  }

  private func account(_ entry: JSON, _ id: JSON?, _ place: [JSONStep], _ bytes: [UInt8])
    throws(CredentialsError) -> KnownProject.Account
  {
    var account = KnownProject.Account(
      userID: id?.string, email: try text("email", entry, place, bytes))
    if let access = try text("accessToken", entry, place, bytes),
      let refresh = try text("refreshToken", entry, place, bytes)
    {
      guard let expires = try text("expiresAt", entry, place, bytes).flatMap(Instant.init) else {
        throw malformed(place, "expiresAt", bytes)
      }
      account.tokens = .init(access: Secret(access), refresh: Secret(refresh), expires: expires)
    }
    return account
  }

  private func text(_ key: String, _ entry: JSON, _ place: [JSONStep], _ bytes: [UInt8])
    throws(CredentialsError) -> String?
  {
    guard let value = entry[key], value != .null else { return nil }
    guard let text = value.string else { throw malformed(place, key, bytes) }
    return text
  }

  private func malformed(_ place: [JSONStep], _ key: String, _ bytes: [UInt8]) -> CredentialsError {
    let position =
      JSON.position(of: place + [.key(key)], in: bytes)
      ?? TextPosition(line: 1, column: 1, offset: 0)
    return .malformed(path: path, position, key: key)
  }
}

extension CredentialsError {
  init(_ error: StoreError, _ path: String) {
    guard case .system(let action, let path, let code) = error else {
      self = .notAFile(path: path)
      return
    }
    self = .system(action: action, path: path, code: code)
  }
}

/// The reason why the credentials could not be read or stored; nothing was written.
public enum CredentialsError: Error, Sendable {
  /// Neither `XDG_CONFIG_HOME` nor `HOME` is set.
  case noHome
  /// The file is not JSON as Larder reads it, from this position on.
  ///
  /// The text there may be a token, so it is not included.
  case unreadable(path: String, TextPosition)
  /// The file is JSON, but not credentials: this key has no value of its type.
  case malformed(path: String, TextPosition, key: String)
  /// Others can read the file or change the folder.
  ///
  /// The lowest nine bits of `mode` are the permissions.
  case exposed(path: String, mode: UInt32)
  /// The file or folder belongs to another user.
  case foreign(path: String)
  /// The file is a symbolic link, or not an ordinary file.
  case notAFile(path: String)
  /// Another process held the lock for this time.
  case locked(path: String, milliseconds: Int64)
  /// A system call failed, with its error number.
  case system(action: String, path: String, code: Int32)
}

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

/// The lock for changing the credentials, across processes.
///
/// The system releases it when the process ends.
struct CredentialsLock: ~Copyable, Sendable {
  private let descriptor: Int32

  /// Takes the lock, waiting without blocking a thread.
  init(_ path: String, patience: Duration) async throws(CredentialsError) {
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw .system(action: "lock", path: path, code: errno) }
    let began = ContinuousClock.now
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      let code = errno
      let isOver = ContinuousClock.now - began >= patience
      guard code == EWOULDBLOCK || code == EINTR, !isOver else {
        close(descriptor)
        if isOver { throw .locked(path: path, milliseconds: patience.milliseconds) }
        throw .system(action: "lock", path: path, code: code)
      }
      // In its own task: in a cancelled task, sleeping returns at once.
      await Task { try? await Task.sleep(for: .milliseconds(Int.random(in: 5...25))) }.value
    }
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }
}

extension Duration {
  /// The duration in whole milliseconds, clamped to the range of `Int64`.
  var milliseconds: Int64 {
    let (seconds, attoseconds) = components
    let (product, overflow) = seconds.multipliedReportingOverflow(by: 1000)
    return overflow ? .max : product &+ attoseconds / 1_000_000_000_000_000
  }
}
