import Clibgit2
internal import LarderText

/// The renames of one commit: from a removed file to an added file.
struct Renames {
  /// The largest number of removed files that are compared with one added file.
  private static let candidateLimit = 1_000
  /// The largest number of comparisons in one commit; after that, only identical content counts.
  private static let comparisonLimit = 100_000

  private let repository: Repository
  private let changes: [TreeChange]
  /// Computed at the first request.
  private var removed: Removed?
  private var comparisons = 0

  init(_ repository: Repository, _ changes: [TreeChange]) {
    self.repository = repository
    self.changes = changes
  }

  /// Returns the path of the removed file that an added file comes from, or nil.
  ///
  /// It has the same content or, as in git, the most similar content with a similarity of at least
  /// half. In a tie, a file that keeps its name in another folder wins.
  mutating func source(of added: TreeEntry) throws(GitError) -> FilePath? {
    let removed = removed ?? Removed(changes)
    self.removed = removed
    if let exact = removed.byContent[added.id] {
      let name = added.path.name
      return (exact.first { $0.name.hasSameBytes(as: name) } ?? exact.first)
    }
    guard added.mode != .submodule, !removed.entries.isEmpty,
      comparisons < Renames.comparisonLimit,
      let wanted = try ContentSignature(of: repository.readBlob(added.id))
    else { return nil }
    var best: (path: FilePath, score: Int32)?
    for index in removed.entries.prefix(Self.candidateLimit).indices {
      comparisons += 1
      guard let signature = try self.removed?.signature(index, repository) else { continue }
      let path = removed.entries[index].path
      var score = wanted.similarity(to: signature.content) * 2
      if score >= 100, path.name.hasSameBytes(as: added.path.name) { score += 1 }
      if score >= 100, score > best?.score ?? 0 { best = (path, score) }
    }
    return best?.path
  }
}

extension Renames {
  /// The files removed by a commit.
  private struct Removed {
    let entries: [TreeEntry]
    let byContent: [ObjectID: [FilePath]]
    private var signatures: [Int: Signature?] = [:]

    /// A content signature that several added files are compared with.
    final class Signature {
      let content: ContentSignature

      init(_ content: consuming ContentSignature) { self.content = content }
    }

    init(_ changes: [TreeChange]) {
      entries = changes.compactMap { change in
        change.new == nil && change.old?.mode != .submodule ? change.old : nil
      }
      var byContent: [ObjectID: [FilePath]] = [:]
      for entry in entries { byContent[entry.id, default: []].append(entry.path) }
      self.byContent = byContent
    }

    /// Returns the signature of a file, or nil if the file is too small to compare.
    mutating func signature(_ index: Int, _ repository: Repository) throws(GitError) -> Signature? {
      if let known = signatures[index] { return known }
      let bytes = try repository.readBlob(entries[index].id)
      var made: Signature?
      if let content = ContentSignature(of: bytes) { made = Signature(content) }
      signatures.updateValue(made, forKey: index)
      return made
    }
  }
}

/// A fingerprint of a file's lines, for comparing files by similarity.
struct ContentSignature: ~Copyable {
  private let handle: Handle<OpaquePointer>

  /// Nil if the content is too small to compare.
  init?(of content: [UInt8]) {
    let options = git_hashsig_option_t(
      GIT_HASHSIG_SMART_WHITESPACE.rawValue | GIT_HASHSIG_ALLOW_SMALL_FILES.rawValue)
    var made: OpaquePointer?
    let status = content.withUnsafeBytes { bytes in
      git_hashsig_create(
        &made, bytes.bindMemory(to: CChar.self).baseAddress, bytes.count, options)
    }
    guard status == 0, let made else { return nil }
    handle = Handle(owning: made, free: { git_hashsig_free($0) })
  }

  /// Returns the similarity of two contents, from 0 to 100.
  func similarity(to other: borrowing ContentSignature) -> Int32 {
    max(0, git_hashsig_compare(handle.pointer, other.handle.pointer))
  }
}
