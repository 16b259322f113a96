import LarderKit
#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// `larder config`: the household's settings, and this device's name.
enum ConfigCommand {
  static let key = Argument(
    "KEY", .optional(standard: nil), values: .suggested(Setting.allCases.map(\.rawValue)),
    help: "the setting, account.NAME or alias.WORD")
  private static let global = Option(
    "global", help: "a setting of yours for all households: household, or alias.WORD")
  static let value = Argument(
    "VALUE", .optional(standard: nil), help: "the new value; an empty text removes the currency")

  static let command = Command(
    "config", group: "Household", arguments: [key, value], options: [global],
    records: [Column.named.form()]
  ) { invocation in
    if invocation.has(global) || invocation.given(key)?.hasPrefix("alias.") ?? false {
      return try await UserConfig.run(
        invocation, key: invocation.given(key), invocation.given(value))
    }
    if let word = invocation.given(key), word.hasPrefix(AccountConfig.prefix) {
      return try await AccountConfig.run(invocation, word, invocation.given(value))
    }
    try await invocation.withLarder { larder in
      if let word = invocation.given(key), Setting(rawValue: word) == nil {
        throw invocation.usage(.notAmong(word, name: key.name, Setting.allCases.map(\.rawValue)))
      }
      let setting = invocation.given(key).flatMap(Setting.init)
      guard let setting, let text = invocation.given(value) else {
        return try show(setting.map { [$0] } ?? Setting.allCases, larder, invocation)
      }
      if let (value, sentence) = try setOwn(setting, text, larder, invocation) {
        return invocation.output.report(setting: setting.rawValue, value, sentence)
      }
      try change(setting, try setting.json(text, invocation), larder, invocation)
    }
  }

  private static func show(
    _ settings: [Setting], _ larder: isolated Larder, _ invocation: Invocation
  ) throws {
    let own = try larder.read().household.own
    let values = try settings.map { setting in
      (setting, try ownValue(of: setting, larder) ?? own?[FieldName(setting.rawValue)])
    }
    guard invocation.output.mode == .human, invocation.given(key) == nil else {
      return show(values.map { ($0.0.rawValue, $0.1) }, invocation.output)
    }
    invocation.output.table(
      Table(
        columns: [.init("Setting"), .init("Value")],
        rows: values.map { [.init($0.0.rawValue), .init(text($0.1))] }))
  }

  /// Prints the values of settings, for people without their names.
  static func show(_ values: [(name: String, value: JSON?)], _ output: Output) {
    switch output.mode {
    case .json:
      output.json(
        .object(values.compactMap { value in value.value.map { JSONMember(value.name, $0) } }))
    case .plain: output.records(values.map { ($0.name, text($0.value)) })
    case .human: for (_, value) in values { output.line(text(value)) }
    }
  }

  /// Returns a setting of this device; nil for other settings, and for a read-only household, which
  /// has none.
  private static func ownValue(of setting: Setting, _ larder: isolated Larder) throws -> JSON? {
    guard !larder.isReadOnly else { return nil }
    if let flag = setting.flag { return .string(try larder.isOn(flag) ? "yes" : "no") }
    if let number = setting.number { return .number(String(try larder.value(of: number))) }
    if setting == .device { return .string(try larder.device) }
    return setting == .newItems ? .string(try larder.newItems.rawValue) : nil
  }

  private static func text(_ value: JSON?) -> String { value?.string ?? value?.number ?? "" }

  /// Writes a setting of this device, and returns its value with a sentence; nil for a setting of
  /// the household.
  private static func setOwn(
    _ setting: Setting, _ text: String, _ larder: isolated Larder, _ invocation: Invocation
  ) throws -> (value: String, sentence: String)? {
    let name = setting.rawValue
    if let flag = setting.flag {
      guard let wanted = Answer.read(text) else {
        throw invocation.unreadable(text, for: name, "yes or no is needed")
      }
      try larder.set(flag, wanted)
      return (wanted ? "yes" : "no", flag.sentence(wanted))
    }
    if let number = setting.number {
      let value = try invocation.number(text, for: name, in: number.range)
      try larder.set(number, value)
      return (text, "\(name) is now \(value)")
    }
    if setting == .newItems {
      guard let choice = NewItemsChoice(rawValue: text.lowercased()) else {
        throw invocation.unreadable(text, for: name, "ask, always or never is needed")
      }
      try larder.setNewItems(choice)
      return (choice.rawValue, choice.sentence)
    }
    guard setting == .device else { return nil }
    try invocation.checkDevice(text, for: name)
    try larder.setDevice(text)
    let device = try larder.device
    let other = device == text ? "" : "; LARDER_DEVICE overrides that here with \(device)"
    return (device, "this device is called \(text)\(other)")
  }

  private static func change(
    _ setting: Setting, _ value: JSON?, _ larder: isolated Larder, _ invocation: Invocation
  ) throws {
    let shown = value.map { text($0) } ?? "nothing"
    let writing = try larder.commit("config \(setting.rawValue): \(shown)") { change in
      guard let own = change.edit.after.own else { return }
      change.edit.write([(FieldName(setting.rawValue), value)], to: own.key, now: change.writer.now)
    }.outcome.writing
    if invocation.output.mode == .plain {
      return invocation.output.records([(setting.rawValue, text(value))])
    }
    invocation.output.report(
      writing, "\(setting.rawValue) is \(writing.changed.isEmpty ? "already" : "now") \(shown)")
  }
}

extension NewItemsChoice {
  var sentence: String {
    switch self {
    case .ask: "bought things that are new come into the stock if you say so"
    case .always: "bought things that are new always come into the stock"
    case .never: "bought things that are new stay on the receipt only"
    }
  }
}

extension DeviceFlag {
  fileprivate func sentence(_ wanted: Bool) -> String {
    switch self {
    case .archiveConsumed: "batches that are used up here are \(wanted ? "" : "not ")archived"
    case .localOnly: "this clone \(wanted ? "leaves the cloud alone" : "syncs with the cloud")"
    case .autoSync:
      "commands \(wanted ? "sync in the background after each change" : "leave it to 'larder sync'")"
    }
  }
}

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
    case .timeZone:
      return .string(try HouseholdDefaults.timeZone(typed: text))
    case .currency:
      if text.isEmpty { return nil }
      let code = text.uppercased()
      let isCode = code.utf8.count == 3 && code.utf8.allSatisfy { (65...90).contains($0) }
      guard isCode else { throw StoreError.badCurrency(text) }
      return .string(code)
    case .expiringWithinDays:
      return .number(
        try invocation.number(
          text, for: rawValue, in: Invocation.daysAhead, "a whole number of days"))
    default:
      guard !text.isEmpty else {
        throw invocation.unreadable(text, for: rawValue, "a text that is not empty is needed")
      }
      return .string(text)
    }
  }
}

/// `larder config --global`, and aliases: the settings of a user for all households.
enum UserConfig {
  static func run(_ invocation: Invocation, key: String?, _ value: String?) async throws {
    guard let settings = try invocation.context().userSettings else {
      throw ErrorWords(.failed, "there is no home to keep settings in: HOME is not set")
    }
    switch key {
    case nil: show("household", try settings.household(), invocation.output)
    case "household"?: try await household(value, settings, invocation)
    case let key? where key.hasPrefix("alias."):
      try alias(String(key.dropFirst("alias.".count)), value, settings, invocation)
    case let key?:
      throw invocation.unreadable(
        key, for: ConfigCommand.key.name, "household or alias.WORD is needed")
    }
  }

  private static func household(
    _ value: String?, _ settings: UserSettings, _ invocation: Invocation
  ) async throws {
    guard let value else { return show("household", try settings.household(), invocation.output) }
    guard !value.isEmpty else {
      try settings.setHousehold(nil)
      return invocation.output.report(
        setting: "household", "", "no household is used from anywhere")
    }
    let root = try await Larder.open(from: value, invocation.context()).root
    try settings.setHousehold(root)
    invocation.output.report(
      setting: "household", root, "\(root) is the household that is used from anywhere")
  }

  private static func alias(
    _ name: String, _ value: String?, _ settings: UserSettings, _ invocation: Invocation
  ) throws {
    guard UserSettings.isAliasName(name), invocation.root.subcommand(name) == nil else {
      throw invocation.unreadable(
        "alias.\(name)", for: ConfigCommand.key.name,
        "a word of letters, digits and dashes is needed that is no command")
    }
    guard let value else {
      return show("alias.\(name)", try settings.alias(name), invocation.output)
    }
    guard Aliases.split(value) != nil else {
      throw invocation.unreadable(
        value, for: ConfigCommand.value.name, "each quote needs another one that closes it")
    }
    try settings.setAlias(name, value.isEmpty ? nil : value)
    invocation.output.report(
      setting: "alias.\(name)", value,
      value.isEmpty ? "'larder \(name)' is gone" : "larder \(name) is now: larder \(value)")
  }

  static func show(_ key: String, _ value: String?, _ output: Output) {
    ConfigCommand.show([(key, value.map { .string($0) })], output)
  }
}
