/// Which folder is at a household's path, by what the system calls it: another one may take its place.
package struct FolderIdentity: Equatable, Sendable {
  private let inodes: [UInt64?]

  package init(of root: String) {
    inodes = [root, root + "/.git"].map { FileState(of: $0)?.inode }
  }
}
