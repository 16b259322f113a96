/// A setting of this device that is yes or no.
public enum DeviceFlag: String, Sendable, CaseIterable {
  /// Whether batches that are used up on this device are archived.
  case archiveConsumed
  /// Whether nothing is sent to or fetched from the project.
  case localOnly
  /// Whether commands sync in the background after each change.
  case autoSync
}

/// A setting of this device that is a number.
public enum DeviceNumber: String, Sendable, CaseIterable {
  /// The number of times that a request to the project is repeated after a temporary failure.
  case cloudRetries
  /// The longest wait before the first repetition, in milliseconds.
  case cloudRetryDelay

  /// The allowed numbers.
  public var range: ClosedRange<Int> { self == .cloudRetries ? 0...20 : 1...60_000 }

  fileprivate var standard: Int { self == .cloudRetries ? 4 : 500 }
}

extension Store {
  /// The value of a setting that is yes or no; no if nobody set it.
  package func isOn(_ flag: DeviceFlag) throws(StoreError) -> Bool {
    try setting("larder.\(flag.rawValue)") == "true"
  }

  package func set(_ flag: DeviceFlag, _ wanted: Bool) throws(StoreError) {
    try set("larder.\(flag.rawValue)", wanted ? "true" : nil)
  }

  /// The value of a setting that is a number.
  package func value(of number: DeviceNumber) throws(StoreError) -> Int {
    try setting("larder.\(number.rawValue)").flatMap { Int($0) } ?? number.standard
  }

  package func set(_ number: DeviceNumber, _ value: Int) throws(StoreError) {
    try set("larder.\(number.rawValue)", String(value))
  }
}
