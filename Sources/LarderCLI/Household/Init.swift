import LarderKit

/// `larder init`: a new household.
enum InitCommand {
  static let folder = Argument(
    "DIR", .optional(standard: "."), values: .directory, help: "the household's folder")
  static let name = Option(
    "name", value: "NAME", help: "the household's name; that of the folder if left out")
  static let timeZone = Option(
    "time-zone", value: "ZONE",
    help: "the time zone of its days, such as Europe/London; this device's if left out")
  static let currency = Option(
    "currency", value: "CODE",
    help: "the usual currency of receipts, such as EUR; that of this device's region if left out")

  private static let remote = Option(
    "remote", value: "URL", help: "a git repository to sync with, by its URL or path")
  private static let sample = Option(
    "sample",
    help: "in a copy of the sample household: move its days by whole days, to the present")

  /// The record of a household that was created or joined here.
  static let record = Column<(name: String, root: String)>.records(
    ("name", { $0.name }), ("root", { $0.root }))

  static let command = Command(
    "init", group: "Household", arguments: [folder],
    options: [name, timeZone, currency, remote, sample], records: [record.form()]
  ) { invocation in
    let larder = try await begin(invocation)
    try await report(larder, try larder.read().household, invocation.output)
    if let around = larder.householdAround {
      invocation.output.note(
        "\(safePath(around)) around it is a household too; in this folder, 'larder' means the new one"
      )
    }
    try makeOwn(larder, invocation)
    try await addRemote(to: larder, invocation)
  }

  /// Creates a new household, or a repository for existing files of a household.
  private static func begin(_ invocation: Invocation) async throws -> Larder {
    let folder = invocation.place(of: invocation[folder])
    let options = [name, timeZone, currency]
    let isPlain = options.allSatisfy { invocation[$0] == nil }
    if invocation.has(sample) {
      guard isPlain else {
        throw ErrorWords(
          .usage, "a copy of the sample has its name, time zone and currency already")
      }
      return try await Larder.track(folder, isSample: true, invocation.context())
    }
    if isPlain, Larder.hasHousehold(in: folder) {
      return try await Larder.track(folder, invocation.context())
    }
    let standard = HouseholdDefaults(folder: folder)
    let name = try wanted(name, standard.name, "name", invocation)
    let typed = try wanted(timeZone, standard.timeZone, "time zone", invocation) {
      _ = try HouseholdDefaults.timeZone(typed: $0)
    }
    let zone = try HouseholdDefaults.timeZone(typed: typed)
    if zone != typed { invocation.output.note("the time zone is \(zone)") }
    let currency = try wanted(currency, standard.currency ?? "", "currency", invocation) {
      try HouseholdDefaults.check(currency: Self.code($0))
    }
    return try await Larder.create(
      at: folder, name: name, timeZone: zone,
      currency: currency.isEmpty ? nil : Self.code(currency), invocation.context())
  }

  /// Returns a currency's code in capitals; any other text stays as it was typed.
  private static func code(_ text: String) -> String {
    text.utf8.count == 3 ? text.uppercased() : text
  }

  /// Adds the remote from the option or, on a terminal, from the user's answer.
  private static func addRemote(to larder: isolated Larder, _ invocation: Invocation) throws {
    guard try larder.remotes.isEmpty else { return }
    let url = try wanted(
      remote, "", "git remote to sync with, by its URL or path", invocation, isAbout: "a")
    if url.isEmpty {
      invocation.output.note(
        "'larder git -- remote add origin URL' names a place to sync with, when you have one")
    } else {
      try larder.addRemote(url: url)
      invocation.output.note("'larder sync' sends it to \(url)")
    }
  }

  /// Makes a user's first household the one that is found from any folder.
  static func makeOwn(_ larder: Larder, _ invocation: Invocation) throws {
    guard let settings = larder.context.userSettings, try settings.household() == nil else {
      return
    }
    try settings.setHousehold(larder.root)
    invocation.output.note(
      "'larder' finds it from any folder; 'larder config --global household DIR' names another one")
  }

  /// Returns an option's value; otherwise, on a terminal, the user's answer; otherwise the default.
  ///
  /// It asks again if `check` throws.
  private static func wanted(
    _ option: Option, _ standard: String, _ noun: String, _ invocation: Invocation,
    isAbout article: String = "the household's", _ check: (String) throws -> Void = { _ in }
  ) throws -> String {
    if let value = invocation[option] { return value }
    let shown = standard.isEmpty ? "none" : standard
    while !invocation.has(GlobalOption.yes),
      let answer = invocation.prompt.line("\(article) \(noun) [\(shown)]:"),
      !answer.allSatisfy(\.isWhitespace)
    {
      do {
        try check(answer)
        return answer
      } catch {
        let error = MessageWords().errorWords(for: error)
        invocation.output.warn(([error.message] + error.hints).joined(separator: "; "))
      }
    }
    return standard
  }

  static func report(_ larder: isolated Larder, _ household: Household, _ output: Output) throws {
    if output.mode == .json {
      let keys = household.own.map { [$0.key] } ?? []
      return output.changed(keys, in: household, ["root": .string(larder.root)])
    }
    let name = household.own?.title
    if output.mode == .plain {
      output.records([(name ?? "", larder.root)], record)
    } else {
      output.line("\(name ?? "the household") is in \(larder.root)")
      let count = household.entities.count - 1
      if count > 0 { output.line("it holds \(counted(count, "file")) besides household.json") }
    }
    let device = try larder.device
    guard try larder.sharesDeviceName else {
      return output.note("this device is called \(device); 'larder config device NAME' changes it")
    }
    output.note("this device is called \(device), and so is another one of the household")
    output.hint(
      "'larder config device NAME' gives it a name of its own, by which the log tells them apart")
  }
}

/// `larder join`: brings an existing household to this device.
enum JoinCommand {
  static let url = Argument("URL", help: "the household's git repository: a URL or a path")
  static let folder = Argument(
    "DIR", .optional(standard: nil), values: .directory,
    help: "the new folder (named after the URL if left out)")

  static let command = Command(
    "join", group: "Household", arguments: [url, folder], records: [InitCommand.record.form()]
  ) { invocation in
    let url = invocation[url]
    let folder = invocation.place(of: invocation.given(folder) ?? name(of: url))
    let larder = try await Larder.join(url, into: folder, invocation.context())
    try await InitCommand.report(larder, try larder.read().household, invocation.output)
    try InitCommand.makeOwn(larder, invocation)
  }

  /// Returns the last part of a URL without `.git`, as git names the folder of a clone.
  private static func name(of url: String) -> String {
    let parts = Larder.withoutSecrets(url).split { $0 == "/" || $0 == ":" }
    let last = parts.last { $0 != ".git" }.map(String.init) ?? "household"
    return last.hasSuffix(".git") ? String(last.dropLast(4)) : last
  }
}
