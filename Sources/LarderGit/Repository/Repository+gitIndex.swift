internal import LarderText

/// Access to the index by the git program, for a split or sparse index, which libgit2 can't read.
extension Repository {
  func indexEntriesByGit() throws(GitError) -> [IndexEntry] {
    let action = "read the index"
    let outcome = try runGitOnIndex(["ls-files", "--stage", "-t", "-z"], action: action)
    return outcome.output.split(separator: "\0").compactMap { Self.entry(from: $0) }
  }

  /// Refreshes the index; `--index-info` would need input, so the entries are arguments, in groups.
  func refreshIndexByGit(
    _ paths: [FilePath: (ObjectID, FileMode)?]
  ) throws(GitError) {
    let action = "refresh the index"
    var rest = Array(paths)[...]
    while !rest.isEmpty {
      let some = rest.prefix(200)
      rest = rest.dropFirst(some.count)
      var words = ["update-index", "--add", "--replace"]
      for (path, value) in some {
        guard let (id, mode) = value else { continue }
        words += ["--cacheinfo", "\(String(mode.number, radix: 8)),\(id.hex),\(path)"]
      }
      words += ["--force-remove", "--"] + some.filter { $0.value == nil }.map(\.key.text)
      _ = try runGitOnIndex(words, action: action)
    }
    // Status 1 means that some file differs from the index, which is allowed.
    _ = try runGitOnIndex(["update-index", "-q", "--refresh"], action: action, allowed: 1)
  }

  private func runGitOnIndex(
    _ arguments: [String], action: String, allowed: Int32 = 0
  ) throws(GitError) -> GitProgram.Outcome {
    guard let program = gitProgram else {
      throw GitError(
        .notFound, action: action, detail: "there is no git program", path: indexPath)
    }
    let outcome = try runGit(
      program, arguments, settings: ["GIT_INDEX_FILE=" + indexPath], action: action)
    guard outcome.status > allowed else { return outcome }
    var error = RemoteFailure.error(outcome, action: action, path: indexPath)
    if error.code == .locked { error.path = indexLockPath }
    throw error
  }

  /// Parses `TAG MODE ID STAGE<tab>PATH`.
  private static func entry(from line: Substring) -> IndexEntry? {
    guard let tab = line.firstIndex(of: "\t") else { return nil }
    let words = line[..<tab].split(separator: " ")
    guard words.count == 4, let number = UInt32(words[1], radix: 8), let stage = Int(words[3]),
      let mode = FileMode(number), let id = ObjectID(hex: String(words[2]))
    else { return nil }
    return IndexEntry(
      path: FilePath(String(line[line.index(after: tab)...])), id: id, mode: mode,
      isSkipWorktree: words[0] == "S", isIntentToAdd: false, stage: stage)
  }
}
