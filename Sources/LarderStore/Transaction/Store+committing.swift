internal import LarderGit
internal import LarderModel
internal import LarderText

/// A file of the next commit.
struct PlannedFile: Sendable {
  let path: FilePath
  /// The new content; nil to remove the file.
  var bytes: [UInt8]?
  var blob: ObjectID?
  /// The entry in HEAD.
  let committed: TreeEntry?
  /// The new git mode; nil to keep HEAD's.
  var mode: FileMode?
  /// The content as it will be read; nil for a removed file, and for one that the join of other files
  /// made.
  var written: WrittenFile?

  /// Whether it changes HEAD's tree.
  var isNews: Bool { blob != committed?.id || (mode != nil && mode != committed?.mode) }

  var modeOrDefault: FileMode { mode ?? committed?.mode ?? .file }

  /// The entry in the next commit's tree; nil for a removed file.
  var entry: TreeEntry? { blob.map { TreeEntry(path: path, id: $0, mode: modeOrDefault) } }
}

extension Store {
  /// Returns the files to write for entities, at their paths now and before.
  func plan(
    _ keys: [EntityKey], _ after: Household, from before: Household, _ loaded: Loaded,
    also others: [FilePath] = []
  ) -> [PlannedFile] {
    var paths = Set(others)
    for key in keys {
      for path in [
        before.path(of: key), after.path(of: key), loaded.meaning.household.path(of: key),
      ] {
        if let path { paths.insert(path) }
      }
    }
    let wanted = paths.filter { path in
      after.untaken[path] == nil
        || !loaded.leftInHead.contains(path) && after.key(at: path) != nil
    }
    .sorted()
    let committed = loaded.committed
    return wanted.concurrentMap { path in
      let bytes = after.key(at: path).flatMap { after[$0]?.fileBytes }
      // No file of the household is executable, although plain git may have committed it as one.
      return PlannedFile(
        path: path, bytes: bytes, blob: bytes.map { Repository.blobID(of: $0) },
        committed: committed[path], mode: bytes == nil ? nil : .file,
        written: bytes.map {
          HouseholdReader.written(path, $0[...]) ?? .broken(FileMistakes([.notAFile]))
        })
    }
  }

  /// Commits the changed entities; returns nil, without a commit, if HEAD already has them.
  func commit(
    _ keys: [EntityKey], also paths: [FilePath] = [], _ after: Household, _ message: String,
    by author: Signature? = nil, _ loaded: inout Loaded
  ) throws(StoreError) -> ObjectID? {
    for key in keys {
      let paths = [loaded.household.path(of: key), after.path(of: key)]
      guard loaded.household[key] != after[key] || paths[0] != paths[1] else { continue }
      for path in paths.compactMap(\.self) {
        guard let mistakes = after.untaken[path] else { continue }
        throw .untaken(path: path, mistakes)
      }
    }
    let files = plan(keys, after, from: loaded.household, loaded, also: paths)
    try check(files)
    let parents = [loaded.head.commit].compactMap(\.self)
    let committer = try signature()
    let commit = try commit(
      files, parents: parents, message, by: author ?? committer, committer: committer, &loaded)
    loaded.meaning = CommitReader.Meaning(household: after)
    loaded.edits = nil
    loaded.edited = []
    return commit
  }

  /// Throws `badValues` if a file could not be read back.
  func check(_ files: [PlannedFile]) throws(StoreError) {
    for file in files where file.isNews {
      if let written = file.written,
        case .failure(let mistakes) = HouseholdReader.decoded(written)
      {
        throw .badValues(path: file.path, mistakes)
      }
    }
  }

  /// Writes the objects of a commit on HEAD and moves to it.
  ///
  /// The work tree follows, except for the loaded `left` paths and those in `leaving`. A commit that every
  /// device writes alike is common, and never signed.
  ///
  /// `refused` are the files with refused edits that the commit carries; nil for those of HEAD that it
  /// does not write.
  ///
  /// On plain commits that are not adopted yet, the commit is a plain one as well: its files don't say
  /// what they mean.
  func commit(
    _ files: [PlannedFile], parents: [ObjectID], _ message: String, by author: Signature,
    committer: Signature? = nil, leaving: Set<FilePath> = [], isCommon: Bool = false,
    refused: Set<FilePath>? = nil,
    _ loaded: inout Loaded
  ) throws(StoreError) -> ObjectID? {
    let news = files.filter(\.isNews)
    if mayBeFiltered { try refuseFilters(on: news.map(\.path)) }
    let paths = files.map(\.path)
    let refused = refused ?? loaded.refusedInHead.subtracting(paths)
    let base = loaded.tree
    let isPlain = loaded.meaning.plainCommits > 0
    var changes: [FilePath: (ObjectID, FileMode)?] = [:]
    for file in news {
      changes[file.path] = .some(file.entry.map { ($0.id, $0.mode) })
    }
    let (made, commit) = try git { repository throws(GitError) in
      try repository.withoutWaiting { () throws(GitError) -> (ObjectID, ObjectID?) in
        // What HEAD has is on the disk, and the journal would not have a copy.
        _ = try repository.writeBlobs(news.compactMap(\.bytes))
        let tree = try repository.writeTree(from: base, changing: changes)
        guard !news.isEmpty || parents.count > 1 else { return (tree, nil) }
        let message =
          isPlain
          ? String(message.prefix { !$0.isNewline }) + "\n"
          : message + CommitContent.lines(tree: tree, parents: parents, refused: refused)
        let isSigned = try isCommon ? false : repository.signsCommits
        let commit =
          try isSigned
          ? repository.writeSignedCommit(
            tree: tree, parents: parents, author: author, committer: committer ?? author,
            message: message)
          : repository.writeCommit(
            tree: tree, parents: parents, author: author, committer: committer ?? author,
            message: message)
        return (tree, commit)
      }
    }
    if let commit, !isPlain, Trailers(message)["Larder-Device"] != nil { try noteOwn(commit) }
    try move(to: commit, tree: made, files, leaving: leaving, message, author, &loaded)
    loaded.note(news)
    loaded.leftInHead.subtract(paths)
    for file in news { if let entry = file.entry { versions[entry] = file.written } }
    keepCache(of: loaded)
    return commit
  }

  private func move(
    to commit: ObjectID?, tree: ObjectID, _ files: [PlannedFile], leaving: Set<FilePath>,
    _ message: String, _ author: Signature, _ loaded: inout Loaded
  ) throws(StoreError) {
    let left = loaded.left.union(leaving)
    let stale = files.filter { !left.contains($0.path) && loaded.present($0) != $0.blob }
    guard commit != nil || !stale.isEmpty else { return }
    var transaction = Transaction(move: nil, files: [])
    for file in stale {
      transaction.files.append(
        Transaction.File(
          path: file.path, old: loaded.present(file), new: file.blob, mode: file.modeOrDefault,
          bytes: file.bytes))
    }
    // The index is updated for files that are already in the work tree or stay as they are.
    let exchanged = Set(stale.map(\.path))
    for file in files where file.isNews && !exchanged.contains(file.path) {
      transaction.files.append(
        Transaction.File(
          path: file.path, old: file.blob, new: file.blob, mode: file.modeOrDefault,
          bytes: file.bytes))
    }
    if let commit {
      transaction.commit = try git { repository throws(GitError) in
        try repository.bytes(ofCommit: commit)
      }
      transaction.move = Transaction.Move(
        reference: loaded.head.reference, from: loaded.head.commit, to: commit)
    }
    let subject = message.split(separator: "\n").first.map(String.init) ?? message
    try run(transaction, reason: "larder: \(subject)", by: author)
    if let commit {
      loaded.head = loaded.head.moved(to: commit)
      loaded.tree = tree
    }
    for file in stale { loaded.workTree.note(file.path, file.bytes, at: context.now()) }
  }
}

extension Head {
  /// The reference that a commit moves.
  var reference: String {
    switch self {
    case .unborn(let branch), .branch(let branch, _): "refs/heads/" + branch
    case .detached: "HEAD"
    }
  }

  func moved(to commit: ObjectID) -> Head {
    switch self {
    case .unborn(let branch), .branch(let branch, _): .branch(name: branch, commit)
    case .detached: .detached(commit)
    }
  }
}
