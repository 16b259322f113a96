/// The hook by which git lets larder adopt edits into the commit that is being made.
public enum CommitHook: Hashable, Sendable {
  /// There is none.
  case missing
  /// Ours is there and calls this program.
  case ours
  /// Ours is there, but calls a program at another place, or git would not run it.
  case stale
  /// Somebody else's hook, which calls larder.
  case callsLarder
  /// Somebody else's hook at a path, which does not.
  case foreign(path: String)
  /// Git takes hooks from a folder outside of this repository, which others may share.
  case elsewhere(path: String)
}

/// The text of the hook.
struct HookScript {
  /// The command by which git's shell calls larder.
  let program: String

  /// Nothing but a refusal that says why keeps people from committing.
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

  /// Whether a text is such a hook, whatever program it calls.
  static func isOne(_ text: String) -> Bool {
    let line = text.split(separator: "\n").first { $0.hasPrefix(marker) }
    guard let line else { return false }
    return HookScript(program: String(line.dropFirst(marker.count))).text == text
  }
}
