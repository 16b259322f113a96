/// The state of the pre-commit hook, by which git lets larder adopt edits into the commit in
/// progress.
public enum CommitHook: Hashable, Sendable {
  /// There is no hook.
  case missing
  /// The hook is larder's and calls this program.
  case ours
  /// The hook is larder's, but it calls a program at another path, or git would not run it.
  case stale
  /// The hook is somebody else's, and calls larder.
  case callsLarder
  /// The hook is somebody else's, and does not call larder.
  case foreign(path: String)
  /// Git's hooks folder is outside of this repository, so others may share it.
  case elsewhere(path: String)
}

/// The text of the hook.
struct HookScript {
  /// The shell command that calls larder.
  let program: String

  /// The hook's script; it blocks a commit only if larder refuses and says why.
  var text: String {
    """
    #!/bin/sh
    # Adopts edits of the household's files into the commit that is being made.
    # 'larder config hook no' takes it away; 'git commit --no-verify' goes past it.
    \(HookScript.marker)\(program)
    if ! command -v "$larder" >/dev/null 2>&1; then
      echo "larder: there is no program '$larder'; the commit is made without it, and the next larder" \\
        "command adopts it ('larder doctor --fix' mends this hook)" >&2
      exit 0
    fi
    "$larder" pre-commit
    status=$?
    [ "$status" -eq 1 ] && exit 1
    [ "$status" -eq 0 ] || echo "larder: 'larder pre-commit' ended with code $status; the commit is" \\
      "made without it, and the next larder command adopts it" >&2
    exit 0

    """
  }

  private static let marker = "larder="

  /// Whether a text is such a hook, for any program.
  static func isOne(_ text: String) -> Bool {
    let line = text.split(separator: "\n").first { $0.hasPrefix(marker) }
    guard let line else { return false }
    return HookScript(program: String(line.dropFirst(marker.count))).text == text
  }
}
