internal import LarderGit
internal import LarderModel
internal import LarderText

/// The versions of an entity before a join with the cloud.
struct CloudMerge {
  /// The version that the cloud was known to have; nil if it was not known to have any.
  let known: Entity?
  let ours: Entity
  let theirs: Entity
  let joined: Entity
  /// The path of the entity's file.
  let path: FilePath

  /// Whether a value of either side lost.
  var hasLosses: Bool {
    !ours.losses(to: theirs, since: known, in: joined).isEmpty
      || !theirs.losses(to: ours, since: known, in: joined).isEmpty
  }
}

extension Store {
  /// The reference to the joins with the cloud in which values lost, newest first.
  ///
  /// A join with the cloud is a commit with one parent, because the cloud has no commits. So each
  /// join in which a value lost is recorded here as a git merge would be: a commit of the known
  /// version, one commit of each side, and their merge, with only the affected files. The next
  /// record follows it.
  static let cloudMergesReference = "refs/larder/cloud-merges"

  /// Records the merges in which values lost, and returns these values.
  ///
  /// The caller must hold the household's lock.
  func note(_ merges: [CloudMerge]) throws(StoreError) -> [LostWrite] {
    let lossy = merges.filter(\.hasLosses)
    guard !lossy.isEmpty else { return [] }
    let device = try signature()
    var cloud = device
    (cloud.name, cloud.email) = ("the cloud", "cloud@larder.invalid")
    let subject = "what lost in a sync with the cloud"
    let message = try message(subject, command: "sync")
    let theirMessage = Trailers.message(subject, [("Larder-Command", "sync")])
    let (last, merge) = try git { repository throws(GitError) in
      let last = try repository.reference(Store.cloudMergesReference)
      func commit(
        _ version: (CloudMerge) -> Entity?, after parents: [ObjectID], by author: Signature,
        _ message: String
      ) throws(GitError) -> ObjectID {
        var files: [FilePath: (ObjectID, FileMode)?] = [:]
        for merge in lossy {
          guard let entity = version(merge) else { continue }
          files[merge.path] = (try repository.writeBlob(entity.fileBytes), .file)
        }
        let tree = try repository.writeTree(from: nil, changing: files)
        return try repository.writeCommit(
          tree: tree, parents: parents, author: author, committer: author,
          message: message + CommitContent.lines(tree: tree, parents: parents, refused: []))
      }
      let known = try commit(\.known, after: [last].compactMap(\.self), by: device, message)
      let ours = try commit(\.ours, after: [known], by: device, message)
      let theirs = try commit(\.theirs, after: [known], by: cloud, theirMessage)
      return (last, try commit(\.joined, after: [ours, theirs], by: device, message))
    }
    try run(
      Transaction(
        move: Transaction.Move(
          reference: Store.cloudMergesReference, from: last, to: merge), files: []),
      reason: "larder: cloud", by: device)
    let search = try mergeLosses()
    return try git { repository throws(GitError) in
      try search.losses(in: try repository.commit(merge))
    }
  }
}
