internal import LarderGit
internal import LarderModel

/// Versions of the household's files that were read or written last, by their entries in trees.
///
/// A sync needs one version for its adoption, for the join and for what lost in it, and parses it once.
/// A commit never changes, so neither does a version. Their number is bounded, and with it the memory.
final class KnownVersions {
  private var files: [TreeEntry: WrittenFile] = [:]
  static let most = 5000

  subscript(entry: TreeEntry) -> WrittenFile? {
    get { files[entry] }
    set {
      if files.count >= Self.most { files = [:] }
      files[entry] = newValue
    }
  }

  /// Returns a file as written; nil if it is not one of the household's.
  func file(_ entry: TreeEntry, in repository: Repository) throws(GitError) -> WrittenFile? {
    try files([entry], in: repository)[0]
  }

  /// Returns files as written.
  ///
  /// Those that are not known are read, and parsed on all cores.
  func files(_ entries: [TreeEntry], in repository: Repository) throws(GitError) -> [WrittenFile?] {
    var found = entries.map { files[$0] }
    let unknown = found.indices.filter { found[$0] == nil }
    let read = try unknown.map { index throws(GitError) in
      (path: entries[index].path, bytes: try repository.ownBytes(entries[index]))
    }
    let parsed = read.concurrentMap { HouseholdReader.written($0.path, $0.bytes) }
    for (index, file) in zip(unknown, parsed) {
      found[index] = file
      self[entries[index]] = file
    }
    return found
  }
}
