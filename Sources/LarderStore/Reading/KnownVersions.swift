internal import LarderGit
internal import LarderModel

/// Versions of the household's files that were read or written lately, by their entries in trees.
///
/// A sync needs one version several times: to adopt, to join, and to tell what lost. It is parsed
/// once. All are forgotten when the sum of their sizes reaches a limit, so that memory is bounded.
final class KnownVersions {
  private var files: [TreeEntry: WrittenFile] = [:]
  /// The sum of the sizes of the files, in bytes.
  private var size = 0
  /// 16 MiB, some 7,000 files of the usual size; parsed, they take several times as much memory.
  private static let mostBytes = 16 * 1024 * 1024
  /// More files than these, read at once, would only push each other out.
  static let many = 5000

  subscript(entry: TreeEntry) -> WrittenFile? {
    get { files[entry] }
    set {
      guard let newValue else { return }
      let added = Self.size(of: newValue)
      if size + added > Self.mostBytes { (files, size) = ([:], 0) }
      files[entry] = newValue
      size += added
    }
  }

  /// Returns the size of a file's text, and a little for what belongs to every file.
  private static func size(of file: WrittenFile) -> Int {
    guard case .readable(let file) = file else { return 500 }
    return file.size + 500
  }

  /// Returns a file as written; nil if it is not one of the household's.
  func file(_ entry: TreeEntry, in repository: Repository) throws(GitError) -> WrittenFile? {
    try files([entry], in: repository)[0]
  }

  /// Returns files as written.
  ///
  /// Those that are not known are read, and parsed on all cores; what was read in a work tree is not read
  /// again.
  func files(
    _ entries: [TreeEntry], in repository: Repository, or workTree: WorkTree? = nil
  ) throws(GitError) -> [WrittenFile?] {
    var found = entries.map { files[$0] }
    let unknown = found.indices.filter { found[$0] == nil }
    let read = try unknown.map { index throws(GitError) in
      (path: entries[index].path, bytes: try repository.ownBytes(entries[index], or: workTree))
    }
    let parsed = read.concurrentMap { HouseholdReader.written($0.path, $0.bytes) }
    for (index, file) in zip(unknown, parsed) {
      found[index] = file
      self[entries[index]] = file
    }
    return found
  }
}
