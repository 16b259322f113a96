import LarderKit

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
    let larder = try Larder.join(url, into: folder, invocation.context())
    try InitCommand.report(larder, try larder.read().household, invocation.output)
    try InitCommand.makeOwn(larder, invocation)
  }

  /// Returns the last part of a URL without `.git`, as git names the folder of a clone.
  private static func name(of url: String) -> String {
    let parts = Larder.withoutSecrets(url).split { $0 == "/" || $0 == ":" }
    let last = parts.last { $0 != ".git" }.map(String.init) ?? "household"
    return last.hasSuffix(".git") ? String(last.dropLast(4)) : last
  }
}
