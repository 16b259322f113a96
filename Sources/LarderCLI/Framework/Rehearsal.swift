/// The option that shows what a command would change.
enum Rehearsal {
  static let option = Option(
    "dry-run", help: "tell what would change, and change nothing")
  /// The line before what would change.
  static let heading = "nothing is changed; without --dry-run it would be so:"
}

extension Command {
  /// The command with the option `--dry-run`.
  var withDryRun: Command {
    var command = self
    command.options.append(Rehearsal.option)
    return command
  }
}
