/// The options that every command understands, before or after its name.
enum GlobalOption {
  static let directory = Option(
    "directory", short: "C", value: "DIR", values: .directory,
    help: "work in the household at DIR instead of the current folder")
  static let json = Option("json", help: "print one JSON object")
  static let plain = Option("plain", help: "print tab-separated records, see 'larder help plain'")
  static let noColor = Option("no-color", help: "print without colours")
  static let noPager = Option(
    "no-pager", short: "P", help: "print long output without the pager, which is git's")
  static let noInput = Option("no-input", help: "never ask; fail if an answer is needed")
  static let yes = Option("yes", short: "y", help: "answer every question with yes")
  static let verbose = Option(
    "verbose",
    help: "say on standard error what each layer does; LARDER_LOG=git,http chooses layers")
  static let help = Option("help", short: "h", help: "show help for the command")
  static let version = Option("version", short: "V", help: "show the version")

  /// All global options, in the order of the help.
  static let all = [
    directory, json, plain, noColor, noPager, noInput, yes, verbose, help, version,
  ]
}
