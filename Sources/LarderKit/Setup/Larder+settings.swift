internal import Foundation
public import LarderGit
internal import LarderModel
internal import LarderStore

/// The settings of this device, which are not committed.
extension Larder {
  /// The device's name in ledgers and commits.
  public var device: String {
    get throws(StoreError) { try store.device }
  }

  /// Whether another copy of the household, elsewhere, has written under the device's name.
  public var sharesDeviceName: Bool {
    get throws(StoreError) { try store.sharesDeviceName() }
  }

  /// Whether a text can be a device's name: one line, not empty, without `<` and `>`.
  public static func isDeviceName(_ name: String) -> Bool {
    !name.isEmpty && Signature.cleaned(name) == name
  }

  /// Sets the device's name; `context.device` takes precedence if it is set.
  public func setDevice(_ name: String) throws(StoreError) {
    try store.set("larder.device", name)
  }

  /// Returns a setting of git, such as `core.editor`, of this clone or of the user; nil if there is
  /// none.
  public func gitSetting(_ key: String) throws(StoreError) -> String? {
    isReadOnly
      ? try Self.gitSetting(ofUser: key)
      : try store.setting(key)
  }

  /// Returns one of the user's git settings for all their repositories; nil if there is none.
  public static func gitSetting(ofUser key: String) throws(StoreError) -> String? {
    try mapError(try SettingsFile.value(ofUser: key), StoreError.git)
  }

  /// The value of a setting that is yes or no.
  public func isOn(_ flag: DeviceFlag) throws(StoreError) -> Bool { try store.isOn(flag) }

  /// Changes a setting that is yes or no.
  public func set(_ flag: DeviceFlag, _ wanted: Bool) throws(StoreError) {
    try store.set(flag, wanted)
  }

  /// The value of a setting that is a number.
  public func value(of number: DeviceNumber) throws(StoreError) -> Int {
    try store.value(of: number)
  }

  /// Changes a setting that is a number in its range.
  public func set(_ number: DeviceNumber, _ value: Int) throws(StoreError) {
    try store.set(number, value)
  }

  /// Whether a bought thing that is new comes into the stock.
  public var newItems: NewItemsChoice {
    get throws(StoreError) {
      try store.setting("larder.newItems").flatMap(NewItemsChoice.init) ?? .ask
    }
  }

  /// Changes whether a bought thing that is new comes into the stock.
  public func setNewItems(_ choice: NewItemsChoice) throws(StoreError) {
    try store.set("larder.newItems", choice == .ask ? nil : choice.rawValue)
  }
}

/// Whether a bought thing that is new comes into the stock, by the setting of this device.
public enum NewItemsChoice: String, Sendable, CaseIterable {
  /// The user says it for each receipt; where nobody can be asked, it stays on the receipt only.
  case ask
  case always, never
}

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
  ) async throws -> Larder {
    do throws(StoreError) {
      return try await open(from: folder, context)
    } catch {
      guard case .notAHousehold = error,
        let other = try context.environment["LARDER_HOUSEHOLD"] ?? context.userSettings?.household()
      else { throw error }
      return try await open(from: other, context)
    }
  }
}

/// The defaults for the name, the time zone and the currency of a new household.
public struct HouseholdDefaults: Sendable {
  /// The name of its folder.
  public let name: String
  /// The time zone of this device.
  public let timeZone: String
  /// The currency of this device's region; nil if no region is set.
  public let currency: String?

  /// Creates the defaults of a household in a folder, which need not exist.
  public init(folder: String) {
    let last = URL(fileURLWithPath: folder).standardizedFileURL.lastPathComponent
    name = last.isEmpty || last == "/" ? "Home" : last
    let zone = TimeZone.current.identifier
    // Foundation calls a zone without a name GMT.
    timeZone = zone == "GMT" ? "UTC" : zone
    currency = Self.region?.currency?.identifier.uppercased()
  }

  /// Returns the name in the time zone database that a text is, or ends with a city that only one
  /// name has, such as `Berlin`.
  ///
  /// Throws `StoreError` with `badTimeZone` if there is none, or several.
  public static func timeZone(typed text: String) throws -> String {
    let same = Day.timeZones(named: text)
    if same.count == 1 { return same[0] }
    try Store.check(timeZone: text)
    return text
  }

  /// Throws `StoreError` with `badCurrency` unless a text has the form of a currency's code (ISO
  /// 4217).
  public static func check(currency text: String) throws { try Store.check(currency: text) }

  /// The region for money, from the system's settings or, on Linux, from the environment.
  private static var region: Locale? {
    #if canImport(Darwin)
      return Locale.current
    #else
      let variables = ProcessInfo.processInfo.environment
      let name = ["LC_ALL", "LC_MONETARY", "LANG"].compactMap { variables[$0] }.first {
        !$0.isEmpty
      }
      return name.map { Locale(identifier: String($0.prefix { $0 != "." && $0 != "@" })) }
    #endif
  }
}
