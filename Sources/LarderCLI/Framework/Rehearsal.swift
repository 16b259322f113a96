/// The option that shows what a command would change.
enum Rehearsal {
  static let option = Option(
    "dry-run", help: "tell what would change, and change nothing")
  /// The line above the changes that would be made.
  static let heading = "nothing is changed; without --dry-run it would be so:"
}

extension Command {
  /// A copy of a command that changes the household, with `--dry-run` and records of its changes.
  var withDryRun: Command {
    var command = self
    command.options.append(Rehearsal.option)
    command.records = [ChangedEntity.record.form()]
    return command
  }
}
