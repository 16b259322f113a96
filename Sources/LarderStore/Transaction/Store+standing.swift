internal import LarderGit
internal import LarderModel

extension Store {
  /// Throws `endOfTime` for a change that could not win, because the known write has the latest
  /// possible time already: it would not be done, or the next sync would take it back.
  func refuseVain(_ edit: Edit, _ loaded: Loaded) throws(StoreError) {
    guard let write = edit.standing.first, let entity = edit.before[write.key] else { return }
    let head = loaded.head.commit
    let writer = try git { repository throws(GitError) in
      try head.flatMap { head throws(GitError) in
        try WriteSearch(repository: repository).commits(that: [write], from: head, hiding: [])[0]
      }
    }
    throw .endOfTime(title: edit.title(of: entity), at: write.at, by: writer)
  }
}
