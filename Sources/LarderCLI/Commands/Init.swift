import LarderJSON
import LarderModel
import LarderStore

/// `larder init`: a new household.
enum InitCommand {
  static let folder = Argument(
    "DIR", .optional(standard: "."), values: .directory, help: "where the household is to be")
  static let name = Option("name", value: "NAME", help: "what the household is called")
  static let timeZone = Option(
    "time-zone", value: "ZONE", help: "where its days begin and end, such as Europe/London")
  static let currency = Option(
    "currency", value: "CODE", help: "the usual currency of receipts, such as EUR")

  static let hook = Option(
    "hook", help: "let git adopt edits into each commit made with it (a pre-commit hook)")

  static let command = Command(
    "init", summary: "Start a household",
    discussion: """
      Makes household.json and a git repository around it, or uses the repository that is there, \
      and sets this device up: its name, its user id, and how git merges and shows the files. Files \
      that lie in the household's folders already are adopted. In a folder that has a household.json, \
      such as a copy of the sample, it takes no options and makes the repository alone.
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
      let store = try begin(invocation)
      try report(store, invocation.output)
      if invocation.has(hook) { try HookSetting.set(true, store, invocation) }
    } catch {
      throw Prose().commandError(for: error)
    }
  }

  /// A new household, or a repository for the one whose files lie there already.
  private static func begin(_ invocation: Invocation) throws -> Store {
    let folder = place(invocation)
    let program = OwnProgram.word(invocation.environment)
    let options = [name, timeZone, currency]
    if options.allSatisfy({ invocation[$0] == nil }), Store.hasHousehold(in: folder) {
      return try Store.track(folder, program: program, context: invocation.storeContext())
    }
    let (name, zone) = try needed(invocation)
    return try Store.create(
      at: folder, name: name, timeZone: zone, currency: invocation[currency], program: program,
      context: invocation.storeContext())
  }

  private static func needed(_ invocation: Invocation) throws -> (name: String, zone: String) {
    guard let name = invocation[name], !name.isEmpty, let zone = invocation[timeZone] else {
      let missing = [InitCommand.name, timeZone].filter { invocation[$0]?.isEmpty ?? true }
      throw UsageError(missing.map { .missingArgument($0.spelling) }, in: invocation.path)
    }
    return (name, zone)
  }

  /// The folder from where `-C` points to.
  private static func place(_ invocation: Invocation) -> String {
    let folder = invocation[folder]
    return folder.hasPrefix("/") || invocation.directory == "."
      ? folder : "\(invocation.directory)/\(folder)"
  }

  static func report(_ store: Store, _ output: Output) throws {
    try report(store, try store.read().household, output)
  }

  static func report(_ store: Store, _ household: Household, _ output: Output) throws {
    if output.mode == .json {
      let keys = household.own.map { [$0.key] } ?? []
      output.changed(keys, in: household, [JSONMember("root", .string(store.root))])
      return
    }
    output.line("\(household.own?.title ?? "the household") is in \(store.root)")
    let count = household.entities.count - 1
    if count > 0 { output.line("it holds \(counted(count, "file")) besides household.json") }
    output.note("this device is called \(try store.device); 'larder config device NAME' changes it")
  }
}
