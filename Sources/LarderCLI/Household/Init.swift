import LarderJSON
import LarderKit
import LarderModel

/// `larder init`: a new household.
enum InitCommand {
  static let folder = Argument(
    "DIR", .optional(standard: "."), values: .directory, help: "the household's folder")
  static let name = Option("name", value: "NAME", help: "the household's name")
  static let timeZone = Option(
    "time-zone", value: "ZONE", help: "the time zone of its days, such as Europe/London")
  static let currency = Option(
    "currency", value: "CODE", help: "the usual currency of receipts, such as EUR")

  static let hook = Option(
    "hook", help: "let larder adopt edits into each commit made with git (a pre-commit hook)")

  static let command = Command(
    "init", summary: "Start a household",
    discussion: """
      Creates household.json and a git repository for it, or uses an existing repository, and sets \
      this device up: its name, its user id, and how git merges and shows the files. Existing \
      files in the household's folders are adopted. In a folder that already has a household.json, \
      such as a copy of the sample, it takes no options and only creates the repository.
      """,
    group: "Household",
    examples: [
      Example("larder init home --name 'Ashgrove Road' --time-zone Europe/London"),
      Example("larder init", "in a folder that holds a household's files already"),
      Example("larder init --name Nest --time-zone Asia/Singapore --currency SGD"),
    ],
    arguments: [folder], options: [name, timeZone, currency, hook]
  ) { invocation in
    do {
      let larder = try begin(invocation)
      try report(larder, invocation.output)
      if invocation.has(hook) { try HookSetting.set(true, larder, invocation) }
    } catch {
      throw MessageWords().commandError(for: error)
    }
  }

  /// Creates a new household, or a repository for existing files of a household.
  private static func begin(_ invocation: Invocation) throws -> Larder {
    let folder = place(invocation)
    let options = [name, timeZone, currency]
    if options.allSatisfy({ invocation[$0] == nil }), Larder.hasHousehold(in: folder) {
      return try Larder.track(folder, invocation.context())
    }
    let (name, zone) = try needed(invocation)
    return try Larder.create(
      at: folder, name: name, timeZone: zone, currency: invocation[currency],
      invocation.context())
  }

  private static func needed(_ invocation: Invocation) throws -> (name: String, zone: String) {
    guard let name = invocation[name], !name.isEmpty, let zone = invocation[timeZone] else {
      let missing = [InitCommand.name, timeZone].filter { invocation[$0]?.isEmpty ?? true }
      throw UsageError(missing.map { .missingArgument($0.spelling) }, in: invocation.path)
    }
    return (name, zone)
  }

  /// Returns the folder, relative to that of `-C`.
  private static func place(_ invocation: Invocation) -> String {
    let folder = invocation[folder]
    return folder.hasPrefix("/") || invocation.directory == "."
      ? folder : "\(invocation.directory)/\(folder)"
  }

  static func report(_ larder: Larder, _ output: Output) throws {
    try report(larder, try larder.read().household, output)
  }

  static func report(_ larder: Larder, _ household: Household, _ output: Output) throws {
    if output.mode == .json {
      let keys = household.own.map { [$0.key] } ?? []
      output.changed(keys, in: household, [JSONMember("root", .string(larder.root))])
      return
    }
    output.line("\(household.own?.title ?? "the household") is in \(larder.root)")
    let count = household.entities.count - 1
    if count > 0 { output.line("it holds \(counted(count, "file")) besides household.json") }
    output.note(
      "this device is called \(try larder.device); 'larder config device NAME' changes it")
  }
}
