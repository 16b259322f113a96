internal import LarderGit
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
    try store.git { repository throws(GitError) in
      try repository.setConfiguration("larder.device", name)
    }
  }

  /// Returns a setting of git, such as `core.editor`, of this clone or of the user; nil if there is
  /// none.
  public func gitSetting(_ key: String) throws(StoreError) -> String? {
    isReadOnly
      ? try Self.gitSetting(ofUser: key)
      : try store.git { repository throws(GitError) in
        try repository.configuration(key)
      }
  }

  /// Returns one of the user's git settings for all their repositories; nil if there is none.
  public static func gitSetting(ofUser key: String) throws(StoreError) -> String? {
    do {
      return try SettingsFile.value(ofUser: key)
    } catch {
      throw .git(error)
    }
  }

  /// The value of a setting that is yes or no.
  public func isOn(_ flag: DeviceFlag) throws(StoreError) -> Bool {
    switch flag {
    case .archiveConsumed: try store.archivesConsumed
    case .localOnly: try store.isLocalOnly
    case .autoSync: try store.syncsByItself
    }
  }

  /// Changes a setting that is yes or no.
  public func set(_ flag: DeviceFlag, _ wanted: Bool) throws(StoreError) {
    switch flag {
    case .archiveConsumed: try store.setArchivesConsumed(wanted)
    case .localOnly: try store.setLocalOnly(wanted)
    case .autoSync: try store.setSyncsByItself(wanted)
    }
  }

  /// Whether a bought thing that is new comes into the stock.
  public var newItems: NewItemsChoice {
    get throws(StoreError) { try store.newItems.flatMap(NewItemsChoice.init) ?? .ask }
  }

  /// Changes whether a bought thing that is new comes into the stock.
  public func setNewItems(_ choice: NewItemsChoice) throws(StoreError) {
    try store.setNewItems(choice == .ask ? nil : choice.rawValue)
  }

  /// The value of a setting that is a number.
  public func value(of number: DeviceNumber) throws(StoreError) -> Int {
    switch number {
    case .cloudRetries: try store.cloudRetries
    case .cloudRetryDelay: try store.cloudRetryDelay
    }
  }

  /// Changes a setting that is a number in its range.
  public func set(_ number: DeviceNumber, _ value: Int) throws(StoreError) {
    switch number {
    case .cloudRetries: try store.setCloudRetries(value)
    case .cloudRetryDelay: try store.setCloudRetryDelay(value)
    }
  }
}

/// Whether a bought thing that is new comes into the stock, by the setting of this device.
public enum NewItemsChoice: String, Sendable, CaseIterable {
  /// The user says it for each receipt; where nobody can be asked, it stays on the receipt only.
  case ask
  case always, never
}

/// A setting of this device that is yes or no.
public enum DeviceFlag: String, Sendable, CaseIterable {
  /// Whether batches that are used up on this device are archived.
  case archiveConsumed
  /// Whether nothing is sent to or fetched from the project.
  case localOnly
  /// Whether commands exchange with the project automatically.
  case autoSync
}

/// A setting of this device that is a number.
public enum DeviceNumber: String, Sendable, CaseIterable {
  /// The number of times that a request to the project is repeated after a temporary failure.
  case cloudRetries
  /// The longest wait before the first repetition, in milliseconds.
  case cloudRetryDelay

  /// The allowed numbers.
  public var range: ClosedRange<Int> {
    switch self {
    case .cloudRetries: 0...20
    case .cloudRetryDelay: 1...60_000
    }
  }
}
