import Foundation

/// The command that writes the manual pages, for the installation.
enum ManualCommand {
  private static let folder = Argument(
    "DIR", values: .directory, help: "the folder, which must exist")

  /// Returns the command, which knows the version and its day.
  static func make(version: String, day: String) -> Command {
    Command(
      "manual", summary: "Write a manual page for every command", arguments: [folder],
      isHidden: true
    ) { invocation in
      let nodes = invocation.root.nodes()
      for node in nodes {
        let page = ManualPage(node: node, version: version, day: day, others: nodes)
        let path = "\(invocation[folder])/\(page.name).1"
        do {
          try Data(page.text.utf8).write(to: URL(fileURLWithPath: path))
        } catch {
          throw CommandError(.failed, "can't write \(path): \(error.localizedDescription)")
        }
      }
      invocation.output.line("\(nodes.count) pages are in \(invocation[folder])")
    }
  }
}
