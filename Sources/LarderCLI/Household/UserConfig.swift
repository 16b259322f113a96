import LarderJSON
import LarderKit

/// `larder config --global`, and aliases: the settings of a user for all households.
enum UserConfig {
  static func run(_ invocation: Invocation, key: String?, _ value: String?) throws {
    do {
      guard let settings = try invocation.context().userSettings else {
        throw CommandError(.failed, "there is no home to keep settings in: HOME is not set")
      }
      let output = invocation.output
      switch key {
      case "household"?: try household(value, settings, invocation)
      case let key? where key.hasPrefix("alias."):
        try alias(String(key.dropFirst("alias.".count)), value, settings, invocation)
      default:
        guard key == nil else {
          throw invocation.unreadable(
            key ?? "", for: ConfigCommand.key.name, "household or alias.WORD is needed")
        }
        show("household", try settings.household(), output)
      }
    } catch {
      throw MessageWords().commandError(for: error)
    }
  }

  private static func household(
    _ value: String?, _ settings: UserSettings, _ invocation: Invocation
  ) throws {
    guard let value else {
      return show("household", try settings.household(), invocation.output)
    }
    guard !value.isEmpty else {
      try settings.setHousehold(nil)
      return told("household", "", "no household is used from anywhere", invocation.output)
    }
    let larder = try Larder.open(from: value, invocation.context())
    let root = larder.root
    try settings.setHousehold(root)
    told(
      "household", root, "\(root) is the household that is used from anywhere", invocation.output)
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
    told(
      "alias.\(name)", value,
      value.isEmpty ? "'larder \(name)' is gone" : "larder \(name) is now: larder \(value)",
      invocation.output)
  }

  static func show(_ key: String, _ value: String?, _ output: Output) {
    switch output.mode {
    case .json: output.json(value.map { [JSONMember(key, .string($0))] } ?? [])
    case .plain: output.records([(key, value ?? "")])
    case .human: output.line(value ?? "")
    }
  }

  static func told(_ key: String, _ value: String, _ sentence: String, _ output: Output) {
    switch output.mode {
    case .json: output.json([JSONMember("changed", .array([])), JSONMember(key, .string(value))])
    case .plain: output.records([(key, value)])
    case .human: output.line(sentence)
    }
  }
}
