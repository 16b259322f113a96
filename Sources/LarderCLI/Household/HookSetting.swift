import LarderJSON
import LarderKit

/// `larder config hook`, and the option `--hook` of `init` and `join`.
enum HookSetting {
  static func set(_ wanted: Bool, _ larder: Larder, _ invocation: Invocation) throws {
    let hook = try larder.setHook(wanted: wanted)
    let output = invocation.output
    let complaint = wanted && !hook.works ? complaint(about: hook) : nil
    if let complaint {
      output.warn(complaint.message)
      output.hint(complaint.hint)
    }
    if invocation.path.last != "config" { return }
    ConfigCommand.report(
      .hook, wanted ? "yes" : "no",
      complaint != nil
        ? "the hook is wanted here, but git does not call larder yet"
        : wanted
          ? "larder adopts edits into commits made with git here"
          : "commits made with git are adopted by the next larder command", output)
  }

  /// Returns the words for a hook that is wanted but does not work.
  static func complaint(about hook: CommitHook) -> Complaint {
    switch hook {
    case .ours, .callsLarder, .missing:
      Complaint(
        name: "noHook", message: "the hook that lets larder adopt edits into commits is missing",
        hint: Complaint.mending, mended: "git lets larder adopt edits into commits now")
    case .stale:
      Complaint(
        name: "staleHook",
        message: "the hook that lets larder adopt edits into commits calls "
          + "another program, or can't be run",
        hint: Complaint.mending, mended: "git's hook calls this program now")
    case .foreign(let path):
      Complaint(
        name: "foreignHook",
        message: "there is a pre-commit hook already, which is left alone: \(path)",
        hint: "to have larder adopt edits into commits, add to it: \(line)")
    case .elsewhere(let path):
      Complaint(
        name: "sharedHooks",
        message:
          "core.hooksPath leads out of this repository, where larder writes no hook: \(path)",
        hint: "to have larder adopt edits into commits, put into that file: \(line)")
    }
  }

  /// The line with which another program's hook calls larder.
  private static let line =
    "if command -v larder >/dev/null; then larder pre-commit || exit 1; fi"
}
