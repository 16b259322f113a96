import LarderJSON
import LarderKit
import LarderModel

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
    "config", summary: "Show or change settings",
    discussion: """
      name, timeZone, currency and expiringWithinDays are the household's, in household.json: a \
      change is a commit that every device gets. All other settings are this device's own.

      device is its name. archiveConsumed (yes or no): batches that are used up here are archived. localOnly (yes or \
      no): this clone does not use its Supabase project. autoSync (yes or no): after each \
      change, commands sync in the background with git's remote and the project, and ask the project \
      for things that are not here; the next command and 'larder status' say if it failed. newItems (ask, always or never): whether \
      bought things that are new come into the stock; without a terminal, ask is never. cloudRetries \
      (4): how often a request to the project is repeated after a temporary failure. \
      cloudRetryDelay (500): the longest wait before the first repetition, in milliseconds; each \
      further wait may be twice as long.

      account.expenses, account.payment and account.CATEGORY name the accounts of 'larder export \
      hledger' on this device.

      With --global, household is the folder of the household that is used where no other one is near; \
      LARDER_HOUSEHOLD has precedence over it. alias.WORD is a word of your own for a command, as in \
      git; it can't replace a command, and it needs no --global. An empty value removes either.
      """,
    group: "Household",
    examples: [
      Example("larder config"), Example("larder config currency EUR"),
      Example("larder config device kitchen-tablet"),
      Example("larder config archiveConsumed yes"),
      Example("larder config account.cleaning expenses:household"),
      Example("larder config --global household ~/home"),
      Example(
        "larder config alias.milk 'use milk 1/4l'", "'larder milk' uses a quarter of a litre"),
    ],
    arguments: [key, value], options: [global], records: [Record.named.form()]
  ) { invocation in
    if invocation.has(global) || invocation.given(key)?.hasPrefix("alias.") ?? false {
      return try UserConfig.run(invocation, key: invocation.given(key), invocation.given(value))
    }
    if let word = invocation.given(key), word.hasPrefix(AccountConfig.prefix) {
      return try AccountConfig.run(invocation, word, invocation.given(value))
    }
    try invocation.withLarder { larder in
      if let word = invocation.given(key), Setting(rawValue: word) == nil {
        throw UsageError(
          [
            .notAmong(
              value: word, name: key.name, choices: Setting.allCases.map(\.rawValue),
              suggestions: suggestions(for: word, among: Setting.allCases.map(\.rawValue)))
          ], in: invocation.path)
      }
      let setting = invocation.given(key).flatMap(Setting.init)
      guard let setting, let text = invocation.given(value) else {
        return try show(setting.map { [$0] } ?? Setting.allCases, larder, invocation)
      }
      if setting == .device { return try setDevice(text, larder, invocation) }
      if setting == .newItems { return try setNewItems(text, larder, invocation) }
      if let flag = setting.flag {
        let wanted = try isYes(text, setting, invocation)
        try larder.set(flag, wanted)
        return report(setting, wanted ? "yes" : "no", flag.sentence(wanted), invocation.output)
      }
      if let number = setting.number {
        guard let value = Int(text), number.range.contains(value) else {
          throw invocation.unreadable(
            text, for: setting.rawValue,
            "a whole number from \(number.range.lowerBound) to \(number.range.upperBound) is needed"
          )
        }
        try larder.set(number, value)
        return report(setting, text, "\(setting.rawValue) is now \(value)", invocation.output)
      }
      try change(setting, try setting.json(text, invocation), larder, invocation)
    }
  }

  private static func show(
    _ settings: [Setting], _ larder: Larder, _ invocation: Invocation
  ) throws {
    let own = try larder.read().household.own
    let values = try settings.map { setting in
      (setting, try ownValue(of: setting, larder) ?? own?[FieldName(setting.rawValue)])
    }
    let output = invocation.output
    switch output.mode {
    case .json:
      output.json(values.compactMap { value in value.1.map { JSONMember(value.0.rawValue, $0) } })
    case .plain:
      output.records(values.map { ($0.0.rawValue, text($0.1)) })
    case .human where invocation.given(key) != nil:
      for (_, value) in values { output.line(text(value)) }
    case .human:
      output.table(
        Table(
          columns: [.init("Setting"), .init("Value")],
          rows: values.map { [.init($0.0.rawValue), .init(text($0.1))] }))
    }
  }

  /// Returns a setting of this device; nil for other settings, and for a read-only household, which
  /// has none.
  private static func ownValue(of setting: Setting, _ larder: Larder) throws -> JSON? {
    guard !larder.isReadOnly else { return nil }
    if let flag = setting.flag { return .string(try larder.isOn(flag) ? "yes" : "no") }
    if let number = setting.number { return .number(String(try larder.value(of: number))) }
    switch setting {
    case .device: return .string(try larder.device)
    case .newItems: return .string(try larder.newItems.rawValue)
    case .name, .timeZone, .currency, .expiringWithinDays, .archiveConsumed, .localOnly,
      .autoSync, .cloudRetries, .cloudRetryDelay:
      return nil
    }
  }

  private static func text(_ value: JSON?) -> String { value?.string ?? value?.number ?? "" }

  private static func setDevice(
    _ name: String, _ larder: Larder, _ invocation: Invocation
  ) throws {
    try invocation.checkDevice(name, for: "device")
    try larder.setDevice(name)
    let device = try larder.device
    report(
      .device, device,
      device == name
        ? "this device is called \(name)"
        : "this device is called \(name); LARDER_DEVICE overrides that here with \(device)",
      invocation.output)
  }

  private static func setNewItems(
    _ text: String, _ larder: Larder, _ invocation: Invocation
  ) throws {
    guard let choice = NewItemsChoice(rawValue: text.lowercased()) else {
      throw invocation.unreadable(text, for: "newItems", "ask, always or never is needed")
    }
    try larder.setNewItems(choice)
    report(.newItems, choice.rawValue, choice.sentence, invocation.output)
  }

  private static func isYes(
    _ text: String, _ setting: Setting, _ invocation: Invocation
  ) throws -> Bool {
    switch text.lowercased() {
    case "yes", "on", "true": return true
    case "no", "off", "false": return false
    default: throw invocation.unreadable(text, for: setting.rawValue, "yes or no is needed")
    }
  }

  /// Reports a setting of this device, which is not part of any commit.
  static func report(
    _ setting: Setting, _ value: String, _ sentence: String, _ output: Output
  ) {
    switch output.mode {
    case .json:
      output.json([
        JSONMember("changed", .array([])), JSONMember(setting.rawValue, .string(value)),
      ])
    case .plain: output.records([(setting.rawValue, value)])
    case .human: output.line(sentence)
    }
  }

  private static func change(
    _ setting: Setting, _ value: JSON?, _ larder: Larder, _ invocation: Invocation
  ) throws {
    let shown = value.map { text($0) } ?? "nothing"
    let writing = try larder.commit("config \(setting.rawValue): \(shown)") { change in
      guard let own = change.edit.after.own else { return }
      change.edit.write([(FieldName(setting.rawValue), value)], to: own.key, now: change.writer.now)
    }.outcome.writing
    if invocation.output.mode == .plain {
      return invocation.output.records([(setting.rawValue, text(value))])
    }
    invocation.report(
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
