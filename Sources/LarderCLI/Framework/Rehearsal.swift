/// The option that shows what a command would change.
enum Rehearsal {
  static let option = Option(
    "dry-run", help: "tell what would change, and change nothing")
  /// The line before what would change.
  static let heading = "nothing is changed; without --dry-run it would be so:"
}

extension Command {
  /// The command, which changes the household, with the option `--dry-run` and the records of what
  /// it changed.
  var withDryRun: Command {
    var command = self
    command.options.append(Rehearsal.option)
    command.records = [ChangedEntity.record.form()]
    return command
  }
}
