import LarderGit

extension Store {
  /// Whether the hook is turned on in this clone.
  public var wantsHook: Bool {
    get throws(StoreError) { try setting("larder.hook") == "true" }
  }

  /// Returns the state of the hook; `program` is the command by which git calls larder.
  public func hook(program: String) throws(StoreError) -> CommitHook {
    let path = try hookPath
    guard let state = FileState(of: path) else {
      return try isHooksFolderOwn ? .missing : .elsewhere(path: path)
    }
    guard state.kind == .file else { return .foreign(path: path) }
    let text = String(decoding: try SystemFile.read(path), as: UTF8.self)
    if text == HookScript(program: program).text {
      return SystemFile.isExecutable(path) ? .ours : .stale
    }
    if HookScript.isOne(text) { return .stale }
    return text.contains("larder pre-commit") || text.contains("larder' pre-commit")
      ? .callsLarder : .foreign(path: path)
  }

  /// Turns the hook on or off, and writes or removes it.
  ///
  /// Other people's hooks are not changed. Returns the state afterwards.
  public func setHook(wanted: Bool, program: String) throws(StoreError) -> CommitHook {
    try git { repository throws(GitError) in
      try repository.setConfiguration("larder.hook", wanted ? "true" : nil)
    }
    if wanted { return try mendHook(program: program) }
    switch try hook(program: program) {
    case .ours, .stale:
      try SystemFile.remove(try hookPath)
      return .missing
    case let other: return other
    }
  }

  /// Writes the hook if it is missing or calls another program.
  public func mendHook(program: String) throws(StoreError) -> CommitHook {
    let hook = try hook(program: program)
    guard hook == .missing || hook == .stale else { return hook }
    let path = try hookPath
    let draft = path + ".larder-new"
    if let slash = path.lastIndex(of: "/") { try SystemFile.makeFolder(String(path[..<slash])) }
    try SystemFile.write(Array(HookScript(program: program).text.utf8), to: draft)
    try SystemFile.makeExecutable(draft)
    try SystemFile.rename(draft, to: path)
    return .ours
  }

  private var hookPath: String {
    get throws(StoreError) {
      try git { repository throws(GitError) in try repository.hooksFolder() } + "/pre-commit"
    }
  }

  /// Whether the hooks folder belongs to this repository only.
  private var isHooksFolderOwn: Bool {
    get throws(StoreError) {
      guard let repository else { return false }
      let folder = realPath(try git { repo throws(GitError) in try repo.hooksFolder() })
      return [repository.commonDirectory, root].contains { folder.hasPrefix($0 + "/") }
    }
  }
}

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
