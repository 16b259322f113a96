import LarderGit
import LarderJSON
import LarderKit
import LarderModel
import LarderStore

/// `larder config`: the household's settings, and this device's name.
enum ConfigCommand {
  static let key = Argument(
    "KEY", .optional(standard: nil), values: .oneOf(Setting.allCases.map(\.rawValue)),
    help: "the setting")
  static let value = Argument(
    "VALUE", .optional(standard: nil), help: "what it is to be; an empty text removes the currency")

  static let command = Command(
    "config", summary: "Show or change settings",
    discussion: """
      name, timeZone, currency and expiringWithinDays are the household's, in household.json: a \
      change is a commit that every device gets. device is this device's own name. hook, yes or no, \
      is whether git lets larder adopt edits into each commit that is made here with git (a \
      pre-commit hook); without it, the next larder command adopts them. archiveConsumed, yes or no, \
      is whether batches that are used up here are archived. localOnly, yes or no, is whether this \
      clone leaves its Supabase project alone. autoSync, yes or no, is whether commands exchange with \
      the project behind what they do, and ask it for what is not here. cloudRetries (4) is how often \
      a request to the project is repeated that failed for something passing, and cloudRetryDelay \
      (500) how many milliseconds at most are waited before the first time; each next wait may take \
      twice as long.
      """,
    group: "Household",
    examples: [
      Example("larder config"), Example("larder config currency EUR"),
      Example("larder config device kitchen-tablet"), Example("larder config hook yes"),
      Example("larder config archiveConsumed yes"),
    ],
    arguments: [key, value]
  ) { invocation in
    try invocation.withStore { store in
      let setting = invocation.given(key).flatMap(Setting.init)
      guard let setting, let text = invocation.given(value) else {
        return try show(setting.map { [$0] } ?? Setting.allCases, store, invocation)
      }
      if setting == .device { return try setDevice(text, store, invocation) }
      if setting == .hook {
        return try HookSetting.set(try isYes(text, setting, invocation), store, invocation)
      }
      if let own = OwnSwitch(setting) {
        let wanted = try isYes(text, setting, invocation)
        try own.set(wanted, in: store)
        return report(setting, wanted ? "yes" : "no", own.sentence(wanted), invocation.output)
      }
      if let own = OwnNumber(setting) {
        guard let number = Int(text), own.range.contains(number) else {
          throw invocation.unreadable(
            text, for: setting.rawValue,
            "a whole number from \(own.range.lowerBound) to \(own.range.upperBound) is needed")
        }
        try own.set(number, in: store)
        return report(setting, text, "\(setting.rawValue) is now \(number)", invocation.output)
      }
      try change(setting, try setting.json(text, invocation), store, invocation)
    }
  }

  private static func show(
    _ settings: [Setting], _ store: Store, _ invocation: Invocation
  ) throws {
    let own = try store.read().household.own
    let values = try settings.map { setting in
      (setting, try ownValue(of: setting, store) ?? own?[setting.rawValue])
    }
    let output = invocation.output
    switch output.mode {
    case .json:
      output.json(values.compactMap { value in value.1.map { JSONMember(value.0.rawValue, $0) } })
    case .plain:
      for (setting, value) in values { output.record([setting.rawValue, text(value)]) }
    case .human where invocation.given(key) != nil:
      for (_, value) in values { output.line(text(value)) }
    case .human:
      output.table(
        Table(
          columns: [.init("Setting"), .init("Value")],
          rows: values.map { [.init($0.0.rawValue), .init(text($0.1))] }))
    }
  }

  /// What is this device's alone; a household that can only be read has no place for it.
  private static func ownValue(of setting: Setting, _ store: Store) throws -> JSON? {
    guard store.repository != nil else { return nil }
    switch setting {
    case .device: return .string(try store.device)
    case .hook: return .string(try store.wantsHook ? "yes" : "no")
    case .cloudRetries, .cloudRetryDelay:
      return try OwnNumber(setting).map { .number(String(try $0.value(in: store))) }
    default:
      return try OwnSwitch(setting).map { .string(try $0.isOn(in: store) ? "yes" : "no") }
    }
  }

  private static func text(_ value: JSON?) -> String { value?.string ?? value?.number ?? "" }

  private static func setDevice(
    _ name: String, _ store: Store, _ invocation: Invocation
  ) throws {
    try invocation.checkDevice(name, for: "device")
    guard let repository = store.repository else {
      throw StoreError.notARepository(root: store.root)
    }
    try repository.setConfiguration("larder.device", name)
    let device = try store.device
    report(
      .device, device,
      device == name
        ? "this device is called \(name)"
        : "this device is called \(name) wherever LARDER_DEVICE is not set; here it says \(device)",
      invocation.output)
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

  /// Tells of a setting of this device, which no commit has.
  static func report(
    _ setting: Setting, _ value: String, _ sentence: String, _ output: Output
  ) {
    if output.mode == .json {
      output.json([
        JSONMember("changed", .array([])), JSONMember(setting.rawValue, .string(value)),
      ])
    } else {
      output.line(sentence)
    }
  }

  private static func change(
    _ setting: Setting, _ value: JSON?, _ store: Store, _ invocation: Invocation
  ) throws {
    let shown = value.map { text($0) } ?? "nothing"
    let writing = try store.write("config") { edit, writer in
      if let own = edit.after.own {
        edit.write([(setting.rawValue, value)], to: own.key, now: writer.now)
      }
      return value == nil ? "remove \(setting.rawValue)" : "set \(setting.rawValue) to \(shown)"
    }
    invocation.warn(about: writing.adoption, in: store, writing.household)
    invocation.report(
      writing, "\(setting.rawValue) is \(writing.changed.isEmpty ? "already" : "now") \(shown)")
  }
}

/// A setting of this clone that is a number.
private enum OwnNumber {
  case cloudRetries, cloudRetryDelay

  init?(_ setting: Setting) {
    switch setting {
    case .cloudRetries: self = .cloudRetries
    case .cloudRetryDelay: self = .cloudRetryDelay
    default: return nil
    }
  }

  var range: ClosedRange<Int> {
    switch self {
    case .cloudRetries: 0...20
    case .cloudRetryDelay: 1...60_000
    }
  }

  func value(in store: Store) throws(StoreError) -> Int {
    switch self {
    case .cloudRetries: try store.cloudRetries
    case .cloudRetryDelay: try store.cloudRetryDelay
    }
  }

  func set(_ number: Int, in store: Store) throws(StoreError) {
    switch self {
    case .cloudRetries: try store.setCloudRetries(number)
    case .cloudRetryDelay: try store.setCloudRetryDelay(number)
    }
  }
}

/// A setting of this clone that is yes or no.
private enum OwnSwitch {
  case archiveConsumed, localOnly, autoSync

  init?(_ setting: Setting) {
    switch setting {
    case .archiveConsumed: self = .archiveConsumed
    case .localOnly: self = .localOnly
    case .autoSync: self = .autoSync
    default: return nil
    }
  }

  func isOn(in store: Store) throws(StoreError) -> Bool {
    switch self {
    case .archiveConsumed: try store.archivesConsumed
    case .localOnly: try store.isLocalOnly
    case .autoSync: try store.syncsByItself
    }
  }

  func set(_ wanted: Bool, in store: Store) throws(StoreError) {
    switch self {
    case .archiveConsumed: try store.setArchivesConsumed(wanted)
    case .localOnly: try store.setLocalOnly(wanted)
    case .autoSync: try store.setSyncsByItself(wanted)
    }
  }

  func sentence(_ wanted: Bool) -> String {
    switch self {
    case .archiveConsumed: "batches that are used up here are \(wanted ? "" : "not ")archived"
    case .localOnly: "this clone \(wanted ? "leaves the cloud alone" : "syncs with the cloud")"
    case .autoSync:
      "commands \(wanted ? "exchange with the cloud by themselves" : "leave the cloud to 'larder sync'")"
    }
  }
}
