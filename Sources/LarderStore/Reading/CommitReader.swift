import LarderGit
import LarderJSON
import LarderModel
internal import LarderText

/// A reader of the meaning of commits.
///
/// The meaning depends only on the commits, so every device reads the same.
///
/// A commit of Larder means exactly what its files say, unless somebody amended it. A plain commit
/// is the changes of its files from its first parent, applied to the meaning of that parent. A
/// plain merge is compared with the join of its parents.
final class CommitReader {
  /// The meaning of a commit, and its difference from the files.
  struct Meaning {
    var household: Household
    /// The entities whose files may have to be rewritten.
    var touched: Set<EntityKey> = []
    var notes: [HouseholdAdoption.Note] = []
    /// The number of plain commits that were read.
    var plainCommits = 0
  }

  let repository: Repository
  let versions: KnownVersions
  /// A commit that is known to mean exactly what its files say.
  private let adopted: ObjectID?
  /// The files that were read already, which need not be read from git; nil if none were.
  let workTree: WorkTree?
  private var meanings: [ObjectID: Meaning] = [:]
  /// A tree that is already decoded; others are decoded by their difference from it.
  private(set) var decoded: (tree: ObjectID, household: Household)?
  /// The trees used in place of commits with too many files; nil for no tree.
  private var passedOver: [ObjectID: ObjectID?] = [:]
  private var listings: [ObjectID: TreeListing] = [:]

  init(
    _ repository: Repository, _ versions: KnownVersions, adopted: ObjectID?,
    workTree: WorkTree? = nil
  ) {
    self.repository = repository
    self.versions = versions
    self.adopted = adopted
    self.workTree = workTree
  }

  /// Stores a tree whose files were decoded literally.
  func know(_ tree: ObjectID, _ household: Household) {
    decoded = (tree, household)
  }

  func meaning(of id: ObjectID) throws(GitError) -> Meaning {
    var open = [id]
    while let next = open.last {
      if meanings[next] != nil {
        open.removeLast()
        continue
      }
      let commit = try repository.commit(next)
      do throws(GitError) {
        if try isLiteral(commit) {
          meanings[next] = Meaning(household: try files(of: commit))
          continue
        }
      } catch  where error.code == .tooLarge {
        // It is read like a plain commit with too many files.
      }
      let waiting = commit.parents.filter { meanings[$0] == nil }
      guard waiting.isEmpty else {
        open += waiting
        continue
      }
      do throws(GitError) {
        meanings[next] = try adopting(commit)
      } catch {
        guard error.code == .tooLarge, try repository.isOverfull(commit.tree) else { throw error }
        meanings[next] = try passingOver(commit)
      }
    }
    return meanings[id] ?? Meaning(household: Household())
  }

  /// Returns the meaning of a commit with too many files: that of its first parent.
  ///
  /// The next commit is compared with that parent.
  private func passingOver(_ commit: Commit) throws(GitError) -> Meaning {
    var meaning = Meaning(household: Household())
    var tree: ObjectID?
    if let parent = commit.parents.first {
      meaning = meanings[parent] ?? meaning
      tree = try self.tree(of: parent)
    }
    passedOver[commit.id] = .some(tree)
    meaning.plainCommits += 1
    return meaning
  }

  /// Returns the tree that is used for a commit.
  private func tree(of commit: ObjectID) throws(GitError) -> ObjectID? {
    if let tree = passedOver[commit] { return tree }
    return try repository.commit(commit).tree
  }

  /// Whether a commit means exactly what its files say.
  ///
  /// Larder never removes the household's own file. If it is missing, somebody wrote the trailer by
  /// hand.
  func isLiteral(_ commit: Commit) throws(GitError) -> Bool {
    if commit.id == adopted { return true }
    guard commit.isSound, CommitContent.isOriginal(commit) else { return false }
    if try hasHousehold(commit.tree) { return true }
    for parent in commit.parents where try hasHousehold(repository.commit(parent).tree) {
      return false
    }
    return true
  }

  private func hasHousehold(_ tree: ObjectID) throws(GitError) -> Bool {
    try repository.entry(at: Kind.householdPath, in: tree) != nil
  }

  private func listing(of tree: ObjectID) -> TreeListing {
    if let known = listings[tree] { return known }
    // The listings of a commit and its parents are in use; older ones only take memory.
    if listings.count >= 4 { listings = [:] }
    let listing = TreeListing(repository, tree)
    listings[tree] = listing
    return listing
  }

  /// Returns one of the household's files as written in a commit.
  func written(_ path: FilePath, in tree: ObjectID) throws(GitError) -> WrittenFile? {
    guard let entry = try listing(of: tree).entry(at: path) else { return nil }
    return try versions.file(entry, in: repository)
  }
}

extension FileMode {
  var isOrdinary: Bool { self == .file || self == .executable }
}

extension CommitReader {
  private func adopting(_ commit: Commit) throws(GitError) -> Meaning {
    let parents = try commit.parents.map { id throws(GitError) in
      (
        tree: try tree(of: id),
        meaning: meanings[id] ?? Meaning(household: Household())
      )
    }
    var failure: GitError?
    let bases = parents.map { parent in
      HouseholdAdoption.Base(parent.meaning.household) { path in
        do throws(GitError) {
          return try parent.tree.flatMap { tree throws(GitError) in
            try self.written(path, in: tree)
          }
        } catch {
          failure = error
          return nil
        }
      }
    }
    var changes: [(path: FilePath, file: WrittenFile?)] = []
    for path in try changedPaths(commit.tree, parents.map(\.tree)) {
      changes.append((path, try written(path, in: commit.tree)))
    }
    let histories = FileHistories(self, of: changes.map(\.path), from: commit.parents) {
      failure = $0
    }
    let known = try known(
      to: commit, parents.map { ($0.tree, $0.meaning.household) },
      but: Set(changes.map(\.path)))
    var adoption = HouseholdAdoption(
      known: known, bases: bases, source: source(of: commit, histories))
    let now = listing(of: commit.tree)
    adoption.isThere = { path in
      do throws(GitError) {
        return try now.entry(at: path) != nil
      } catch {
        failure = error
        return false
      }
    }
    let outcome = adoption.adopt(changes)
    if let failure { throw failure }
    var meaning = Meaning(household: outcome.household)
    meaning.notes = parents.flatMap(\.meaning.notes) + outcome.notes
    meaning.plainCommits = parents.map(\.meaning.plainCommits).reduce(1, +)
    meaning.touched = parents.reduce(Set(outcome.changed)) { $0.union($1.meaning.touched) }
    for change in changes {
      if let key = outcome.household.key(at: change.path) { meaning.touched.insert(key) }
    }
    return meaning
  }

  /// Returns the meaning before a commit: that of its parent, or the join of all parents.
  ///
  /// A file of a merge that is as in a parent, not among the `changed`, is what it is there, also
  /// broken or refused; and the entity of a file that was moved stands where the merge has it.
  private func known(
    to commit: Commit, _ parents: [(tree: ObjectID?, household: Household)],
    but changed: Set<FilePath>
  ) throws(GitError) -> Household {
    guard var known = parents.first?.household else { return Household() }
    for (index, parent) in parents.enumerated().dropFirst() {
      let bases = try repository.mergeBases(commit.parents[0], commit.parents[index])
      let base = try bases.min().flatMap { id throws(GitError) in try ancestorFiles(id) }
      known = known.joined(with: parent.household, base: base)
    }
    guard parents.count > 1 else { return known }
    let tree = listing(of: commit.tree)
    for path in known.untaken.keys where !changed.contains(path) {
      let entry = try tree.entry(at: path)
      var isLeft = false
      for parent in parents where parent.household.untaken[path] != nil {
        guard let files = parent.tree else { continue }
        if try listing(of: files).entry(at: path) == entry { isLeft = true }
      }
      if !isLeft { known.untaken[path] = nil }
    }
    for parent in parents {
      for key in known.keys(differingFrom: parent.household) {
        let paths = Set(parents.compactMap { $0.household.path(of: key) })
        guard paths.count > 1, let entity = known[key] else { continue }
        for path in paths.sorted() where !changed.contains(path) {
          guard try tree.entry(at: path) != nil else { continue }
          if known.path(of: key) != path { known.put(entity, at: path) }
          break
        }
      }
    }
    return known
  }

  /// Returns what the files of a common ancestor say; nil if it has too many files.
  private func ancestorFiles(_ commit: ObjectID) throws(GitError) -> Household? {
    do throws(GitError) {
      return try files(in: try repository.commit(commit).tree)
    } catch  where error.code == .tooLarge {
      return nil
    }
  }

  /// Returns the household's paths that differ from every parent's.
  private func changedPaths(_ tree: ObjectID, _ parents: [ObjectID?]) throws(GitError) -> [FilePath]
  {
    var changed: Set<FilePath>?
    // Something else in the place of a folder does not remove the files of that folder.
    let hidden = try repository.hiddenFolders(of: tree)
    for parent in parents.isEmpty ? [nil] : parents {
      let paths = try repository.ownChanges(from: parent, to: tree).map(\.path)
      changed = changed?.intersection(paths) ?? Set(paths)
    }
    return (changed ?? []).filter { path in
      !hidden.contains { path.hasPrefix("\($0)/") }
    }
  }

  private func source(of commit: Commit, _ histories: FileHistories) -> HouseholdAdoption.Source {
    let time = Instant(clampingSeconds: commit.author.seconds)
    return HouseholdAdoption.Source(
      userID: Identifier.derived(from: "author", commit.author.email.lowercased()),
      time: { _ in time },
      newID: { Identifier.derived(from: "file", $0.text, time.description) },
      history: { histories.versions(of: $0) })
  }
}

/// A tree with lookups of files by path.
///
/// A single lookup reads the whole folder, which takes milliseconds with thousands of files. So
/// after a few lookups, the tree is listed once instead.
final class TreeListing {
  private let repository: Repository
  private let tree: ObjectID
  private var entries: [FilePath: TreeEntry]?
  private var lookups = 0

  private static let few = 4

  init(_ repository: Repository, _ tree: ObjectID) {
    self.repository = repository
    self.tree = tree
  }

  func entry(at path: FilePath) throws(GitError) -> TreeEntry? {
    if let entries { return entries[path] }
    lookups += 1
    guard lookups > TreeListing.few else { return try repository.entry(at: path, in: tree) }
    var listed: [FilePath: TreeEntry] = [:]
    for entry in try repository.entries(of: tree) { listed[entry.path] = entry }
    entries = listed
    return listed[path]
  }
}
