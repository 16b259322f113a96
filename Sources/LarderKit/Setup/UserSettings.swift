internal import Foundation
public import LarderGit

/// A user's settings for all their households.
///
/// They are in `larder/config` of the user's configuration folder, in the format of git's
/// configuration.
public struct UserSettings: Sendable {
  /// The path of the file.
  public let path: String

  /// Creates the settings in `$XDG_CONFIG_HOME`, otherwise in `$HOME/.config`.
  ///
  /// Nil if neither is an absolute path.
  public init?(environment: [String: String]) {
    let homes = [environment["XDG_CONFIG_HOME"], environment["HOME"].map { $0 + "/.config" }]
    guard let home = homes.compactMap(\.self).first(where: { $0.hasPrefix("/") }) else {
      return nil
    }
    path = home + "/larder/config"
  }

  /// Returns the household to use if no other one is near.
  public func household() throws(GitError) -> String? {
    try SettingsFile.value(of: "larder.household", in: path)
  }

  /// Sets the household to use if no other one is near, by its absolute path; nil for none.
  public func setHousehold(_ root: String?) throws(GitError) {
    try set(root, of: "larder.household")
  }

  /// Returns the words of an alias; nil if there is none.
  public func alias(_ name: String) throws(GitError) -> String? {
    guard Self.isAliasName(name) else { return nil }
    return try SettingsFile.value(of: "alias.\(name)", in: path)
  }

  /// Sets an alias, as git has them; nil removes it.
  ///
  /// The name must fulfil ``isAliasName(_:)``.
  public func setAlias(_ name: String, _ words: String?) throws(GitError) {
    try set(words, of: "alias.\(name)")
  }

  /// Whether a word can be an alias: ASCII letters, digits and dashes, with a letter first.
  public static func isAliasName(_ name: String) -> Bool {
    let isPlain = name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
    return isPlain && name.first?.isLetter ?? false
  }

  private func set(_ value: String?, of key: String) throws(GitError) {
    let folder = String(path.dropLast("/config".count))
    // If the folder can't be created, writing the file reports the error.
    try? FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700])
    try SettingsFile.set(value, of: key, in: path)
  }
}

extension LarderContext {
  /// The settings of the user; nil without a home.
  public var userSettings: UserSettings? { UserSettings(environment: environment) }
}

extension Larder {
  /// Opens the household that contains a folder, otherwise the one that the user named.
  ///
  /// The user names one with `LARDER_HOUSEHOLD` in the context's environment, otherwise in
  /// ``UserSettings``. Throws `StoreError.notAHousehold` if there is none.
  public static func find(
    from folder: String, _ context: LarderContext = LarderContext()
  ) throws -> Larder {
    do throws(StoreError) {
      return try open(from: folder, context)
    } catch {
      guard case .notAHousehold = error,
        let other = try context.environment["LARDER_HOUSEHOLD"] ?? context.userSettings?.household()
      else { throw error }
      return try open(from: other, context)
    }
  }
}
