import LarderGit

extension Store {
  /// The path of a pre-commit hook that calls larder, as earlier versions installed it.
  ///
  /// Larder needs none: the next command adopts what is committed.
  public var formerHook: String? {
    get throws(StoreError) {
      let folder = try git { repository throws(GitError) in try repository.hooksFolder() }
      let path = folder + "/pre-commit"
      guard FileState(of: path)?.kind == .file else { return nil }
      let text = String(decoding: try SystemFile.read(path), as: UTF8.self)
      return ["larder pre-commit", "larder' pre-commit", "\"$larder\" pre-commit"]
        .contains { text.contains($0) } ? path : nil
    }
  }
}
