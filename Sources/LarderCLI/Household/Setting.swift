import LarderJSON
import LarderKit
import LarderModel

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A setting that `config` shows and changes.
enum Setting: String, CaseIterable {
  case name
  case timeZone
  case currency
  case expiringWithinDays
  /// This device's name; this setting and all that follow are the device's own.
  case device
  /// Whether batches that are used up are archived.
  case archiveConsumed
  /// Whether nothing is sent to or fetched from the cloud.
  case localOnly
  /// Whether commands exchange with the cloud automatically.
  case autoSync
  /// Whether bought things that are new come into the stock: ask, always or never.
  case newItems
  /// The number of repetitions of a request to the cloud, and the longest wait before the first
  /// one.
  case cloudRetries, cloudRetryDelay

  /// The setting as a device setting that is yes or no; nil for other settings.
  var flag: DeviceFlag? { DeviceFlag(rawValue: rawValue) }

  /// The setting as a device setting that is a number; nil for other settings.
  var number: DeviceNumber? { DeviceNumber(rawValue: rawValue) }

  /// Returns the value for household.json; nil removes the setting.
  func json(_ text: String, _ invocation: Invocation) throws -> JSON? {
    switch self {
    case .name, .device, .archiveConsumed, .localOnly, .autoSync, .newItems, .cloudRetries,
      .cloudRetryDelay:
      guard !text.isEmpty else {
        throw invocation.unreadable(text, for: rawValue, "a text that is not empty is needed")
      }
      return .string(text)
    case .timeZone:
      guard Day.knows(timeZone: text) else { throw StoreError.badTimeZone(text) }
      return .string(text)
    case .currency:
      if text.isEmpty { return nil }
      let code = text.uppercased()
      let isCode = code.utf8.count == 3 && code.utf8.allSatisfy { (65...90).contains($0) }
      guard isCode else { throw StoreError.badCurrency(text) }
      return .string(code)
    case .expiringWithinDays:
      guard let days = Int(text), (0...36_500).contains(days) else {
        throw invocation.unreadable(
          text, for: rawValue, "a whole number of days from 0 to 36500 is needed")
      }
      return .number(String(days))
    }
  }
}
