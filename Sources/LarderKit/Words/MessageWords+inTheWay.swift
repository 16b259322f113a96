import LarderStore
import LarderText

extension MessageWords {
  /// Returns the words for plain files that a join would overwrite; `remote` has the join's commit.
  func errorWords(for files: [FileInTheWay], from remote: String?) -> ErrorWords {
    let whose = remote.map { "what came from \($0)" } ?? "another commit"
    let names = files.map { sanitize($0.path.text) }
    let message =
      files.count == 1
      ? "\(names[0]) \(state(files[0].reason)), and \(whose) would overwrite it; nothing was joined"
      : "\(files.count) files here are in no commit as they are, and \(whose) would overwrite them; "
        + "nothing was joined"
    return ErrorWords(
      .failed, message,
      problems: files.count == 1
        ? [] : zip(files, names).map { Problem(state($0.reason), path: $1) },
      hints: ways(for: files))
  }

  private func state(_ reason: FileInTheWay.Reason) -> String {
    switch reason {
    case .edited: "has changes that are not committed"
    case .staged: "has changes in git's index that are not committed"
    case .untracked: "is here and in no commit"
    case .link: "is a link in the place of a folder"
    }
  }

  private func ways(for files: [FileInTheWay]) -> [String] {
    var hints: [String] = []
    let links = files.filter { $0.reason == .link }
    if let link = links.first {
      hints.append("move the link \(shellWord(link.path.text)) out of the household")
    }
    let added = files.filter { $0.reason == .edited || $0.reason == .untracked }
    let isStaged = files.contains { $0.reason == .staged }
    // Of many, the names would be a wall of words.
    let few =
      added.count > 5 ? "FILE…" : added.map { shellWord($0.path.text) }.joined(separator: " ")
    let commit = "'larder git -- commit -m \"our changes\"'"
    if !added.isEmpty {
      hints.append(
        "'larder git -- add -- \(few)', then \(commit) keeps what is here; 'larder sync' joins both"
      )
    } else if isStaged {
      hints.append("\(commit) keeps what is here; 'larder sync' joins both")
    }
    if !added.isEmpty, !isStaged {
      hints.append(
        "or 'larder git -- stash push -u -- \(few)' puts it aside, and after the sync "
          + "'larder git -- stash pop' brings it back")
    }
    return hints
  }
}
