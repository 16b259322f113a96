internal import Foundation
internal import LarderModel
internal import LarderStore

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

  /// Throws `StoreError` with `badTimeZone` unless the text is a name in the time zone database.
  public static func check(timeZone text: String) throws { try Store.check(timeZone: text) }

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
