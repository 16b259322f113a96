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
    do {
      let url = invocation[url]
      let larder = try Larder.join(
        url, into: place(invocation.given(folder) ?? name(of: url), invocation),
        invocation.context())
      try InitCommand.report(larder, invocation.output)
      try InitCommand.makeOwn(larder, invocation)
    } catch {
      throw MessageWords().commandError(for: error)
    }
  }

  /// Returns the folder, relative to that of `-C`.
  private static func place(_ folder: String, _ invocation: Invocation) -> String {
    folder.hasPrefix("/") || invocation.directory == "."
      ? folder : "\(invocation.directory)/\(folder)"
  }

  /// Returns the last part of a URL without `.git`, as git names the folder of a clone.
  private static func name(of url: String) -> String {
    let parts = Larder.withoutSecrets(url).split { $0 == "/" || $0 == ":" }.map(String.init).filter
    {
      $0 != ".git"
    }
    let last = parts.last ?? "household"
    return last.hasSuffix(".git") ? String(last.dropLast(4)) : last
  }
}
