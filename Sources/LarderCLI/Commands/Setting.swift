import LarderJSON
import LarderKit
import LarderModel

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What `config` shows and changes.
enum Setting: String, CaseIterable {
  case name
  case timeZone
  case currency
  case expiringWithinDays
  /// This device's alone, as is what follows.
  case device
  /// Whether git lets larder adopt edits into each commit.
  case hook
  /// Whether batches that are used up are archived.
  case archiveConsumed
  /// Whether nothing is sent to the cloud or asked from it.
  case localOnly
  /// Whether commands exchange with the cloud by themselves.
  case autoSync
  /// How often a request to the cloud is repeated, and how long to wait before the first time, at most.
  case cloudRetries, cloudRetryDelay

  /// The setting of this device that is yes or no; nil for another one.
  var flag: DeviceFlag? { DeviceFlag(rawValue: rawValue) }

  /// The setting of this device that is a number; nil for another one.
  var number: DeviceNumber? { DeviceNumber(rawValue: rawValue) }

  /// The value as household.json has it; nil removes it.
  func json(_ text: String, _ invocation: Invocation) throws -> JSON? {
    switch self {
    case .name, .device, .hook, .archiveConsumed, .localOnly, .autoSync, .cloudRetries,
      .cloudRetryDelay:
      guard !text.isEmpty else {
        throw invocation.unreadable(text, for: rawValue, "a text that is not empty is needed")
      }
      return .string(text)
    case .timeZone:
      guard TimeZone(identifier: text) != nil else { throw StoreError.badTimeZone(text) }
      return .string(text)
    case .currency:
      if text.isEmpty { return nil }
      let isCode = text.utf8.count == 3 && text.utf8.allSatisfy { (65...90).contains($0) }
      guard isCode else { throw StoreError.badCurrency(text) }
      return .string(text)
    case .expiringWithinDays:
      guard let days = Int(text), (0...36_500).contains(days) else {
        throw invocation.unreadable(
          text, for: rawValue, "a whole number of days from 0 to 36500 is needed")
      }
      return .number(String(days))
    }
  }
}
